// Fixed points of maps that are costly to evaluate, x = G(y) with y = x in the end (Anderson 1965).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

// Anderson's acceleration: of the last few steps the combination whose change x - y is least says where to go next.
// Serial and in a fixed order: the same bits for any number of threads.
class FixedPointAcceleration {
 public:
  // Where to evaluate next, after G(point) = image. `next` may be `point`.
  void propose(std::span<const double> point, std::span<const double> image, std::span<double> next);

  // Forgets all steps, where the map has changed.
  void restart();

 private:
  static constexpr std::size_t most_steps = 5;

  std::vector<double> last_image_, last_change_;
  std::vector<std::vector<double>> images_, changes_;  // differences between steps, the oldest first
};

}  // namespace sinew
