#include "sinew/contact/obstacles.h"

namespace sinew {

ContactLengths contact_lengths(double extent) { return {1e-10 * extent, 0.02 * extent, 0.1 * extent}; }

double largest_extent(std::span<const Vec3> rest) {
  if (rest.empty()) return 0;
  Vec3 least = rest.front(), most = least;
  for (const Vec3& x : rest) {
    least = min(least, x);
    most = max(most, x);
  }
  return std::max({most.x - least.x, most.y - least.y, most.z - least.z});
}

}  // namespace sinew
