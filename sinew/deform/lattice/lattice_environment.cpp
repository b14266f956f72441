#include "sinew/deform/lattice/lattice_environment.h"

#include "sinew/contact/outside_forces.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {

Vec3 change_of_gravity(const LatticeBody& body, const Environment& environment) {
  return environment.gravity ? *environment.gravity - body.dynamics.gravity : Vec3{};
}

ScratchVector<Vec3> forces_of(const LatticeBody& body, const Environment& environment) {
  ScratchVector<Vec3> forces;
  if (environment.loads.empty() && !environment.gravity) return forces;
  const LatticeDescription& d = body.description;
  forces.resize(d.role.size());
  add_weight(d.weight, change_of_gravity(body, environment), forces);
  for (const Load& load : environment.loads) {
    const ScratchVector<double> share = load_shares(d.surface_rest, load);
    for (std::size_t s = 0; s < share.size(); ++s) {
      if (share[s] == 0) continue;
      for (auto e = static_cast<std::size_t>(d.surface.start[s]); e < static_cast<std::size_t>(d.surface.start[s + 1]);
           ++e)
        forces[static_cast<std::size_t>(d.surface.column[e])] += (share[s] * d.surface.value[e]) * load.force;
    }
  }
  return forces;
}

void predict_surface_offsets(const LatticeBody& body, std::span<const Affine> bones, const LatticePose& pose,
                             std::vector<Vec3>& offset) {
  const LatticeDescription& d = body.description;
  offset.assign(d.surface.rows(), {});
  if (body.reference == LatticeReference::elastic) return;
  ScratchVector<Vec3> goal(offset.size());
  pose_points(skin_of(d.surface_rest, d.surface_influences, d.skinning), bones, goal);
  multiply(d.surface, pose.functions.goal, offset);
  for (std::size_t s = 0; s < offset.size(); ++s) offset[s] = goal[s] - offset[s];
}

Vec3 place_of_point(const LatticeBody& body, const SurfacePoint& point, std::span<const Affine> bones,
                    std::span<const Vec3> position) {
  LatticePose pose;
  std::vector<Vec3> offset, place(1);
  predict_pose(body.description, bones, pose);
  predict_surface_offsets(body, bones, pose, offset);
  const HeldPoint held{point, {}, {}, {}};
  multiply(values_at_points(body.description.surface, {&held, 1}), position, place);
  for (std::size_t k = 0; k < 3; ++k)
    if (point.vertex[k] >= 0) place[0] += point.weight[k] * offset[static_cast<std::size_t>(point.vertex[k])];
  return place[0];
}

}  // namespace sinew
