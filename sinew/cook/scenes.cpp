#include "sinew/cook/scenes.h"

#include <array>
#include <cmath>
#include <numeric>

#include "sinew/character/fingerprint.h"
#include "sinew/deform/flesh/flesh_deformer.h"
#include "sinew/deform/mixed/mixed_deformer.h"
#include "sinew/deform/rig_space/rig_space_deformer.h"
#include "sinew/deform/surface/surface_deformer.h"

namespace sinew {
namespace {

// Of the flesh's own swing, as its look says it: parts of it swing more slowly.
constexpr double slowest_swing = 2;

void add(Fingerprint& print, const ActingSettings& acting) {
  print.add(std::array{acting.ground.value_or(-HUGE_VAL)});
  for (const ColliderSettings& c : acting.colliders) {
    print.add(std::array{c.point, c.other_end, c.normal});
    print.add(std::array{c.radius, static_cast<double>(static_cast<int>(c.shape))});
    print.add(c.joint);
  }
  for (const GrabSettings& g : acting.grabs) {
    print.add(std::array{g.point, g.to});
    print.add(std::array{g.begin.value_or(-HUGE_VAL), g.end.value_or(HUGE_VAL), g.reach});
    print.add(g.joint);
  }
  for (const BeltSettings& b : acting.belts) {
    print.add(std::array{b.point, b.normal});
    print.add(std::array{b.width, b.radius, b.size});
    print.add(b.joint);
  }
  for (const PokeSettings& p : acting.pokes) {
    print.add(std::array{p.point, p.force});
    print.add(std::array{p.radius, p.begin.value_or(-HUGE_VAL), p.end.value_or(HUGE_VAL)});
  }
}

std::uint64_t fingerprint(const FleshScene& scene, const FleshSettings& settings, const ActingSettings& acting) {
  const FleshBody& body = *scene.body;
  const FleshDescription& d = body.description;
  Fingerprint print;
  print.add(d.mesh.positions).add(d.core).add(d.limit).add(d.keeps_rig_shape);
  print.add(body.mass).add(body.stiffness.block).add(body.damping.block);
  if (scene.lattice) {
    const LatticeDescription& lattice = scene.lattice->description;
    print.add(lattice.rest).add(lattice.cells.stiffness).add(lattice.cells.mass).add(lattice.cell_damping);
    print.add(lattice.surface.value).add(lattice.surface.column);
    const LatticeRun& run = scene.lattice->run;
    print.add(std::array{static_cast<int>(run.linearization), static_cast<int>(run.warping),
                         static_cast<int>(run.integrator), run.adaptation.on ? 1 : 0, run.adaptation.most_functions,
                         static_cast<int>(run.held_by)});
    print.add(run.adaptation.threshold);
  }
  add(print, acting);
  for (const Influences& influences : d.influences) print.add(influences.joint).add(influences.weight);
  for (const EmbeddedPoint& point : d.embedding.points) print.add(point.weights);
  print.add(std::array{d.mass_damping, d.stiffness_damping, settings.reference == Reference::rig ? 0.0 : 1.0,
                       settings.gravity.x, settings.gravity.y, settings.gravity.z, settings.spectral_radius,
                       solver_tolerance(settings), settings.warping == Warping::element ? 0.0 : 1.0,
                       static_cast<double>(static_cast<int>(body.dynamics.gravity_in_rest))});
  return print.value();
}

std::uint64_t fingerprint(const MixedScene& scene, const MixedSettings& settings, const ActingSettings& acting) {
  const MixedBody& body = *scene.body;
  Fingerprint print;
  print.add(body.rest).add(body.samples.volume).add(body.samples.shear).add(body.samples.lambda).add(body.skew_modulus);
  print.add(body.pins.held).add(body.pins.tied).add(body.pins.spring);
  print.add(scene.pins.bone).add(scene.weights.bone).add(scene.weights.weight).add(scene.mass);
  add(print, acting);
  for (const EmbeddedPoint& point : scene.embedding.points) print.add(point.weights);
  for (const Bone& bone : scene.bones) print.add(std::array{bone.rest_to_joint});
  print.add(std::array{static_cast<double>(static_cast<int>(settings.material)), settings.gravity ? 1.0 : 0.0});
  return print.value();
}

std::uint64_t fingerprint(const RigSpaceScene& scene, const RigSpaceSettings& settings, std::span<const double> rest) {
  const RigSpaceBody& body = *scene.body;
  Fingerprint print;
  print.add(body.mesh.positions).add(body.mass).add(body.material.shear).add(body.material.lambda);
  print.add(body.interior.column).add(body.interior.value).add(body.correction.rest.value);
  print.add(scene.free).add(rest);
  const RigSpaceDynamics& d = scene.dynamics;
  print.add(d.range);
  print.add(std::array{d.linearity, d.stiffness_damping, d.mass_damping, d.gravity.y, d.limit_start, d.limit_stiffness,
                       d.tolerance});
  print.add(std::array{settings.adaptive ? 1 : 0, static_cast<int>(d.rest), static_cast<int>(d.interior),
                       d.deferred ? 1 : 0, d.predictor ? 1 : 0, static_cast<int>(body.material.law)});
  return print.value();
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
  traits.can = {.ground = true, .colliders = true, .held = true, .pokes = true, .gravity = false};
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
  scene.preroll = settings.preroll;
  scene.fingerprint = fingerprint(*cooked, settings, scene.acting);
  const std::vector<double>& mass = cooked->body->mass;
  scene.deformer = [cooked, settings, traits = flesh_traits(*cooked, settings),
                    whole = std::accumulate(mass.begin(), mass.end(), 0.0)] {
    return flesh_deformer(make_flesh(*cooked, settings), surface_carrier(*cooked), cooked->surface, traits, whole);
  };
  return scene;
}

Scene mixed_scene(std::shared_ptr<const MixedScene> cooked, const MixedSettings& settings) {
  Scene scene{"mixed", "posing", surface_of(cooked), cooked->bones};
  scene.acting = {settings.ground, settings.colliders, {}, {}, settings.pokes};
  scene.height = cooked->height;
  scene.fingerprint = fingerprint(*cooked, settings, scene.acting);
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
  return scene;
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
  return scene;
}

}  // namespace sinew
