#!/usr/bin/env bash
# A seed means the same model with g++ and clang++: builds the drawing of models with clang++ too, and compares the digests
# of 10,000 models. usage: other_compiler.sh TEST_PROGRAM_OF_THIS_BUILD (in the project root)
set -euo pipefail
command -v clang++ >/dev/null || { echo "clang++ is not installed; run ./dev setup"; exit 1; }
[[ -f build/clang-release/build.ninja ]] || cmake --preset clang-release
cmake --build --preset clang-release --target randomgraph_test
digest=(--gtest_also_run_disabled_tests '--gtest_filter=Digest.*')
build/clang-release/bin/randomgraph_test "${digest[@]}"
ASSAY_MUST_COMPARE=1 "$1" "${digest[@]}"
