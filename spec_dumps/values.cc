#include "spec_dumps/values.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "numeric/half.h"
#include "spec_dumps/float_text.h"

namespace assay {
namespace {

constexpr uint16_t kHalfInfinity = 0x7c00;
constexpr uint16_t kHalfNaN = 0x7e00;

bool IsHalfNaN(uint16_t half) { return (half & 0x7fff) > kHalfInfinity; }

// Calls read(element) until the "]". Stores elements as long as `count` allows and returns how many there were.
template <class T, class Read>
bool ReadElements(Cursor& in, uint64_t count, Bytes& out, uint64_t& found, Read read) {
  // Every value but the last takes three characters, so the text bounds the memory, whatever `count` says.
  const uint64_t room = std::min<uint64_t>(count, in.remaining() / 3 + 1);
  out.resize(room * sizeof(T));
  found = 0;
  bool more = !in.Accept("]");
  while (more) {
    T element{};
    if (!read(element)) return false;
    if (found < room) std::memcpy(out.data() + found * sizeof(T), &element, sizeof(T));
    ++found;
    if (!in.ExpectCommaOr("]", more)) return false;
  }
  return true;
}

bool ReadHalf(Cursor& in, uint16_t& out) {
  const size_t at = in.offset();
  float value = 0;
  if (!in.ReadFloat(value)) return false;
  out = std::isnan(value) ? kHalfNaN : HalfFromFloat(value);
  if (!std::isnan(value) && std::bit_cast<uint32_t>(FloatFromHalf(out)) != std::bit_cast<uint32_t>(value)) {
    std::string nearest;
    AppendFloat(nearest, FloatFromHalf(out));
    return in.Fail(at, absl::StrCat("a float16 value (the nearest is ", nearest, ")"));
  }
  return true;
}

template <class T>
bool ReadInts(Cursor& in, const TypeInfo& info, uint64_t count, Bytes& out, uint64_t& found) {
  const CodeRange range = CodesOf(info.storage);
  return ReadElements<T>(in, count, out, found, [&](T& element) {
    int64_t value = 0;
    if (!in.ReadInt(range, info.name, value)) return false;
    element = static_cast<T>(value);
    return true;
  });
}

bool ReadAnyElements(Cursor& in, const TypeInfo& info, uint64_t count, Bytes& out, uint64_t& found) {
  switch (info.storage) {
    case Storage::kFloat32:
      return ReadElements<float>(in, count, out, found, [&](float& element) { return in.ReadFloat(element); });
    case Storage::kFloat16:
      return ReadElements<uint16_t>(in, count, out, found, [&](uint16_t& element) { return ReadHalf(in, element); });
    case Storage::kBool8:
      return ReadElements<uint8_t>(in, count, out, found, [&](uint8_t& element) {
        bool value = false;
        if (!in.ReadBool(value)) return false;
        element = value ? 1 : 0;
        return true;
      });
    case Storage::kInt32:
      return ReadInts<int32_t>(in, info, count, out, found);
    case Storage::kUint32:
      return ReadInts<uint32_t>(in, info, count, out, found);
    case Storage::kUint8:
      return ReadInts<uint8_t>(in, info, count, out, found);
    case Storage::kInt8:
      return ReadInts<int8_t>(in, info, count, out, found);
    case Storage::kUint16:
      return ReadInts<uint16_t>(in, info, count, out, found);
    case Storage::kInt16:
      return ReadInts<int16_t>(in, info, count, out, found);
    case Storage::kNone:
      break;
  }
  ASSAY_CHECK(false, "values of a type without storage");
  return false;
}

template <class T, class Visit>
void ForEach(const Bytes& bytes, Visit visit) {
  for (size_t at = 0; at < bytes.size(); at += sizeof(T)) {
    T element;
    std::memcpy(&element, bytes.data() + at, sizeof(T));
    visit(element);
  }
}

template <class T>
void AppendInts(std::string& out, const Bytes& bytes) {
  ForEach<T>(bytes, [&](T element) {
    char buffer[24];
    const auto written = std::to_chars(buffer, buffer + sizeof(buffer) - 2, static_cast<int64_t>(element));
    std::memcpy(written.ptr, ", ", 2);
    out.append(buffer, static_cast<size_t>(written.ptr - buffer) + 2);
  });
}

}  // namespace

std::optional<uint64_t> ElementsOf(OperandType type, const Dims& dims) {
  if (IsScalar(type)) return 1;
  if (std::find(dims.begin(), dims.end(), 0u) != dims.end()) return 0;
  std::optional<uint64_t> count = 1;
  for (uint32_t d : dims) {
    if (count) count = CheckedProduct(*count, d);
  }
  return count;
}

bool ReadValues(Cursor& in, OperandType type, const Dims& dims, Bytes& out) {
  const size_t at = in.offset();
  const TypeInfo& info = InfoOf(type);
  if (!in.Expect("[")) return false;
  const std::optional<uint64_t> count = ElementsOf(type, dims);
  uint64_t found = 0;
  if (!ReadAnyElements(in, info, count.value_or(0), out, found)) return false;
  if (count == found) return true;
  std::string expected = count ? absl::StrCat(*count, " values of ") : "bytes (too many elements) of ";
  absl::StrAppend(&expected, info.name, " ");
  AppendDims(expected, dims);
  return in.Fail(at, std::move(expected), absl::StrCat(found, " values"));
}

bool HasValueText(OperandType type, const Dims& dims, const Bytes& bytes) {
  const TypeInfo& info = InfoOf(type);
  if (info.storage == Storage::kNone) return false;
  const std::optional<uint64_t> count = ElementsOf(type, dims);
  if (!count || bytes.size() % info.element_size != 0 || bytes.size() / info.element_size != *count) return false;
  bool all = true;
  if (info.storage == Storage::kBool8) {
    all = std::all_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b <= 1; });
  } else if (info.storage == Storage::kFloat32) {
    ForEach<float>(bytes, [&](float element) { all = all && HasFloatText(element); });
  } else if (info.storage == Storage::kFloat16) {
    ForEach<uint16_t>(bytes, [&](uint16_t half) { all = all && (!IsHalfNaN(half) || half == kHalfNaN); });
  }
  return all;
}

