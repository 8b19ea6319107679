// NumPy files, byte by byte.
#include "campaign/npy.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

using enum OperandType;

// The header of format 1.0: magic, version, the length of what follows, the dictionary, blanks, a line end.
std::string File(const std::string& dictionary, size_t blanks, const std::string& data) {
  const size_t length = dictionary.size() + blanks + 1;
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(length & 0xFF);
  out += static_cast<char>(length >> 8);
  return absl::StrCat(out, dictionary, std::string(blanks, ' '), "\n", data);
}

std::string Npy(OperandType type, const Dims& dims, const std::string& data) {
  return ToNpy(type, dims, {reinterpret_cast<const uint8_t*>(data.data()), data.size()});
}

TEST(ToNpy, AMatrixOfFloats) {
  // 10 bytes, 60 of dictionary, 57 blanks and the line end make 128.
  const std::string data(24, '\x3f');
  EXPECT_EQ(Npy(TENSOR_FLOAT32, {2, 3}, data),
            File("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 58, data));
  EXPECT_EQ(Npy(TENSOR_FLOAT32, {2, 3}, data).size(), 128 + data.size());
}

TEST(ToNpy, AVectorHasACommaAndAScalarNone) {
  EXPECT_EQ(Npy(TENSOR_QUANT8_ASYMM, {3}, "abc"),
            File("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", 60, "abc"));
  EXPECT_EQ(Npy(INT32, {}, "abcd"), File("{'descr': '<i4', 'fortran_order': False, 'shape': (), }", 62, "abcd"));
}

TEST(ToNpy, AnEmptyTensorHasNoData) {
  EXPECT_EQ(Npy(TENSOR_BOOL8, {0, 2}, ""), File("{'descr': '|b1', 'fortran_order': False, 'shape': (0, 2), }", 58, ""));
}

TEST(ToNpy, EveryStorageHasItsDescriptor) {
  for (const auto& [type, descriptor] :
       std::vector<std::pair<OperandType, std::string>>{{TENSOR_FLOAT32, "<f4"},
                                                        {TENSOR_FLOAT16, "<f2"},
                                                        {TENSOR_INT32, "<i4"},
                                                        {UINT32, "<u4"},
                                                        {BOOL, "|b1"},
                                                        {TENSOR_QUANT8_SYMM_PER_CHANNEL, "|i1"},
                                                        {TENSOR_QUANT8_ASYMM_SIGNED, "|i1"},
                                                        {TENSOR_QUANT16_ASYMM, "<u2"},
                                                        {TENSOR_QUANT16_SYMM, "<i2"}}) {
    const std::string data(ElementSize(type), 'x');
    EXPECT_EQ(Npy(type, {1}, data),
              File(absl::StrCat("{'descr': '", descriptor, "', 'fortran_order': False, 'shape': (1,), }"), 60, data))
        << NameOf(type);
  }
}

TEST(ToNpy, TheHeaderIsAlwaysAMultipleOf64) {
  for (uint32_t rank = 0; rank < 40; ++rank) EXPECT_EQ(Npy(TENSOR_BOOL8, Dims(rank, 0), "").size() % 64, 0u) << rank;
}

TEST(ToNpy, NothingForWhatHasNoElements) { EXPECT_EQ(Npy(SUBGRAPH, {}, ""), ""); }

}  // namespace
}  // namespace assay
