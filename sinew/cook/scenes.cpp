#include "sinew/cook/scenes.h"

#include <array>
#include <cmath>
#include <numeric>

#include "sinew/character/fingerprint.h"
#include "sinew/cook/flesh/reach_of_flesh.h"
#include "sinew/cook/keep_rigid.h"
#include "sinew/deform/flesh/flesh_deformer.h"
#include "sinew/deform/mixed/mixed_deformer.h"
#include "sinew/deform/rig_space/rig_space_deformer.h"
#include "sinew/deform/settings_fingerprint.h"
#include "sinew/deform/surface/surface_deformer.h"

namespace sinew {
namespace {

// Of the flesh's own swing, as its look says it: parts of it swing more slowly.
constexpr double slowest_swing = 2;

// The cooked numbers tell the character and what was painted on it, the settings all that acts on them.
template <class Struct>
std::uint64_t with_settings(Fingerprint& print, Struct settings) {
  add_settings(print, settings_of(settings));
  return print.value();
}

std::uint64_t fingerprint(const FleshScene& scene, const FleshSettings& settings) {
  const FleshBody& body = *scene.body;
  const FleshDescription& d = body.description;
  Fingerprint print;
  print.add(d.mesh.positions).add(d.core).add(d.limit).add(d.keeps_rig_shape);
  print.add(body.mass).add(body.stiffness.block).add(body.damping.block);
  if (scene.lattice) {
    const LatticeDescription& lattice = scene.lattice->description;
    print.add(lattice.rest).add(lattice.cells.stiffness).add(lattice.cells.mass).add(lattice.cell_damping);
    print.add(lattice.surface.value).add(lattice.surface.column);
    print.add(std::array{scene.lattice->run.adaptation.most_functions});  // which a budget measures
  }
  for (const RigidGroup& group : scene.shape->rigid) print.add(group.vertices);
  for (const Influences& influences : d.influences) print.add(influences.joint).add(influences.weight);
  for (const EmbeddedPoint& point : d.embedding.points) print.add(point.weights);
  print.add(std::array{d.mass_damping, d.stiffness_damping});
  return with_settings(print, settings);
}

std::uint64_t fingerprint(const MixedScene& scene, const MixedSettings& settings) {
  const MixedBody& body = *scene.body;
  Fingerprint print;
  print.add(body.rest).add(body.samples.volume).add(body.samples.shear).add(body.samples.lambda).add(body.skew_modulus);
  print.add(body.pins.held).add(body.pins.tied).add(body.pins.spring);
  print.add(scene.pins.bone).add(scene.weights.bone).add(scene.weights.weight).add(scene.mass);
  for (const EmbeddedPoint& point : scene.embedding.points) print.add(point.weights);
  for (const Bone& bone : scene.bones) print.add(std::array{bone.rest_to_joint});
  return with_settings(print, settings);
}

std::uint64_t fingerprint(const RigSpaceScene& scene, const RigSpaceSettings& settings, std::span<const double> rest) {
  const RigSpaceBody& body = *scene.body;
  Fingerprint print;
  print.add(body.mesh.positions).add(body.mass).add(body.material.shear).add(body.material.lambda);
  print.add(body.interior.column).add(body.interior.value).add(body.correction.rest.value);
  print.add(scene.free).add(rest);
  const RigSpaceDynamics& d = scene.dynamics;
  print.add(d.range).add(std::array{d.stiffness_damping, d.mass_damping, d.limit_start, d.tolerance});
  return with_settings(print, settings);
}

// The model itself is told apart by the run-time's own state.
std::uint64_t fingerprint(const SimulationSurface& surface) {
  Fingerprint print;
  print.add(surface.rest.positions);
  for (const std::vector<int>& vertices : surface.vertex_of) print.add(vertices);
  for (const Bone& bone : surface.bones) print.add(std::array{bone.rest_to_joint});
  return print.value();
}

DeformerTraits flesh_traits(const FleshScene& scene, const FleshSettings& settings) {
  DeformerTraits traits;
  const bool lattice = scene.lattice != nullptr;
  traits.can = {.ground = true, .colliders = true, .held = true, .pokes = true, .gravity = true};
  traits.bounded = settings.colliders.empty();
  if (scene.material.frequency > 0) traits.period = slowest_swing / scene.material.frequency;
  const std::vector<double>& mass = scene.body->mass;
  traits.least_energy = least_energy(std::accumulate(mass.begin(), mass.end(), 0.0), scene.height);
  for (const Influences& influences :
       lattice ? scene.lattice->description.influences : scene.body->description.influences)
    traits.bone_of_point.push_back(influences.count > 0 ? influences.joint[0] : -1);
  return traits;
}

template <class Cooked>
std::shared_ptr<const SimulationSurface> surface_of(const std::shared_ptr<const Cooked>& cooked) {
  return {cooked, &cooked->surface};
}

}  // namespace

Scene flesh_scene(std::shared_ptr<const FleshScene> cooked, const FleshSettings& settings) {
  Scene scene{"flesh", "simulating", surface_of(cooked), cooked->surface.bones};
  scene.acting = {settings.ground, settings.colliders, settings.grabs, settings.belts, settings.pokes};
  scene.height = cooked->height;
  const FleshDescription& description = cooked->body->description;
  scene.hold_reach = hold_reach({cooked->map, description.mesh, description.embedding, cooked->height});
  scene.preroll = settings.preroll;
  scene.fingerprint = fingerprint(*cooked, settings);
  const std::vector<double>& mass = cooked->body->mass;
  scene.deformer = [cooked, settings, traits = flesh_traits(*cooked, settings),
                    whole = std::accumulate(mass.begin(), mass.end(), 0.0)] {
    return keeping_shape(flesh_deformer(make_flesh(*cooked, settings), surface_carrier(*cooked), cooked->surface,
                                        traits, whole, !settings.limit),
                         cooked->shape);
  };
  return scene;
}

Scene mixed_scene(std::shared_ptr<const MixedScene> cooked, const MixedSettings& settings) {
  Scene scene{"mixed", "posing", surface_of(cooked), cooked->bones};
  scene.acting = {settings.ground, settings.colliders, {}, {}, settings.pokes};
  scene.height = cooked->height;
  scene.fingerprint = fingerprint(*cooked, settings);
  const bool keeps_size = settings.gravity || !scene.acting.empty();
  scene.deformer = [cooked, keeps_size, gravity = settings.gravity] {
    constexpr Vec3 down{0, -9.81, 0};  // m/s^2
    MixedPieces pieces{cooked->body,         cooked->mesh,    cooked->embedding,
                       cooked->surface.rest, cooked->weights, cooked->pins};
    pieces.pins_are_held = cooked->pinning == Pinning::held;
    pieces.mass = cooked->mass;
    if (gravity) pieces.gravity = down;
    pieces.keeps_size = keeps_size;
    for (const Bone& bone : cooked->bones) pieces.bones.push_back(bone.name);
    return mixed_deformer(std::move(pieces));
  };
  return keeping_rigid(std::move(scene), keeps_size);
}

Scene rig_space_scene(std::shared_ptr<const RigSpaceScene> cooked, const RigSpaceSettings& settings) {
  Scene scene{"rigspace", "simulating", surface_of(cooked), cooked->surface.bones};
  for (const RigParameter& parameter : cooked->rig->parameters()) scene.rest_controls.push_back(parameter.rest);
  scene.curves = cooked->free;
  scene.height = cooked->height;
  scene.fingerprint = fingerprint(*cooked, settings, scene.rest_controls);
  scene.deformer = [cooked, step = settings.step, adaptive = settings.adaptive] {
    RigSpacePieces pieces{cooked->body, cooked->rig, cooked->whole_rig, cooked->free, cooked->dynamics, step, adaptive};
    if (cooked->material.frequency > 0) pieces.period = 1 / cooked->material.frequency;
    pieces.height = cooked->height;
    return rig_space_deformer(std::move(pieces));
  };
  return scene;
}

Scene surface_scene(std::shared_ptr<const SurfaceScene> cooked) {
  Scene scene{"surface", "moving", surface_of(cooked), cooked->surface.bones};
  scene.height = cooked->height;
  scene.fingerprint = fingerprint(cooked->surface);
  scene.deformer = [cooked] { return surface_deformer(cooked->model, cooked->surface, cooked->description.reach); };
  return keeping_rigid(std::move(scene));
}

}  // namespace sinew
