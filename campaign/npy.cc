#include "campaign/npy.h"

#include <bit>

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

// NumPy's name of a storage kind; null for none.
const char* DescriptorOf(Storage storage) {
  switch (storage) {
    case Storage::kFloat32:
      return "<f4";
    case Storage::kFloat16:
      return "<f2";
    case Storage::kInt32:
      return "<i4";
    case Storage::kUint32:
      return "<u4";
    case Storage::kBool8:
      return "|b1";
    case Storage::kUint8:
      return "|u1";
    case Storage::kInt8:
      return "|i1";
    case Storage::kUint16:
      return "<u2";
    case Storage::kInt16:
      return "<i2";
    case Storage::kNone:
      return nullptr;
  }
  return nullptr;
}

}  // namespace

std::string ToNpy(OperandType type, const Dims& dims, std::span<const uint8_t> bytes) {
  static_assert(std::endian::native == std::endian::little, "the descriptors say little endian");
  const char* descriptor = DescriptorOf(InfoOf(type).storage);
  if (descriptor == nullptr) return "";
  std::string shape;
  for (uint32_t d : dims) absl::StrAppend(&shape, d, ", ");
  if (dims.size() > 1) shape.resize(shape.size() - 2);
  if (dims.size() == 1) shape.pop_back();
  std::string header = absl::StrCat("{'descr': '", descriptor, "', 'fortran_order': False, 'shape': (", shape, "), }");
  // Magic, version and length take 10 bytes; all of it is padded to a multiple of 64 and ends with a line end.
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xFF);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return out;
}

}  // namespace assay
