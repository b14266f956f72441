#include "sinew/deform/flesh/display_limit.h"

#include <cmath>

#include "sinew/base/parallel.h"

namespace sinew {

void limit_displacements(std::span<const double> limit, double ease, std::span<Vec3> displacement) {
  const double left = 1 - ease;
  parallel_for(limit.size(), 1024, [&](std::size_t v) {
    const double squared = squared_norm(displacement[v]);
    if (squared == 0) return;
    displacement[v] = limit[v] > 0 ? displacement[v] / std::sqrt(1 + left * left * squared / (limit[v] * limit[v])) : Vec3{};
  });
}

}  // namespace sinew
