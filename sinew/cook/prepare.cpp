#include "sinew/cook/prepare.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/cook/fill_surface.h"
#include "sinew/cook/flesh_fields.h"
#include "sinew/cook/look.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/deform/settings_fingerprint.h"
#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/deform/lattice/lattice_surface.h"
#include "sinew/deform/lattice/variable_step_flesh.h"
#include "sinew/deform/setting.h"
#include "sinew/deform/tetrahedra/elastic_reference.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/deform/tetrahedra/rig_reference.h"

namespace sinew {
namespace {

// Thin parts are this many times as stiff as the flesh is at its softest.
constexpr double thin_hold = 3;
// Of the height: how far inertia carries flesh, as far as it is ever shown.
constexpr double reach_of_height = 0.1;
// Of the longest side: nothing is shown farther from the rig, unless it is led there.
constexpr double most_of_size = 0.05;
constexpr const char* binding = "binding the body to the skeleton";

// Under the rig reference cores follow the rig's own blend and may pass through joints. Where elasticity
// decides the shape, cores are rigid, and the flesh between two bones must be left to it.
double core_weight(const FleshSettings& settings) { return settings.reference == Reference::rig ? 0.0 : 0.9; }

// The rig reference shows motion only; the elastic one also rebuilds what skinning lost at joints, which
// can be as much as the whole distance to the bone.
double displacement_limit(const FleshSettings& settings) {
  return settings.limit.value_or(settings.reference == Reference::rig ? 0.3 : 2.0);
}

GravityInRest gravity_in_rest(const FleshSettings& settings) {
  if (settings.gravity_in_rest) return *settings.gravity_in_rest;
  return settings.reference == Reference::rig ? GravityInRest::pose : GravityInRest::bind;
}

FleshDynamics dynamics(const FleshSettings& settings, double height) {
  FleshDynamics result;
  result.reach = reach_of_height * height;
  result.step = settings.step;
  result.spectral_radius = settings.spectral_radius;
  result.gravity = settings.gravity;
  result.gravity_in_rest = gravity_in_rest(settings);
  result.tolerance = solver_tolerance(settings);
  if (settings.reference == Reference::elastic) {
    result.factor_precision = FactorPrecision::half_precision;
    result.static_precision = FactorPrecision::single_precision;
  } else if (result.gravity_in_rest == GravityInRest::pose) {
    result.static_precision.reset();
  }
  return result;
}

double size_of(const TriangleMesh& mesh) {
  Vec3 low = mesh.positions.front(), high = low;
  for (const Vec3& x : mesh.positions) {
    low = min(low, x);
    high = max(high, x);
  }
  const Vec3 extent = high - low;
  return std::max({extent.x, extent.y, extent.z});
}

// Rigid things weigh by the skin around their vertices.
std::shared_ptr<const KeptShape> kept_shape(const SimulationSurface& surface, const Anatomy& anatomy) {
  constexpr double unseen = 1e-4;  // of the longest side
  auto shape = std::make_shared<KeptShape>();
  shape->rest = surface.rest;
  shape->bound.slack = unseen * size_of(surface.rest);
  for (const RigidThing& thing : anatomy.rigid)
    shape->rigid.push_back({thing.vertices, std::vector<double>(thing.vertices.size(), 1.0 / static_cast<double>(thing.vertices.size()))});
  return shape;
}

// Per vertex, how much of it is flesh that the cells resolve: the mean over its tetrahedra of 1 - thin.
std::vector<double> resolved_share(const FleshBody& body, const std::vector<double>& thin) {
  std::vector<double> sum(body.mass.size(), 0.0), count(body.mass.size(), 0.0);
  for (std::size_t t = 0; t < thin.size(); ++t)
    for (int v : body.description.mesh.tetrahedra[t]) {
      sum[static_cast<std::size_t>(v)] += 1 - thin[t];
      count[static_cast<std::size_t>(v)] += 1;
    }
  for (std::size_t v = 0; v < sum.size(); ++v) sum[v] = count[v] > 0 ? sum[v] / count[v] : 0;
  return sum;
}

// The sag of the flesh as if no setting and no paint multiplied its stiffness: the look is about that, so that what is
// painted softer or stiffer changes there and leaves the rest as it is. `found`: per tetrahedron, what the anatomy
// multiplies; only what is as soft as flesh counts.
Sag plain_sag(const FleshBody& body, const std::vector<double>& found, const std::vector<double>& thin,
              const Progress& progress) {
  const double young = body.description.material.young;
  std::vector<double> uncounted = thin;
  for (std::size_t t = 0; t < thin.size(); ++t) uncounted[t] = 1 - (1 - thin[t]) / std::max(1.0, found[t]);
  const std::vector<double> share = resolved_share(body, uncounted);
  bool plain = true;
  for (std::size_t t = 0; t < found.size(); ++t)
    plain &= std::abs(body.description.young[t] - young * found[t]) <= 1e-9 * young * found[t];
  if (plain) return sag_under_gravity(body, share, progress);
  FleshDescription description = body.description;
  for (std::size_t t = 0; t < found.size(); ++t) {
    description.bone_stiffness[t] *= young * found[t] / description.young[t];
    description.young[t] = young * found[t];
  }
  return sag_under_gravity(assemble_flesh(std::move(description)), share, progress);
}

// The softness that a look asks for shows in the character's own clips as much as the look says, unless that would make it
// softer or stiffer than this.
constexpr double stiffest_amount = 0.15, softest_amount = 4;

// By what to multiply a look's sag: `sag` as the body has it where it sags by `wanted` on the whole, metres.
double amount_of_look(const FleshScene& scene, const FleshBase& base, const FleshBody& body, const LookValues& look,
                      double damping_ratio) {
  const SampledMotion& motion = base.motion;
  const double wanted = look.sag * scene.height;
  const std::vector<double> thin = resolved_share(body, base.thin);
  std::vector<Swing> swings;
  for (const int v : motion.vertices) {
    const EmbeddedPoint& point = body.description.embedding.points[static_cast<std::size_t>(v)];
    Swing swing{0, body.description.limit.empty() ? HUGE_VAL : 0};
    if (point.tetrahedron >= 0) {
      const Tetrahedron& corner = body.description.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
      double held = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        const auto c = static_cast<std::size_t>(corner[k]);
        swing.sag += point.weights[k] * base.sag.of_vertex[c];
        if (!body.description.limit.empty()) swing.limit += point.weights[k] * body.description.limit[c];
        held += point.weights[k] * (1 - thin[c]);
      }
      // Springs of thin parts act beside the elasticity.
      swing.sag = std::max(0.0, swing.sag) * wanted / base.sag.whole;
      swing.sag /= 1 + std::max(0.0, held) * thin_hold * swing.sag / wanted;
    }
    swing.limit = std::max(swing.limit, 1e-9 * scene.height);
    swings.push_back(swing);
  }
  return amount_factor(motion, swings, damping_ratio, look.seen * size_of(scene.surface.rest), stiffest_amount,
                       softest_amount);
}

// Young's modulus that the look asks for, and the Rayleigh damping that goes with it: half of the ratio
// from mass, half from stiffness, at the flesh's own frequency.
MaterialDecision decide_material(const FleshScene& scene, const FleshBase& base, FleshBody& body,
                                 const FleshSettings& settings) {
  const LookValues look = look_values(settings.look);
  MaterialDecision decision;
  const double young = body.description.material.young, sag = base.sag.whole;
  std::vector<double> thin = base.thin;
  decision.damping_ratio = settings.damping.value_or(look.damping);
  decision.sag = settings.young
                     ? sag * young / *settings.young
                     : look.sag * scene.height * amount_of_look(scene, base, body, look, decision.damping_ratio);
  decision.young = settings.young.value_or(young * sag / decision.sag);
  // Thin parts: springs under which they sag by 1 / thin_hold of what the flesh does.
  for (std::size_t t = 0; t < thin.size(); ++t)
    thin[t] *= thin_hold * body.description.material.density * standard_gravity / decision.sag *
               (body.description.young[t] / young);
  scale_stiffness(body, decision.young / young);
  add_bone_stiffness(body, thin);
  const double frequency = std::sqrt(standard_gravity / decision.sag);
  decision.frequency = frequency / (2 * std::numbers::pi);
  body.description.mass_damping = decision.damping_ratio * frequency;
  body.description.stiffness_damping = decision.damping_ratio / frequency;
  return decision;
}

// What is pushed, grabbed or belted is shown where it was computed, unless a limit is asked for.
void limit_what_is_shown(const FleshScene& scene, const FleshSettings& settings, FleshDescription& description) {
  const bool led = !settings.colliders.empty() || !settings.grabs.empty() || !settings.belts.empty();
  description.limit = led && !settings.limit
                          ? std::vector<double>{}
                          : displacement_limits(description.mesh, scene.map, displacement_limit(settings),
                                                most_of_size * size_of(scene.surface.rest));
}

}  // namespace

