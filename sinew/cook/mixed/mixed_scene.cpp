#include "sinew/cook/mixed/mixed_scene.h"

#include <array>
#include <utility>

#include "sinew/character/fingerprint.h"
#include "sinew/cook/body_cells.h"
#include "sinew/cook/keep_rigid.h"
#include "sinew/deform/mixed/mixed_deformer.h"
#include "sinew/deform/settings_fingerprint.h"
#include "sinew/files/handles_json.h"
#include "sinew/files/rotations_file.h"

namespace sinew {
namespace {

std::uint64_t fingerprint(const CookedMixed& cooked, const MixedSettings& settings) {
  const MixedBody& body = *cooked.body;
  Fingerprint print;
  print.add(body.rest).add(body.samples.volume).add(body.samples.shear).add(body.samples.lambda).add(body.skew_modulus);
  print.add(body.pins.held).add(body.pins.tied).add(body.pins.spring);
  print.add(cooked.pins.bone).add(cooked.weights.bone).add(cooked.weights.weight).add(cooked.mass);
  for (const EmbeddedPoint& point : cooked.embedding.points) print.add(point.weights);
  for (const Bone& bone : cooked.bones) print.add(std::array{bone.rest_to_joint});
  add_settings(print, settings_of(settings));
  return print.value();
}

}  // namespace

Scene mixed_scene(std::shared_ptr<const CookedMixed> cooked, const MixedSettings& settings) {
  Scene scene{"mixed", "posing", {cooked, &cooked->surface}, cooked->bones};
  scene.acting = {settings.ground, settings.colliders, {}, {}, settings.loads};
  const bool keeps_size = settings.gravity || !scene.acting.empty();
  scene.acting.handles = handles_of_setting(settings.handles);
  if (!settings.rotations.empty())
    scene.acting.rotations = std::make_shared<const ElementRotations>(
        read_rotations_file(settings.rotations, cooked->mesh.tetrahedra.size()));
  scene.keyed_until = last_key_time(scene.acting.handles);
  scene.height = cooked->height;
  scene.fingerprint = fingerprint(*cooked, settings);
  scene.cells = [cooked] { return edges_of(cooked->mesh); };
  if (!settings.gravity) scene.gravity = {};
  scene.bare = [cooked, keeps_size, gravity = settings.gravity] {
    constexpr Vec3 down{0, -9.81, 0};  // m/s^2
    MixedPieces pieces{cooked->body,    cooked->mesh, cooked->embedding, cooked->surface.rest,
                       cooked->weights, cooked->pins, cooked->movers};
    pieces.held_pins = cooked->pinning == Pinning::held ? cooked->pins.vertex.size() : cooked->handle_pins;
    pieces.mass = cooked->mass;
    if (gravity) pieces.gravity = down;
    pieces.keeps_size = keeps_size;
    for (const Bone& bone : cooked->bones) pieces.bones.push_back(bone.name);
    return mixed_deformer(std::move(pieces));
  };
  return keeping_rigid(std::move(scene), keeps_size);
}

}  // namespace sinew
