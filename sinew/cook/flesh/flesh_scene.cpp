#include "sinew/cook/flesh/flesh_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "sinew/anatomy/vertex_tissue.h"
#include "sinew/base/error.h"
#include "sinew/base/number_text.h"
#include "sinew/character/fingerprint.h"
#include "sinew/cook/flesh/motion_estimate.h"
#include "sinew/cook/flesh/reach_of_flesh.h"
#include "sinew/deform/flesh/flesh_deformer.h"
#include "sinew/deform/settings_fingerprint.h"

namespace sinew {
namespace {

// Period of the slowest parts of the flesh, relative to the period that its look gives.
constexpr double slowest_swing = 2;

// The cooked numbers identify the character and its paint, the settings everything that acts on it.
std::uint64_t fingerprint(const CookedFlesh& cooked, const FleshSettings& settings) {
  const FleshBody& body = *cooked.body;
  const FleshDescription& d = body.description;
  Fingerprint print;
  print.add(d.mesh.positions).add(d.core).add(d.limit).add(d.keeps_rig_shape);
  print.add(body.mass).add(body.stiffness.block).add(body.damping.block);
  if (cooked.lattice) {
    const LatticeDescription& lattice = cooked.lattice->description;
    print.add(lattice.rest).add(lattice.cells.stiffness).add(lattice.cells.mass).add(lattice.cell_damping);
    print.add(lattice.surface.value).add(lattice.surface.column);
    print.add(
        std::array{cooked.lattice->run.adaptation.most_functions});  // depends on the machine where a budget decides it
  }
  for (const RigidGroup& group : cooked.shape->rigid) print.add(group.vertices);
  for (const Influences& influences : d.influences) print.add(influences.joint).add(influences.weight);
  for (const EmbeddedPoint& point : d.embedding.points) print.add(point.weights);
  for (const std::vector<Affine>& pose : body.dynamics.factor_poses) print.add(pose);
  print.add(std::array{d.mass_damping, d.stiffness_damping});
  for (const MuscleFibre& fibre : d.muscles.fibres)
    print.add(std::array{fibre.tetrahedron, fibre.muscle})
        .add(std::array{fibre.direction.x, fibre.direction.y, fibre.direction.z, fibre.share});
  for (const BodyMuscle& muscle : d.muscles.muscles)
    print.add(std::array{muscle.stress, muscle.optimal_stretch, muscle.passive});
  add_settings(print, settings_of(settings));
  return print.value();
}

ColliderSettings plane_at(const Vec3& point, const Vec3& normal) {
  ColliderSettings plane;
  plane.shape = ColliderShape::plane;
  plane.point = point;
  plane.normal = normal;
  return plane;
}

// Adds the six walls of a box of this inner side, metres, around the middle of the surface.
void add_walls(std::span<const Vec3> surface, double side, std::vector<ColliderSettings>& colliders) {
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
  for (const Vec3& x : surface) low = min(low, x), high = max(high, x);
  const Vec3 extent = high - low, middle = 0.5 * (low + high);
  const double widest = std::max({extent.x, extent.y, extent.z});
  if (widest >= side)
    throw usage_error("box: " + plain(side) + " m is too narrow for a character that is " + plain(widest) +
                      " m wide; choose more.");
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) {
      Vec3 point = middle, normal;
      point[axis] -= 0.5 * sign * side;
      normal[axis] = sign;
      colliders.push_back(plane_at(point, normal));
    }
}

DeformerTraits flesh_traits(const CookedFlesh& cooked, const FleshSettings& settings) {
  DeformerTraits traits;
  const bool lattice = cooked.lattice != nullptr;
  traits.can = flesh_obeys;
  traits.can.stiffness = traits.can.damping = can_change_tissue(settings);
  traits.all_with = changes_tissue_with;
  if (cooked.material.frequency > 0) traits.period = slowest_swing / cooked.material.frequency;
  const std::vector<double>& mass = cooked.body->mass;
  traits.least_energy = least_energy(std::accumulate(mass.begin(), mass.end(), 0.0), cooked.height);
  for (const Influences& influences :
       lattice ? cooked.lattice->description.influences : cooked.body->description.influences)
    traits.bone_of_point.push_back(influences.count > 0 ? influences.joint[0] : -1);
  return traits;
}

}  // namespace

Scene flesh_scene(std::shared_ptr<const CookedFlesh> cooked, const FleshSettings& settings, TissueKeys keys) {
  Scene scene{"flesh", "simulating", {cooked, &cooked->surface}, cooked->surface.bones};
  scene.acting = {settings.ground, settings.colliders, settings.grabs,       settings.belts,
                  settings.loads,  std::move(keys),    friction_of(settings)};
  scene.gravity = settings.gravity;
  if (settings.free_body) scene.toss = Toss{settings.toss, settings.spin};
  if (settings.box) add_walls(cooked->surface.rest.positions, *settings.box, scene.acting.colliders);
  // The ground yields to goals below it, which that of a free body may be; a plane does not.
  if (settings.free_body && settings.ground) {
    scene.acting.colliders.push_back(plane_at({0, *settings.ground, 0}, {0, 1, 0}));
    scene.acting.ground.reset();
  }
  scene.height = cooked->height;
  const FleshDescription& description = cooked->body->description;
  scene.hold_reach = hold_reach({cooked->map, description.mesh, description.embedding, cooked->height});
  scene.preroll = settings.preroll;
  scene.fingerprint = fingerprint(*cooked, settings);
  scene.decided = {{"young", cooked->material.young},
                   {"damping", cooked->material.damping_ratio},
                   {"step", cooked->body->dynamics.step}};
  scene.depth = cooked->map.depth;
  scene.body_plan = name_of(cooked->anatomy.body_plan.plan);
  scene.tissue = tissue_of_vertices(cooked->surface, cooked->anatomy);
  scene.advice = {[cooked] { return clips_with_visible_flesh(*cooked); },
                  [cooked, settings](const Character& character, int clip, double begin, double end, double seen) {
                    return explain_small_amplitude(*cooked, settings,
                                                   sample_motion(character, cooked->surface, clip, begin, end), seen);
                  }};
  const std::vector<double>& mass = cooked->body->mass;
  scene.bare = [cooked, settings, traits = flesh_traits(*cooked, settings),
                whole = std::accumulate(mass.begin(), mass.end(), 0.0)] {
    return flesh_deformer(make_flesh(*cooked, settings), surface_carrier(*cooked), cooked->surface, traits, whole);
  };
  scene.clamps = std::make_shared<const DisplayClamps>(display_clamps(*cooked, settings));
  return scene;
}

}  // namespace sinew
