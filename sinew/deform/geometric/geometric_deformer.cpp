#include "sinew/deform/geometric/geometric_deformer.h"

#include <algorithm>
#include <vector>

#include "sinew/rig/linear_blend.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

DeformerTraits geometric_traits() {
  DeformerTraits traits;
  traits.has_volume = false;
  return traits;
}

// Per vertex: all of it to the bone that has most of it.
std::vector<Influences> strongest(const std::vector<Influences>& influences) {
  std::vector<Influences> result(influences.size());
  for (std::size_t v = 0; v < influences.size(); ++v) {
    if (influences[v].count == 0) continue;
    result[v].count = 1;
    result[v].joint[0] = influences[v].joint[0];
    result[v].weight[0] = 1;
  }
  return result;
}

class GeometricDeformer final : public Deformer {
 public:
  GeometricDeformer(GeometricSkinning skinning, const SimulationSurface& surface)
      : surface_(surface), traits_(geometric_traits()), displacement_(surface.rest.positions.size()) {
    if (skinning == GeometricSkinning::rigid) influences_ = strongest(surface.influences);
  }

  const DeformerTraits& traits() const override { return traits_; }
  void reset(const RigState& rig, const RigState&) override { advance(rig, {}); }

  void advance(const RigState& rig, const Environment&) override {
    if (influences_.empty()) return;
    const std::vector<Vec3>& rest = surface_.rest.positions;
    std::vector<Vec3> by_rig(rest.size());
    goal(rig, by_rig);
    linear_blend(rest, influences_, rig.bones, displacement_);
    for (std::size_t v = 0; v < rest.size(); ++v) displacement_[v] -= by_rig[v];
  }

  void goal(const RigState& rig, std::span<Vec3> surface) override {
    pose_points(skin_of(surface_), rig.bones, surface);
  }
  void displacements(const RigState&, double, std::span<Vec3> surface) override {
    std::copy(displacement_.begin(), displacement_.end(), surface.begin());
  }
  std::span<const Vec3> points() const override { return displacement_; }
  void save(Snapshot&) const override {}
  void load(const Snapshot&, const RigState&, double) override {}

 private:
  const SimulationSurface& surface_;
  DeformerTraits traits_;
  std::vector<Influences> influences_;  // of rigid skinning; empty: the surface's own skinning
  std::vector<Vec3> displacement_;
};

}  // namespace

SkinningKind kind_of(GeometricSkinning skinning) {
  switch (skinning) {
    case GeometricSkinning::dual_quaternion:
      return SkinningKind::dual_quaternion;
    case GeometricSkinning::volume:
      return SkinningKind::volume;
    case GeometricSkinning::implicit:
      return SkinningKind::implicit;
    default:
      return SkinningKind::linear;
  }
}

std::unique_ptr<Deformer> geometric_deformer(GeometricSkinning skinning, const SimulationSurface& surface) {
  return std::make_unique<GeometricDeformer>(skinning, surface);
}

}  // namespace sinew