void AppendValues(std::string& out, OperandType type, const Bytes& bytes) {
  out += '[';
  const size_t empty = out.size();
  switch (InfoOf(type).storage) {
    case Storage::kFloat32:
      ForEach<float>(bytes, [&](float element) {
        AppendFloat(out, element);
        out += ", ";
      });
      break;
    case Storage::kFloat16:
      ForEach<uint16_t>(bytes, [&](uint16_t half) {
        AppendFloat(out, FloatFromHalf(half));
        out += ", ";
      });
      break;
    case Storage::kBool8:
      for (uint8_t element : bytes) out += element != 0 ? "True, " : "False, ";
      break;
    case Storage::kInt32:
      AppendInts<int32_t>(out, bytes);
      break;
    case Storage::kUint32:
      AppendInts<uint32_t>(out, bytes);
      break;
    case Storage::kUint8:
      AppendInts<uint8_t>(out, bytes);
      break;
    case Storage::kInt8:
      AppendInts<int8_t>(out, bytes);
      break;
    case Storage::kUint16:
      AppendInts<uint16_t>(out, bytes);
      break;
    case Storage::kInt16:
      AppendInts<int16_t>(out, bytes);
      break;
    case Storage::kNone:
      break;
  }
  if (out.size() > empty) out.resize(out.size() - 2);  // the last ", "
  out += ']';
}

void AppendDims(std::string& out, const Dims& dims) {
  out += '[';
  for (size_t i = 0; i < dims.size(); ++i) absl::StrAppend(&out, i == 0 ? "" : ", ", dims[i]);
  out += ']';
}

void AppendHex(std::string& out, const Bytes& bytes) {
  absl::StrAppend(&out, "bytes.fromhex(\"");
  constexpr char kDigits[] = "0123456789abcdef";
  for (uint8_t byte : bytes) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  out += "\")";
}

}  // namespace assay
