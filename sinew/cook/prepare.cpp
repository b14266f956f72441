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
constexpr const char* binding = "binding the body to the skeleton";

// Under the rig reference cores follow the rig's own blend and may pass through joints. Where elasticity
// decides the shape, cores are rigid, and the flesh between two bones must be left to it.
double core_weight(const FleshSettings& settings) { return settings.reference == Reference::rig ? 0.0 : 0.9; }

// The rig reference shows motion only; the elastic one also rebuilds what skinning lost at joints, which
// can be as much as the whole distance to the bone.
double displacement_limit(const FleshSettings& settings) {
  return settings.limit.value_or(settings.reference == Reference::rig ? 0.5 : 2.0);
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

// The sag of the flesh as if no joint and no paint multiplied its stiffness: the look is about that, so that what
// is painted softer or stiffer changes there and leaves the rest as it is.
double plain_sag(const FleshBody& body, const std::vector<double>& thin, const Progress& progress) {
  const double young = body.description.material.young;
  const std::vector<double>& multiplied = body.description.young;
  if (std::all_of(multiplied.begin(), multiplied.end(), [&](double y) { return std::abs(y - young) <= 1e-9 * young; }))
    return sag_under_gravity(body, resolved_share(body, thin), progress);
  FleshDescription plain = body.description;
  for (std::size_t t = 0; t < plain.young.size(); ++t) {
    plain.bone_stiffness[t] *= young / plain.young[t];
    plain.young[t] = young;
  }
  const FleshBody plain_body = assemble_flesh(std::move(plain));
  return sag_under_gravity(plain_body, resolved_share(plain_body, thin), progress);
}

// Young's modulus that the look asks for. `sag`: of the body as it stands.
MaterialDecision decide_material(const FleshBody& body, const FleshSettings& settings, double height, double sag) {
  const LookValues look = look_values(settings.look);
  MaterialDecision decision;
  const double young = body.description.material.young;
  decision.sag = settings.young ? sag * young / *settings.young : look.sag * height;
  decision.young = settings.young.value_or(young * sag / decision.sag);
  decision.frequency = std::sqrt(standard_gravity / decision.sag) / (2 * std::numbers::pi);
  decision.damping_ratio = settings.damping.value_or(look.damping);
  return decision;
}

// Thin parts: springs under which they sag by 1 / thin_hold of what the flesh does, whose sag this is; N/m per m^3.
std::vector<double> thin_springs(const FleshDescription& flesh, const std::vector<double>& thin, double sag) {
  std::vector<double> springs = thin;
  for (std::size_t t = 0; t < springs.size(); ++t)
    springs[t] *= thin_hold * flesh.material.density * standard_gravity / sag * (flesh.young[t] / flesh.material.young);
  return springs;
}

// What is pushed, grabbed or belted is shown where it was computed, unless a limit is asked for.
void limit_what_is_shown(const FleshScene& scene, const FleshSettings& settings, FleshDescription& description) {
  const bool led = !settings.colliders.empty() || !settings.grabs.empty() || !settings.belts.empty();
  description.limit = led && !settings.limit
                          ? std::vector<double>{}
                          : displacement_limits(scene.map, displacement_limit(settings), scene.height);
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
  const BoneSettings per_bone = bone_settings(scene.surface.bones, settings);
  description.influences = body_influences(volume.mesh, volume.embedding, scene.surface, part_of(progress, 0.14, 0.28));
  report_or_stop(progress, binding, 0.28);
  scene.map = map_flesh(volume.mesh, description.influences, scene.surface, {per_bone.core, core_weight(settings)});
  report_or_stop(progress, binding, 0.36);
  scene.stiffness_multiplier = blend_to_vertices(description.influences, per_bone.stiffness);
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
  base.sag = plain_sag(base.assembled, base.thin, part_of(progress, 0.5, 1.0));
  finish_stage("assemble");
  return base;
}

namespace {

// In a lattice the body only tells where flesh is, and stays as stiff as it was assembled: the lattice is scaled.
FleshScene finish(FleshScene scene, FleshBody body, const FleshSettings& settings, const std::vector<double>& thin,
                  double sag, const Progress& progress) {
  Stopwatch watch;
  const bool of_lattice = !settings.lattice.file.empty();
  limit_what_is_shown(scene, settings, body.description);
  scene.material = decide_material(body, settings, scene.height, sag);
  const std::vector<double> springs = thin_springs(body.description, thin, of_lattice ? sag : scene.material.sag);
  if (!of_lattice) scale_stiffness(body, scene.material.young / body.description.material.young);
  add_bone_stiffness(body, springs);
  // Rayleigh damping: half of the ratio from mass, half from stiffness, at the flesh's own frequency.
  const double frequency = std::sqrt(standard_gravity / scene.material.sag);
  body.description.mass_damping = scene.material.damping_ratio * frequency;
  body.description.stiffness_damping = scene.material.damping_ratio / frequency;
  const FleshDynamics steps = dynamics(settings, scene.height);
  scene.body = of_lattice ? uncooked_flesh(std::move(body), steps) : cook_flesh(std::move(body), steps, progress);
  scene.stages.push_back({"cook", watch.lap()});
  report_or_stop(progress, "cooking the equations", 1.0);
  return scene;
}

}  // namespace

void refuse_other_base(FleshSettings base, FleshSettings settings) {
  if (recooks_between(settings_of(base), settings_of(settings)) > Recooks::stiffness)
    throw usage_error("these settings change the body itself, not only how stiff it is; prepare the flesh anew.");
}

FleshScene cook_flesh_scene(const FleshBase& base, const FleshSettings& settings, const Progress& progress) {
  check_settings(settings);
  refuse_other_base(base.settings, settings);
  return finish(base.scene, copy_assembled(base.assembled), settings, base.thin, base.sag, progress);
}

FleshScene prepare_flesh(const Character& character, const FleshSettings& settings, const Progress& progress) {
  FleshBase base = prepare_flesh_base(character, settings, part_of(progress, 0.0, 0.7));
  return finish(std::move(base.scene), std::move(base.assembled), settings, base.thin, base.sag,
                part_of(progress, 0.7, 1.0));
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
