#include "studies/skinning/fold_paths.h"

#include <array>
#include <chrono>
#include <cmath>

#include "sinew/rig/dual_quaternion.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

// The latest three poses, the newest first.
struct LatestPoses {
  std::array<std::vector<Vec3>, 3> x;
  std::vector<Vec3>& next() {
    std::swap(x[2], x[1]);
    std::swap(x[1], x[0]);
    x[0].resize(x[1].size());
    return x[0];
  }
  void add_first_differences(double degrees, LargestDifference& largest) const {
    for (std::size_t v = 0; v < x[1].size(); ++v)
      if (const double size = distance(x[0][v], x[1][v]); size > largest.size) largest = {size, v, degrees};
  }
  void add_second_differences(double degrees, LargestDifference& largest) const {
    for (std::size_t v = 0; v < x[2].size(); ++v)
      if (const double size = norm(x[0][v] - 2 * x[1][v] + x[2][v]); size > largest.size) largest = {size, v, degrees};
  }
};

}  // namespace

FoldPaths fold_paths(const Skeleton& skeleton, const SimulationSurface& surface, const ImplicitSkin& skin,
                     const Bend& fold, double step) {
  FoldPaths paths{fold.name, standing_height(surface), {}, {}, {}, {}, {}, 0};
  const double full = fold.turns.front().degrees;
  const auto steps = static_cast<int>(std::floor(full / step + 1e-9));
  LatestPoses linear, rigid, implicit;
  for (int k = 0; k <= steps; ++k) {
    const double degrees = k * step;
    const std::vector<Affine> bones = bent_bones(skeleton, surface.bones, surface.bones, fold, degrees / full);
    const std::size_t count = surface.rest.positions.size();
    std::vector<Vec3>&a = linear.next(), &b = rigid.next(), &c = implicit.next();
    a.resize(count), b.resize(count);
    linear_blend(surface.rest.positions, surface.influences, bones, a);
    const auto begin = std::chrono::steady_clock::now();
    dual_quaternion_blend(surface.rest.positions, surface.influences, bones, b);
    c = b;
    project_skin(skin, bones, c);
    paths.microseconds += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    if (k < 1) continue;
    linear.add_first_differences(degrees, paths.linear_step);
    implicit.add_first_differences(degrees, paths.implicit_step);
    if (k < 2) continue;
    linear.add_second_differences(degrees - step, paths.linear);
    rigid.add_second_differences(degrees - step, paths.dual_quaternion);
    implicit.add_second_differences(degrees - step, paths.implicit);
  }
  paths.microseconds /= steps + 1;
  return paths;
}

}  // namespace sinew
