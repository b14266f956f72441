#include "sinew/cook/rig_space/rig_space_scene.h"

#include <array>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/character/fingerprint.h"
#include "sinew/deform/rig_space/rig_space_deformer.h"
#include "sinew/deform/settings_fingerprint.h"
#include "sinew/files/fixed_keys_json.h"
#include "sinew/files/keys_json.h"
#include "sinew/rig/skeleton_rig.h"

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

// A copy of the rig, so that deformers on several threads do not share work space. Rigs outside cannot be copied.
std::shared_ptr<Rig> own_copy(const std::shared_ptr<Rig>& rig) {
  const auto* of_character = dynamic_cast<const CharacterRig*>(rig.get());
  return of_character ? std::make_shared<CharacterRig>(*of_character) : rig;
}

RigSpacePieces pieces_of(const CookedRigSpace& cooked, const RigSpaceSettings& settings) {
  RigSpacePieces pieces{cooked.body,     cooked.rig,    cooked.whole_rig, cooked.free,
                        cooked.dynamics, settings.step, settings.adaptive};
  if (cooked.material.frequency > 0) pieces.period = 1 / cooked.material.frequency;
  pieces.height = cooked.height;
  return pieces;
}

}  // namespace

FixedKeys read_fixed_keys(const CookedRigSpace& cooked, const RigSpaceSettings& settings) {
  FixedKeys keys = fixed_keys_of_setting(settings.keys);
  const std::vector<ControlRange> controls = rig_space_curves(pieces_of(cooked, settings));
  for (const auto& [clip, stretches] : keys.clips)
    if (const std::string wrong = complaint_about(stretches, controls); !wrong.empty())
      throw input_error(keys_file(settings.keys) + ": clip '" + clip + "': " + wrong);
  return keys;
}

Scene rig_space_scene(std::shared_ptr<const CookedRigSpace> cooked, const RigSpaceSettings& settings, FixedKeys keys) {
  Scene scene{"rigspace", "simulating", {cooked, &cooked->surface}, cooked->surface.bones};
  for (const RigParameter& parameter : cooked->rig->parameters()) scene.rest_controls.push_back(parameter.rest);
  if (cooked->own)
    scene.pose_joints = [own = cooked->own](std::span<const double> p, std::span<Affine> joints) {
      own->pose_joints(p, joints);
    };
  scene.curves = cooked->free;
  scene.height = cooked->height;
  scene.fingerprint = fingerprint(*cooked, settings, scene.rest_controls);
  RigSpaceSettings unkeyed = settings;
  unkeyed.keys.clear();
  scene.unkeyed_fingerprint = fingerprint(*cooked, unkeyed, scene.rest_controls);
  scene.fixed_keys = std::move(keys);
  scene.bare = [cooked, pieces = pieces_of(*cooked, settings)] {
    RigSpacePieces own = pieces;
    own.rig = own_copy(pieces.rig);
    own.whole_rig = own_copy(pieces.whole_rig);
    return rig_space_deformer(std::move(own));
  };
  return scene;
}

}  // namespace sinew
