#include "sinew/anatomy/skin_limbs.h"

#include <algorithm>

#include "sinew/base/index.h"

namespace sinew {
namespace {

// A vertex belongs to a limb with this share of its weight, and a triangle may with that share at a corner.
constexpr double nearly_all = 0.9, most_of_it = 0.5;

}  // namespace

SkinLimbs skin_limbs(const SimulationSurface& surface, std::span<const int> limb) {
  const std::size_t vertices = surface.rest.positions.size();
  const int most = limb.empty() ? -1 : *std::max_element(limb.begin(), limb.end());
  SkinLimbs result{std::vector<int>(vertices, -1), std::vector<std::vector<int>>(index(most + 1))};
  const auto share = [&](int vertex, auto belongs) {
    double sum = 0;
    const Influences& influences = surface.influences[index(vertex)];
    for (std::size_t k = 0; k < index(influences.count); ++k)
      if (belongs(limb[index(influences.joint[k])])) sum += influences.weight[k];
    return sum;
  };
  for (int number = 0; number <= most; ++number) {
    for (std::size_t v = 0; v < vertices; ++v)
      if (share(static_cast<int>(v), [&](int each) { return each == number; }) > nearly_all)
        result.of_vertex[v] = number;
    for (std::size_t t = 0; t < surface.rest.triangles.size(); ++t) {
      const Triangle& corners = surface.rest.triangles[t];
      if (std::any_of(corners.begin(), corners.end(), [&](int v) {
            return share(v, [&](int each) { return each == number || each < 0; }) > most_of_it;
          }))
        result.triangles[index(number)].push_back(static_cast<int>(t));
    }
  }
  return result;
}

}  // namespace sinew
