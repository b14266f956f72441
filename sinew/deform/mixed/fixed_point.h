// Fixed-point iteration x = G(x) for maps that are costly to evaluate (Anderson 1965).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

// Anderson acceleration: the next point is the combination of the last few whose residual G(x) - x is least. Serial and
// in a fixed order: the same bits for any number of threads.
class FixedPointAcceleration {
 public:
  // Computes the point to evaluate next, given G(point) = image. `next` may be `point`.
  void propose(std::span<const double> point, std::span<const double> image, std::span<double> next);

  // Forgets all steps; call it when the map has changed.
  void restart();

 private:
  static constexpr std::size_t most_steps = 5;

  std::vector<double> last_image_, last_change_;
  std::vector<std::vector<double>> images_, changes_;  // differences between steps, the oldest first
};

}  // namespace sinew
