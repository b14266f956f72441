// Writes a deformer's state to the numbers of a snapshot, and reads and validates it in the same order. Errors are
// input_error without the name of a file.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/linalg/small.h"

namespace sinew {

inline void append_vectors(std::vector<double>& numbers, std::span<const Vec3> vectors) {
  for (const Vec3& v : vectors) numbers.insert(numbers.end(), {v.x, v.y, v.z});
}

// Error for a state that no run can have written; `what` names the wrong quantity.
inline Error forged_state(const std::string& what) {
  return input_error("the checkpoint is no state of this run (" + what +
                     " cannot be so); start again without --resume.");
}

// Throws forged_state() unless all numbers are finite and at most `largest` in magnitude.
inline void check_within(std::span<const double> numbers, double largest, const char* what) {
  for (const double number : numbers)
    if (!(std::abs(number) <= largest)) throw forged_state(what);
}
inline void check_within(std::span<const Vec3> vectors, double largest, const char* what) {
  for (const Vec3& v : vectors)
    if (!(std::abs(v.x) <= largest && std::abs(v.y) <= largest && std::abs(v.z) <= largest)) throw forged_state(what);
}

// Reads numbers in sequence. Throws if there are too few, and in finish() if some are left.
class SnapshotNumbers {
 public:
  explicit SnapshotNumbers(std::span<const double> numbers) : rest_(numbers) {}

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
  std::size_t left() const { return rest_.size(); }
  void finish() const {
    if (!rest_.empty()) throw another();
  }

 private:
  static Error another() {
    return input_error("the checkpoint holds another body's state; start again without --resume.");
  }

  std::span<const double> rest_;
};

}  // namespace sinew