FleshBase prepare_flesh_base(const Character& character, const FleshSettings& settings, const Progress& progress) {
  check_settings(settings);
  if (settings.lattice.levels == 1 && strain_of_detail(settings.lattice))  // a file may leave levels to an option
    throw usage_error("levels: one level has no detail that adapt or a budget could choose from; use 2 or more.");
  FleshBase base;
  base.settings = settings;
  FleshScene& scene = base.scene;
  Stopwatch watch;
  const auto finish_stage = [&](const char* name) { scene.stages.push_back({name, watch.lap()}); };

  scene.surface = simulation_surface(character, settings.color_stiffness);
  scene.height = standing_height(scene.surface.rest);
  finish_stage("surface");

  VolumeMeshingOptions meshing;
  meshing.target_tetrahedra = settings.tetrahedra;
  meshing.cell_size = settings.cell_size;
  VolumeMesh volume = fill_surface(character, scene.surface.rest, meshing, part_of(progress, 0.0, 0.14));
  finish_stage("volume");

  FleshDescription description;
  if (settings.anatomy == FindAnatomy::automatic) scene.anatomy = find_anatomy(scene.surface);
  scene.shape = kept_shape(scene.surface, scene.anatomy);
  const BoneSettings per_bone = bone_settings(scene.surface.bones, scene.anatomy, settings);
  description.influences = body_influences(volume.mesh, volume.embedding, scene.surface, part_of(progress, 0.14, 0.28));
  report_or_stop(progress, binding, 0.28);
  scene.map = map_flesh(volume.mesh, description.influences, scene.surface, {per_bone.core, core_weight(settings)});
  report_or_stop(progress, binding, 0.36);
  scene.stiffness_multiplier = blend_to_vertices(description.influences, per_bone.stiffness);
  const std::vector<double> found =
      mean_over_corners(volume.mesh, blend_to_vertices(description.influences, per_bone.found_stiffness));
  if (scene.surface.painted_stiffness)
    multiply_painted(volume.mesh, volume.embedding, scene.surface.stiffness, scene.stiffness_multiplier);
  description.material = {1e4, settings.poisson, settings.density};
  description.element = settings.element;
  description.young = mean_over_corners(volume.mesh, scene.stiffness_multiplier);
  for (double& young : description.young) young *= description.material.young;
  description.inside_fraction = std::move(volume.inside_fraction);
  const std::vector<char> loose = loose_pieces(volume.mesh, scene.map);
  description.bone_stiffness =
      bone_stiffness(volume.mesh, scene.map, description.young, settings.bone_hold, scene.height);
  base.thin = thin_parts(volume.mesh, scene.map, loose, volume.cell_size);
  description.surface_rest = scene.surface.rest.positions;
  description.surface_influences = scene.surface.influences;
  description.keeps_rig_shape.assign(volume.mesh.positions.size(), 0);
  for (std::size_t t = 0; t < loose.size(); ++t)
    for (int v : volume.mesh.tetrahedra[t]) description.keeps_rig_shape[static_cast<std::size_t>(v)] |= loose[t];
  if (per_bone.damping_varies || scene.surface.painted_damping) {
    std::vector<double> damping = blend_to_vertices(description.influences, per_bone.damping);
    if (scene.surface.painted_damping) multiply_painted(volume.mesh, volume.embedding, scene.surface.damping, damping);
    description.damping = mean_over_corners(volume.mesh, damping);
  }
  description.core = scene.map.core;
  description.mesh = std::move(volume.mesh);
  description.embedding = std::move(volume.embedding);
  finish_stage("bind");

  report_or_stop(progress, "assembling the equations", 0.43);
  base.assembled = assemble_flesh(std::move(description));
  base.sag = plain_sag(base.assembled, found, base.thin, part_of(progress, 0.5, 1.0));
  base.motion = sample_motion(character, scene.surface);
  finish_stage("assemble");
  return base;
}

