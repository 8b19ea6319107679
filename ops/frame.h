// What an evaluation reads and writes: views of a call's tensors in one numeric domain, and its scratch memory.
#pragma once
#include <cstdint>
#include <span>

#include "model/shape.h"
#include "model/status.h"
#include "ops/argument.h"

namespace assay {

// A dense row-major tensor that someone else owns.
template <class T>
struct View {
  T* data = nullptr;
  const Dims* dims = nullptr;
  size_t size = 0;  // elements

  T& operator[](size_t i) const { return data[i]; }
  size_t rank() const { return dims->size(); }
  size_t dim(size_t i) const { return (*dims)[i]; }
  T* begin() const { return data; }
  T* end() const { return data + size; }
};

// T is a numeric domain (inputs are real numbers, dequantized), or, for operations that only move data, an unsigned
// integer as wide as the element (inputs are codes), or Bounded for both.
template <class T>
class Frame {
 public:
  Frame(std::span<const View<const T>> inputs, std::span<const View<T>> outputs, std::span<T> scratch, T zero)
      : inputs_(inputs), outputs_(outputs), scratch_(scratch), zero_(zero) {}

  const View<const T>& operator()(const In& in) const { return inputs_[in.index()]; }
  const View<T>& operator()(const Out& out) const { return outputs_[out.index()]; }
  // `count` elements, uninitialized, that live until the evaluation ends. The sum of all must not exceed what the
  // operation's ScratchElements() said at prepare.
  std::span<T> Scratch(size_t count) {
    ASSAY_CHECK(count <= scratch_.size(), "an operation asked for more scratch than it declared");
    std::span<T> mine = scratch_.first(count);
    scratch_ = scratch_.subspan(count);
    return mine;
  }
  // What stands for the real number 0: the first input's zero point where elements are codes.
  T Zero() const { return zero_; }

 private:
  std::span<const View<const T>> inputs_;
  std::span<const View<T>> outputs_;
  std::span<T> scratch_;
  T zero_;
};

}  // namespace assay
