// The tube on two joints, skinned by any kind, bent and twisted.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/rig/skinned_points.h"
#include "tests/character/two_bones.h"

namespace sinew::test {

inline constexpr SkinningKind every_skinning[] = {SkinningKind::linear, SkinningKind::dual_quaternion,
                                                  SkinningKind::volume, SkinningKind::implicit};

// One metre high, 0.24 m thick; weights change smoothly over the middle fifth.
inline SimulationSurface skinned_tube(SkinningKind kind, int along = 48, int around = 32) {
  SimulationSurface surface = simulation_surface(two_bone_tube(along, around, 1, 0.12, [](double height) {
    const double t = std::clamp((height - 0.4) / 0.2, 0.0, 1.0);
    return t * t * (3 - 2 * t);
  }));
  set_skinning(kind, surface);
  return surface;
}

// The upper bone turned about the joint: by `bend` radians to the side, then by `twist` about the tube.
inline std::vector<Affine> bent_tube(double bend, double twist = 0) {
  const Mat3 turn = to_matrix(axis_angle({0, 0, 1}, bend)) * to_matrix(axis_angle({0, 1, 0}, twist));
  const Vec3 joint{0, 0.5, 0};
  return {Affine{}, Affine{turn, joint - turn * joint}};
}

inline std::vector<Vec3> posed(const SimulationSurface& surface, std::span<const Affine> bones) {
  std::vector<Vec3> positions(surface.rest.positions.size());
  pose_points(skin_of(surface), bones, positions);
  return positions;
}

}  // namespace sinew::test
