#include "sinew/deform/flesh/display_limit.h"

#include <cmath>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr double seen_shortening = 1 / 0.9;

}  // namespace

double limit_displacements(std::span<const double> limit, double ease, std::span<Vec3> displacement) {
  const double left = 1 - ease;
  const auto shorten = [&](std::size_t v) {
    const double squared = squared_norm(displacement[v]);
    if (squared == 0) return false;
    const double stretch = limit[v] > 0 ? std::sqrt(1 + left * left * squared / (limit[v] * limit[v])) : 0;
    displacement[v] = limit[v] > 0 ? displacement[v] / stretch : Vec3{};
    return !(limit[v] > 0) || stretch > seen_shortening;
  };
  const double shortened = ordered_sum(limit.size(), 1024, [&](std::size_t begin, std::size_t end) {
    int count = 0;
    for (std::size_t v = begin; v < end; ++v) count += shorten(v) ? 1 : 0;
    return static_cast<double>(count);
  });
  return limit.empty() ? 0 : shortened / static_cast<double>(limit.size());
}

}  // namespace sinew
