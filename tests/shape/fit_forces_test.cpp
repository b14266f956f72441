// Forces found from the shape that they make.
#include "sinew/shape/fit_forces.h"

#include <gtest/gtest.h>

#include "sinew/shape/force_template.h"
#include "tests/deform/bars.h"

namespace sinew {
namespace {

using namespace test;

TEST(FitForces, TheSkinIsDisplacedAsBySmoothHiddenForces) {
  const Bar bar;
  const auto body = tetrahedral_shape_body(cooked_bar(bar), TissueLaw{});
  body->set_pose(bar_pose(bar, moved({})));
  const Vec3 centre{0.45, 0.05, 0};
  const auto hidden = body->integrate({[&](const Vec3& x) {
                                         return Vec3{0, 2e4 * bell(distance(x, centre), 0.1), 0};
                                       },
                                       centre, 0.1, 0.1});
  const auto on_skin = [&](std::span<const PointForce> forces) {
    std::vector<Vec3> skin(body->skin().rows());
    multiply(body->skin(), body->displacements(forces), skin);
    return skin;
  };
  const std::vector<Vec3> target = on_skin(hidden), found = on_skin(forces_for_skin(*body, target));
  double most = 0, off = 0;
  for (std::size_t s = 0; s < target.size(); ++s) {
    most = std::max(most, norm(target[s]));
    off = std::max(off, distance(target[s], found[s]));
  }
  EXPECT_GT(most, 1e-3);
  EXPECT_LT(off, 0.05 * most);
  EXPECT_TRUE(forces_for_skin(*body, std::vector<Vec3>(target.size())).empty());
}

}  // namespace
}  // namespace sinew
