#include <cmath>
#include <cstdio>

#include "exact_math.h"
#include "samples.h"

namespace sinew::samples {
namespace {

constexpr double length = 1.0, radius = 0.1;

const std::vector<std::string> animated{"lower", "upper"};

Clip bend(const Skeleton& skeleton, const std::string& name, double degrees) {
  const Curve angle{{0.1, 0}, {0.6, degrees}, {2.1, degrees}};
  return sample_clip(name, skeleton, 63, animated,
                     [&](double time, Pose& pose) { pose.rotate("upper", turn_x(angle(time))); });
}

Clip shake(const Skeleton& skeleton) {
  // Shaken at 4 Hz for a second, then stopped dead.
  const Curve amount{{0.1, 0}, {0.35, 1}, {0.95, 1}, {1.1, 0}, {3.6, 0}};
  return sample_clip("shake", skeleton, 108, animated, [&](double time, Pose& pose) {
    const double swing = amount(time) * sine(2 * pi * 4 * (time - 0.1));
    pose.root_offset = {0.06 * swing, 0, 0};
    pose.rotate("lower", turn_z(-9 * swing));
  });
}

}  // namespace

Sample make_tube() {
  Sample sample;
  sample.name = "tube";
  sample.materials = {{"rubber", {0.16, 0.42, 0.62}, 0.55}};
  sample.skeleton.add("lower", "", {0, 0, 0});
  sample.skeleton.add("upper", "lower", {0, length / 2, 0});

  Design design;
  design.solid.unite(round_cone({0, radius, 0}, radius, {0, length - radius, 0}, radius), 0);
  design.cell = 0.012;
  design.sizing.base = 0.0208;
  design.bones = {{0, {0, 0.03, 0}, {0, length / 2 - 0.06, 0}, 0.04},
                  {1, {0, length / 2 + 0.06, 0}, {0, length - 0.03, 0}, 0.04}};
  design.weight_cell = 0.0125;
  std::puts(build_surface(design, sample).c_str());

  sample.clips = {bend(sample.skeleton, "bend_90", 90), bend(sample.skeleton, "bend_135", 135), shake(sample.skeleton)};
  return sample;
}

}  // namespace sinew::samples
