#include "sinew/cook/rig_space/rig_space_scene.h"

#include <array>
#include <utility>

#include "sinew/character/fingerprint.h"
#include "sinew/deform/rig_space/rig_space_deformer.h"
#include "sinew/deform/settings_fingerprint.h"

namespace sinew {
namespace {

std::uint64_t fingerprint(const CookedRigSpace& cooked, const RigSpaceSettings& settings,
                          std::span<const double> rest) {
  const RigSpaceBody& body = *cooked.body;
  Fingerprint print;
  print.add(body.mesh.positions).add(body.mass).add(body.material.shear).add(body.material.lambda);
  print.add(body.interior.column).add(body.interior.value).add(body.correction.rest.value);
  print.add(cooked.free).add(rest);
  const RigSpaceDynamics& d = cooked.dynamics;
  print.add(d.range).add(std::array{d.stiffness_damping, d.mass_damping, d.limit_start, d.tolerance});
  add_settings(print, settings_of(settings));
  return print.value();
}

}  // namespace

Scene rig_space_scene(std::shared_ptr<const CookedRigSpace> cooked, const RigSpaceSettings& settings) {
  Scene scene{"rigspace", "simulating", {cooked, &cooked->surface}, cooked->surface.bones};
  for (const RigParameter& parameter : cooked->rig->parameters()) scene.rest_controls.push_back(parameter.rest);
  if (cooked->own)
    scene.pose_joints = [own = cooked->own](std::span<const double> p, std::span<Affine> joints) {
      own->pose_joints(p, joints);
    };
  scene.curves = cooked->free;
  scene.height = cooked->height;
  scene.fingerprint = fingerprint(*cooked, settings, scene.rest_controls);
  scene.bare = [cooked, step = settings.step, adaptive = settings.adaptive] {
    RigSpacePieces pieces{cooked->body, cooked->rig, cooked->whole_rig, cooked->free, cooked->dynamics, step, adaptive};
    if (cooked->material.frequency > 0) pieces.period = 1 / cooked->material.frequency;
    pieces.height = cooked->height;
    return rig_space_deformer(std::move(pieces));
  };
  return scene;
}

}  // namespace sinew
