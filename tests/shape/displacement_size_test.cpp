#include "sinew/shape/displacement_size.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/shape/shape_forces.h"
#include "tests/shape/skinned_bar.h"

namespace sinew {
namespace {

using test::SkinnedBar;

constexpr double pushed = 0.004;  // metres

struct BarWithBones : SkinnedBar {
  BarWithBones() { surface.bones.resize(2); }
};

// A bump on the bar's upper side, sized by its displacement, that neither carries the flesh along the bar nor turns it
// about its core.
ShapeRig bump_at(double x, double displacement) {
  ShapeRig rig;
  rig.name = "bump";
  rig.guide.kind = GuideKind::free;
  rig.by_displacement = true;
  rig.balance = 2;
  rig.controls = {"push"};
  std::vector<double> eta = usual_parameters(rig);
  const std::vector<ShapeParameter> rows = parameters_of(rig);
  eta[amplitude_parameter] = displacement;
  eta[find_parameter(rows, "radius")] = 0.06;
  eta[find_parameter(rows, "x")] = x;
  eta[find_parameter(rows, "y")] = 0.05;
  rig.samples = {{{1}, eta}};
  return rig;
}

double reach_under(const std::vector<ShapeRig>& rigs, SkinnedBar& bar) {
  std::vector<Vec3> sum(bar.shape->points());
  for (const ShapeRig& rig : rigs) add_forces(sampled_forces(rig, bar.surface, *bar.shape).back().force, 1, sum);
  const std::vector<Vec3> moved = bar.shape->displacements(nonzero_forces(sum));
  double most = 0;
  for (std::size_t s = 0; s < bar.shape->skin().rows(); ++s)
    most = std::max(most, norm(row_times(bar.shape->skin(), s, moved)));
  return most;
}

TEST(DisplacementSize, RigsOnOnePlaceShareTheSizeThatEachWouldHave) {
  BarWithBones bar;
  const double middle = bar.bar.length / 2;
  const std::vector<ShapeRig> rigs{bump_at(middle, pushed), bump_at(middle, pushed)};
  EXPECT_GT(reach_under(rigs, bar), 1.3 * pushed) << "each one by itself";
  const std::vector<ShapeRig> sized = sized_together(rigs, bar.surface, *bar.shape);
  EXPECT_NEAR(reach_under(sized, bar), pushed, 0.005 * pushed);
  EXPECT_NEAR(sized[0].samples[0].eta[amplitude_parameter], sized[1].samples[0].eta[amplitude_parameter], 1e-12);
}

TEST(DisplacementSize, RigsThatWorkAgainstEachOtherArePushedHarder) {
  BarWithBones bar;
  const double middle = bar.bar.length / 2;
  const std::vector<ShapeRig> rigs{bump_at(middle, pushed), bump_at(middle + 0.03, -0.5 * pushed)};
  const std::vector<ShapeRig> sized = sized_together(rigs, bar.surface, *bar.shape);
  EXPECT_NEAR(reach_under(sized, bar), pushed, 0.005 * pushed);
  const double factor = sized[0].samples[0].eta[amplitude_parameter] / pushed;
  EXPECT_GT(factor, 1);
  EXPECT_NEAR(sized[1].samples[0].eta[amplitude_parameter], -0.5 * pushed * factor, 1e-12) << "by the same factor";
}

TEST(DisplacementSize, RigsFarApartKeepTheirSizes) {
  BarWithBones bar;
  const std::vector<ShapeRig> rigs{bump_at(0.25 * bar.bar.length, pushed),
                                   bump_at(0.75 * bar.bar.length, 0.5 * pushed)};
  const std::vector<ShapeRig> sized = sized_together(rigs, bar.surface, *bar.shape);
  for (std::size_t r = 0; r < 2; ++r) EXPECT_EQ(sized[r].samples[0].eta, rigs[r].samples[0].eta) << "not a bit changes";
}

TEST(DisplacementSize, RigsByForceAreRefused) {
  BarWithBones bar;
  std::vector<ShapeRig> rigs{bump_at(0.3, pushed), bump_at(0.4, pushed)};
  rigs[1].by_displacement = false;
  EXPECT_THROW(sized_together(rigs, bar.surface, *bar.shape), Error);
}

}  // namespace
}  // namespace sinew