namespace {

// `scene` and `body` are those of the base, or copies.
FleshScene finish(FleshScene scene, FleshBody body, const FleshBase& base, const FleshSettings& settings,
                  const Progress& progress) {
  Stopwatch watch;
  limit_what_is_shown(scene, settings, body.description);
  scene.material = decide_material(scene, base, body, settings);
  if (settings.lattice.file.empty())
    scene.body = cook_flesh(std::move(body), dynamics(settings, scene.height), progress);
  else
    scene.body = uncooked_flesh(std::move(body), dynamics(settings, scene.height));
  scene.stages.push_back({"cook", watch.lap()});
  report_or_stop(progress, "cooking the equations", 1.0);
  return scene;
}

}  // namespace

FleshScene cook_flesh_scene(const FleshBase& base, const FleshSettings& settings, const Progress& progress) {
  check_settings(settings);
  FleshSettings before = base.settings, after = settings;
  if (recooks_between(settings_of(before), settings_of(after)) > Recooks::stiffness)
    throw usage_error("these settings change the body itself, not only how stiff it is; prepare the flesh anew.");
  return finish(base.scene, copy_assembled(base.assembled), base, settings, progress);
}

FleshScene prepare_flesh(const Character& character, const FleshSettings& settings, const Progress& progress) {
  FleshBase base = prepare_flesh_base(character, settings, part_of(progress, 0.0, 0.7));
  FleshScene scene = std::move(base.scene);
  FleshBody body = std::move(base.assembled);
  return finish(std::move(scene), std::move(body), base, settings, part_of(progress, 0.7, 1.0));
}

std::unique_ptr<BodyMotion> make_flesh(const FleshScene& scene, const FleshSettings& settings) {
  if (!scene.lattice_steps.empty()) return variable_step_flesh(scene.lattice_steps);
  if (scene.lattice) return lattice_flesh(scene.lattice);
  if (!settings.lattice.file.empty())
    throw usage_error("the flesh was prepared for the control lattice " + settings.lattice.file + ", which is not there; call prepare_lattice() first.");
  return settings.reference == Reference::rig ? rig_reference_flesh(scene.body)
                                              : elastic_reference_flesh(scene.body, settings.warping);
}

std::unique_ptr<SurfaceCarrier> surface_carrier(const FleshScene& scene) {
  return scene.lattice ? surface_carrier(scene.lattice) : surface_carrier(scene.body);
}

}  // namespace sinew
