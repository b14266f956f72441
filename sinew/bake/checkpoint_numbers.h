// A method's state as the numbers of a checkpoint: put in and taken out in the same order.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/linalg/small.h"

namespace sinew {

inline void append_vectors(std::vector<double>& numbers, std::span<const Vec3> vectors) {
  for (const Vec3& v : vectors) numbers.insert(numbers.end(), {v.x, v.y, v.z});
}

// Throws input_error that names `file` where there are fewer numbers than are taken, or, when all were, more.
class CheckpointNumbers {
 public:
  CheckpointNumbers(std::span<const double> numbers, std::string file) : rest_(numbers), file_(std::move(file)) {}

  std::vector<double> numbers(std::size_t count) {
    if (rest_.size() < count) throw another();
    std::vector<double> result(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(count));
    rest_ = rest_.subspan(count);
    return result;
  }
  double number() { return numbers(1)[0]; }
  std::vector<Vec3> vectors(std::size_t count) {
    const std::vector<double> flat = numbers(3 * count);
    std::vector<Vec3> result(count);
    for (std::size_t v = 0; v < count; ++v) result[v] = {flat[3 * v], flat[3 * v + 1], flat[3 * v + 2]};
    return result;
  }

  void finish() const {
    if (!rest_.empty()) throw another();
  }

 private:
  Error another() const {
    return input_error(file_ + ": the checkpoint holds another body's state; start again without --resume.");
  }

  std::span<const double> rest_;
  std::string file_;
};

// The numbers as that many vectors and nothing else; throws as above.
inline std::vector<Vec3> checkpoint_vectors(std::span<const double> numbers, std::size_t count, const std::string& file) {
  CheckpointNumbers take(numbers, file);
  std::vector<Vec3> vectors = take.vectors(count);
  take.finish();
  return vectors;
}

}  // namespace sinew
