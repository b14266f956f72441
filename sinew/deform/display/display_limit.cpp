#include "sinew/deform/display/display_limit.h"

#include <cmath>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr double seen_shortening = 1 / 0.9;

}  // namespace

double limit_displacements(std::span<const double> limit, double driven, std::span<Vec3> displacement,
                           double untouched) {
  const auto shorten = [&](std::size_t v) {
    const double most = limit[v], from = driven + untouched * most, room = (1 - untouched) * most;
    const double length = norm(displacement[v]), beyond = length - from;
    if (!(beyond > 0)) return false;
    const double shown = from + (most > 0 ? beyond / std::sqrt(1 + beyond * beyond / (room * room)) : 0);
    displacement[v] *= shown / length;
    return length > seen_shortening * shown;
  };
  const double shortened = ordered_sum(limit.size(), 1024, [&](std::size_t begin, std::size_t end) {
    int count = 0;
    for (std::size_t v = begin; v < end; ++v) count += shorten(v) ? 1 : 0;
    return static_cast<double>(count);
  });
  return limit.empty() ? 0 : shortened / static_cast<double>(limit.size());
}

}  // namespace sinew
