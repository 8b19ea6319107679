# Compiler flags for everything in this tree. Packages are unaffected: their headers are system headers.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
# Asking for one static library builds that library alone.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
# Without -DNDEBUG: the packaged Abseil is built without it, and some of its types differ with it.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")
set(CMAKE_C_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
set(CMAKE_C_FLAGS_DEBUG "${CMAKE_CXX_FLAGS_DEBUG}")

add_compile_options(-Wall -Wextra -Wconversion -Werror)
# Designated initializers name what differs from the default and leave off the rest, on purpose.
add_compile_options(-Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # clang counts sign conversions to -Wconversion, g++ does not; one rule for both.
  add_compile_options(-Wno-sign-conversion)
endif()
# A seed means the same bits everywhere: no fused multiply-add that the source does not say.
add_compile_options(-ffp-contract=off)

if(ASSAY_SANITIZE)
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer")
  set(CMAKE_C_FLAGS_DEBUG "${CMAKE_CXX_FLAGS_DEBUG}")
  add_compile_options("-fsanitize=${ASSAY_SANITIZE}" -fno-sanitize-recover=all)
  add_link_options("-fsanitize=${ASSAY_SANITIZE}")
endif()
if(ASSAY_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ASSAY_FUZZ needs clang++ (libFuzzer); the preset `fuzz` sets it")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()
