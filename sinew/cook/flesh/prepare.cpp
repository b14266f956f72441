#include "sinew/cook/flesh/prepare.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/stopwatch.h"
#include "sinew/cook/fill_surface.h"
#include "sinew/cook/flesh/decide_material.h"
#include "sinew/cook/flesh/flesh_fields.h"
#include "sinew/cook/flesh/hold_within_limits.h"
#include "sinew/cook/flesh/material_preset.h"
#include "sinew/cook/flesh/muscles_of_flesh.h"
#include "sinew/cook/flesh/parts_in_body.h"
#include "sinew/cook/flesh/reach_of_flesh.h"
#include "sinew/cook/keep_rigid.h"
#include "sinew/cook/painted_surface.h"
#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/deform/lattice/lattice_surface.h"
#include "sinew/deform/lattice/variable_step_flesh.h"
#include "sinew/deform/setting.h"
#include "sinew/deform/settings_fingerprint.h"
#include "sinew/deform/tetrahedra/elastic_reference.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/deform/tetrahedra/quasi_newton_reference.h"
#include "sinew/deform/tetrahedra/rig_reference.h"
#include "sinew/files/lattice_files.h"
#include "sinew/mesh/corner_means.h"
#include "sinew/rig/carried_correction.h"
#include "sinew/rig/implicit/implicit_skin.h"
#include "sinew/rig/sampled_poses.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

// Largest displacement by inertia that is ever displayed, as a share of the height.
constexpr double reach_of_height = 0.1, reach_of_tissue = 0.3;  // linear, and nonlinear flesh, which stiffens before
// Largest displayed displacement from the rig, as a share of the longest side, unless the flesh is dragged.
constexpr double most_of_size = largest_visible, most_of_machine = 0.02;  // plates sit on their bones, not on flesh
// FleshDynamics::factor_poses and factor_stiffness of nonlinear flesh; of eight characters, these took the fewest
// iterations. Four poses miss the husky's fastest moment, and its steps take more; twelve save none.
constexpr std::size_t factor_poses = 8;
constexpr double stiffness_in_factor = 1.6;
constexpr const char* binding = "binding the body to the skeleton";

// With the rig reference cores follow the rig's own blend and may pass through joints. With the elastic reference cores
// are rigid, and the flesh between two bones must be left to elasticity.
double core_weight(const FleshSettings& settings) { return settings.reference == Reference::rig ? 0.0 : 0.9; }

// The rig reference displays motion only. The elastic one also rebuilds what skinning lost at joints, which may be as
// much as the whole distance to the bone.
double usual_limit(Reference reference) { return reference == Reference::rig ? 0.3 : 2.0; }

// The display of nonlinear tissue, which stiffens by itself, is limited for safety only. Flesh that keeps its
// shape comes no farther from the rig than twice its distance from the bone, by half a turn about it; within half of
// the limits, a sixth of a turn and what does not look like a defect, it is displayed as it is.
constexpr double limit_of_tissue = 2, most_displayed = 2 * largest_visible;
constexpr double untouched_by_limit = 0.7;  // DisplayLimit::untouched

GravityInRest gravity_in_rest(const FleshSettings& settings) {
  if (settings.weight) return GravityInRest::off;
  if (settings.gravity_in_rest) return *settings.gravity_in_rest;
  return settings.reference == Reference::rig ? GravityInRest::pose : GravityInRest::bind;
}

FleshDynamics dynamics(const FleshSettings& settings, double height, double step) {
  FleshDynamics result;
  result.reach = (elasticity_of(settings) == Elasticity::nonlinear ? reach_of_tissue : reach_of_height) * height;
  result.step = step;
  result.spectral_radius = settings.spectral_radius;
  result.gravity = settings.gravity;
  result.gravity_in_rest = gravity_in_rest(settings);
  result.free_body = settings.free_body;
  result.tolerance = solver_tolerance(settings);
  if (elasticity_of(settings) == Elasticity::nonlinear) {
    result.factor_precision = FactorPrecision::half_precision;
    result.factor_stiffness = stiffness_in_factor;
  }
  if (settings.reference == Reference::elastic) {
    result.factor_precision = FactorPrecision::half_precision;
    result.static_precision = FactorPrecision::single_precision;
  } else if (result.gravity_in_rest == GravityInRest::pose || settings.free_body) {
    result.static_precision.reset();
  }
  return result;
}

// True if flesh is displayed where it was computed, because obstacles push it or ring constraints hold it, and no limit
// was asked for. Dragging needs no such exception: the clamp is released by as much as the flesh is dragged.
bool is_driven(const FleshSettings& settings) {
  return !settings.limit && (!settings.colliders.empty() || settings.box || !settings.belts.empty());
}

// Displacement limits per body vertex, metres: displacement_limits() with this share.
std::vector<double> limits_by(double share, const CookedFlesh& flesh, const TetrahedralMesh& mesh,
                              double most_of_flesh = most_of_size) {
  const double most = flesh.anatomy.body_plan.plan == BodyPlan::robot ? most_of_machine : most_of_flesh;
  return displacement_limits(mesh, flesh.map, share, most * longest_side(flesh.surface));
}

std::vector<double> limits_of_display(const FleshBase& base, const CookedFlesh& flesh, const FleshSettings& settings,
                                      const TetrahedralMesh& mesh) {
  if (is_driven(settings) || settings.free_body) return {};
  if (settings.limit) return limits_by(*settings.limit, flesh, mesh);
  return stiffens(settings) ? limits_by(limit_of_tissue, flesh, mesh, most_displayed) : base.usual_limit;
}

SimulationSurface surface_of(const Character& character, const FleshSettings& settings) {
  return painted_surface(character, settings.color_stiffness, settings.along, fields_of_flesh(settings));
}

constexpr const char* no_creases =
    "creases: no two bones have parts of the skin that could touch, as a limb's do; leave creases out.";

void choose_skinning(const FleshSettings& settings, SimulationSurface& surface) try {
  set_skinning(skinning_of(settings), surface);
} catch (const Error&) {
  if (settings.creases == Creases::resolve) throw input_error(no_creases);
  throw;
}

// The body's vertices follow the surface's kind of skinning.
void skin_body(const SimulationSurface& surface, FleshDescription& description) {
  description.skinning = surface.skinning;
  description.carried = carried_correction(surface, description.mesh.positions);
}

// Surface, tetrahedra and skin weights.
FleshBase fill_with_flesh(const Character& character, const FleshSettings& settings, Stopwatch& watch,
                          const Progress& progress) {
  check_settings(settings_of(settings));
  if (settings.lattice.levels == 1 && strain_of_detail(settings.lattice))  // a file may leave levels to an option
    throw usage_error("levels: one level has no detail that adapt or a budget could choose from; use 2 or more.");
  FleshBase base;
  CookedFlesh& flesh = base.cooked;
  flesh.surface = surface_of(character, settings);
  choose_skinning(settings, flesh.surface);
  flesh.height = standing_height(flesh.surface);
  flesh.stages.push_back({"surface", watch.lap()});

  VolumeMesh volume = fill_surface(character, flesh.surface.rest, {settings.tetrahedra, settings.cell_size},
                                   part_of(progress, 0.0, 0.5));
  flesh.stages.push_back({"volume", watch.lap()});

  base.cell_size = volume.cell_size;
  FleshDescription& description = base.assembled.description;
  description.influences = body_influences(volume.mesh, volume.embedding, flesh.surface, part_of(progress, 0.5, 1.0));
  description.inside_fraction = std::move(volume.inside_fraction);
  description.mesh = std::move(volume.mesh);
  description.embedding = base.own_pieces = std::move(volume.embedding);
  description.surface_rest = flesh.surface.rest.positions;
  description.surface_influences = flesh.surface.influences;
  skin_body(flesh.surface, description);
  return base;
}

// Repeats these stages for a character whose mesh has not changed.
FleshBase filled_as(const FleshBase& before, const Character& character, const FleshSettings& settings) {
  check_settings(settings_of(settings));
  FleshBase base;
  base.cooked.surface = surface_of(character, settings);
  const FleshDescription& description = before.assembled.description;
  if (base.cooked.surface.rest.positions != description.surface_rest ||
      base.cooked.surface.influences != description.surface_influences)
    throw usage_error(
        "the character has another surface or other skin weights than its flesh was made for; prepare the "
        "flesh anew.");
  // Fields and volumes that a kind of skinning has found of the same surface hold on.
  constexpr std::size_t give = field("give");
  if (before.cooked.surface.skinning.kind == skinning_of(settings) &&
      before.cooked.surface.fields[give] == base.cooked.surface.fields[give])
    base.cooked.surface.skinning = before.cooked.surface.skinning;
  else
    choose_skinning(settings, base.cooked.surface);
  base.cooked.height = before.cooked.height;
  base.cell_size = before.cell_size;
  base.assembled.description = description;
  skin_body(base.cooked.surface, base.assembled.description);
  base.assembled.description.embedding = base.own_pieces = before.own_pieces;
  return base;
}

void find_tissues(const Character& character, const FleshSettings& settings, CookedFlesh& flesh) {
  if (settings.anatomy == no_anatomy || settings.free_body) return;
  const Names names = settings.anatomy == nameless_anatomy ? Names::ignored : Names::used;
  flesh.anatomy = find_anatomy(flesh.surface, character.anatomy, names);
}

// The fields by which skin stays out of other skin. Those of the same surface hold on.
void find_creases(const SimulationSurface& surface, const FleshSettings& settings, FleshDescription& description) {
  if (settings.creases == Creases::off)
    description.creases.reset();
  else if (surface.skinning.implicit)
    description.creases = surface.skinning.implicit;
  else if (!description.creases && !(description.creases = implicit_skin(surface)))
    throw input_error(no_creases);
}

// Finds where bone ends and flesh begins, and attaches the body there.
void find_bones(FleshBase& base, const FleshSettings& settings, const std::vector<double>& core) {
  FleshDescription& description = base.assembled.description;
  FleshMap& map = base.cooked.map;
  map = map_flesh(description.mesh, description.influences, base.cooked.surface, {core, core_weight(settings)});
  limit_depth(description.mesh, description.embedding, map);
  base.shells = thin_shell_fields(description.mesh, description.embedding, base.cooked.anatomy.shells);
  clear_thin_shells(base.shells, base.cooked.anatomy.shells, map);
  base.usual_limit = limits_by(usual_limit(settings.reference), base.cooked, description.mesh);
  const std::vector<char> loose = loose_pieces(description.mesh, map);
  base.thin = thin_parts(description.mesh, map, loose, base.cell_size);
  base.held = held_parts(description.mesh, base.shells, base.thin);
  base.thin = with_thin_shells(description.mesh, base.shells, std::move(base.thin));
  description.push_reach = push_reach({map, description.mesh, description.embedding, base.cooked.height});
  find_creases(base.cooked.surface, settings, description);
  description.core = map.core;
  description.keeps_rig_shape.assign(description.mesh.positions.size(), 0);
  for (std::size_t t = 0; t < loose.size(); ++t)
    for (int v : description.mesh.tetrahedra[t]) description.keeps_rig_shape[static_cast<std::size_t>(v)] |= loose[t];
  for (std::size_t v = 0; v < base.shells.share.size(); ++v)
    description.keeps_rig_shape[v] |= base.shells.share[v] > 0.5;
}

// Lets go of the bones, which then only give the body its shape.
void let_go_of_bones(FleshBase& base) {
  FleshDescription& description = base.assembled.description;
  for (std::vector<char>* held : {&base.cooked.map.core, &description.core, &description.keeps_rig_shape})
    held->assign(description.mesh.positions.size(), 0);
  base.held.assign(description.mesh.tetrahedra.size(), 0);
  description.push_reach.clear();
}

// Sag of a free body: how much a column of its height, of this material, is shortened by its weight.
Sag sag_of_column(const FleshBase& base) {
  const FleshDescription& description = base.assembled.description;
  const double height = base.cooked.height, weight = standard_gravity * description.material.density;
  const double sag = weight * height * height / (2 * description.material.young);
  return {std::vector<double>(description.mesh.positions.size(), sag), sag};
}

// Finds how flesh carries the rigid parts that stand on it, which makes nonlinear flesh stiff there, so that it moves
// those that stand free by itself. Returns the embedding of the surface in the flesh that carries it. A machine is
// rigid parts only, which go with their bones.
Embedding carry_rigid_parts(FleshBase& base, const FleshSettings& settings) {
  const TetrahedralMesh& mesh = base.assembled.description.mesh;
  const bool machine = base.cooked.anatomy.body_plan.plan == BodyPlan::robot;
  const bool stiff = elasticity_of(settings) == Elasticity::nonlinear && !machine;
  const auto shape = std::make_shared<KeptShape>();
  const std::vector<RigidPart>& parts = base.cooked.anatomy.rigid;
  const std::vector<char> shared = on_shared_pieces(mesh, parts, base.own_pieces);
  keep_rigid_parts(base.cooked.surface, parts, *shape, [&](const RigidPart& part) {
    return stiff && std::all_of(part.vertices.begin(), part.vertices.end(), [&](int v) { return shared[index(v)]; });
  });
  Embedding carried =
      machine ? base.own_pieces : carried_by_flesh(mesh, base.cooked.surface.rest, *shape, base.own_pieces);
  base.rigid_stiffening = rigid_stiffening(mesh, base.cooked.surface.rest, stiff ? *shape : KeptShape{}, carried);
  base.cooked.shape = shape;
  base.stiffening = thin_shell_stiffening(mesh, base.shells);
  for (std::size_t t = 0; t < base.stiffening.size(); ++t) base.stiffening[t] *= base.rigid_stiffening[t];
  return carried;
}

// `multiplier` is per vertex.
void set_stiffness(const FleshBase& base, const FleshSettings& settings, const std::vector<double>& multiplier,
                   FleshDescription& description) {
  description.young = mean_over_corners(description.mesh, multiplier);
  for (double& young : description.young) young *= description.material.young;
  std::vector<double> young = description.young;
  if (!base.shells.none()) {
    const std::vector<double> stiffening = thin_shell_stiffening(description.mesh, base.shells);
    for (std::size_t t = 0; t < young.size(); ++t) young[t] /= stiffening[t];
  }
  for (std::size_t t = 0; t < young.size(); ++t) description.young[t] *= base.rigid_stiffening[t];
  description.bone_stiffness = bone_stiffness(description.mesh, base.cooked.map, young,
                                              settings.free_body ? 0 : settings.bone_hold, base.cooked.height);
}

// A field per tetrahedron, in units of `unit`; empty where it is not painted.
std::vector<double> painted_per_tetrahedron(const FleshDescription& description, const Fields& painted,
                                            std::size_t field, double unpainted, double unit) {
  const std::vector<double> values =
      field_in_volume(description.mesh, description.embedding, painted, field, unpainted);
  if (values.empty()) return {};
  std::vector<double> result = mean_over_corners(description.mesh, values);
  for (double& value : result) value *= unit;
  return result;
}

// Applies stiffness and damping of joints and paint.
void set_material(FleshBase& base, const FleshSettings& settings, const BoneSettings& per_bone) {
  FleshDescription& description = base.assembled.description;
  const Fields& painted = base.cooked.surface.fields;
  const auto multiplied = [&](std::vector<double> result, std::size_t by) {
    multiply_painted(description.mesh, description.embedding, painted, by, result);
    return result;
  };
  std::vector<double> stiffness = blend_to_vertices(description.influences, per_bone.stiffness);
  stiffen_thin_shells(base.shells, blend_to_vertices(description.influences, per_bone.set_stiffness), stiffness);
  base.cooked.stiffness_multiplier = multiplied(std::move(stiffness), field("stiffness"));
  description.material = {1e4, settings.poisson, settings.density};
  description.element = settings.element;
  set_stiffness(base, settings, base.cooked.stiffness_multiplier, description);
  description.damping.clear();
  if (per_bone.damping_varies || !painted[field("damping")].empty())
    description.damping = mean_over_corners(
        description.mesh, multiplied(blend_to_vertices(description.influences, per_bone.damping), field("damping")));
  description.density = painted_per_tetrahedron(description, painted, field("density"), 1, settings.density);
  description.poisson = painted_per_tetrahedron(description, painted, field("poisson"), settings.poisson, 1);
  add_muscles(base.muscles, settings, description);
}

// Sag of the flesh without multipliers of settings and paint. The look refers to it, so that painting one region softer
// or stiffer leaves the rest as it is. Of the anatomy, only flesh counts. `found` is the anatomy's stiffness factor per
// bone.
Sag plain_sag(const FleshBase& base, const FleshSettings& settings, const std::vector<double>& found,
              const Progress& progress) {
  const FleshDescription& description = base.assembled.description;
  std::vector<double> multiplier = blend_to_vertices(description.influences, found);
  stiffen_thin_shells(base.shells, std::vector<double>(multiplier.size(), 1.0), multiplier);
  std::vector<double> share = resolved_share(description.mesh, base.thin);
  for (std::size_t v = 0; v < share.size(); ++v) share[v] /= multiplier[v];
  FleshDescription plain = description;
  plain.density.clear();
  plain.poisson.clear();
  set_stiffness(base, settings, multiplier, plain);
  if (plain.young == description.young && description.density.empty() && description.poisson.empty())
    return sag_under_gravity(base.assembled, share, progress);
  return sag_under_gravity(assemble_flesh(std::move(plain), &base.assembled), share, progress);
}

Fingerprint fingerprint_of(const FleshSettings& settings, Recooks least) {
  Fingerprint print;
  add_settings(print, settings_of(settings), least);
  return print;
}

// Fingerprint of what the bones, and the sag without joint settings, depend on. `core` is per bone.
std::uint64_t bones_and_sag(FleshSettings settings, const std::vector<double>& core) {
  settings.joints.clear();
  settings.color_stiffness = false;
  settings.along.clear();
  settings.muscles.clear();
  settings.core = 0;
  settings.lattice = {};
  return fingerprint_of(settings, Recooks::body).add(core).value();
}

std::uint64_t tetrahedra_settings(const FleshSettings& settings) {
  return fingerprint_of(settings, Recooks::everything).value();
}

// Fills in what a base has of its character's clips: their motion, and poses in them.
void sample_clips(const Character& character, FleshBase& base) {
  base.motion = sample_motion(character, base.cooked.surface);
  base.poses = sampled_poses(character, base.cooked.surface, factor_poses);
}

// Binds the filled body to its bones and assembles it, with what `before` has of the same settings; null: nothing. The
// motion of the clips is left to be sampled.
FleshBase bound_base(FleshBase base, const FleshBase* before, const Character& character, const FleshSettings& settings,
                     Stopwatch& watch, const Progress& progress) {
  report_or_stop(progress, binding, 0.0);
  find_tissues(character, settings, base.cooked);
  const BoneSettings per_bone = bone_settings(base.cooked.surface.bones, base.cooked.anatomy, settings);
  base.tetrahedra_settings = tetrahedra_settings(settings);
  base.bone_settings = bones_and_sag(settings, per_bone.core);
  base.body_settings = body_settings(settings);
  const bool same = before && base.bone_settings == before->bone_settings;
  if (same) {
    base.cooked.map = before->cooked.map;
    base.shells = before->shells;
    base.thin = before->thin;
    base.held = before->held;
    base.usual_limit = before->usual_limit;
  } else {
    find_bones(base, settings, per_bone.core);
    if (settings.free_body) let_go_of_bones(base);
  }
  report_or_stop(progress, binding, 0.1);
  Embedding carried = carry_rigid_parts(base, settings);
  base.muscles = muscles_of_settings(settings, character, base.cooked.surface, base.assembled.description);
  base.cooked.muscles = base.muscles.file;
  base.cooked.muscle_points = muscle_points(base.muscles.file, base.assembled.description.mesh);
  set_material(base, settings, per_bone);  // paint spreads over the surface's own pieces
  base.assembled.description.embedding = std::move(carried);
  base.cooked.stages.push_back({"bind", watch.lap()});
  report_or_stop(progress, "assembling the equations", 0.2);
  base.assembled = assemble_flesh(std::move(base.assembled.description), same ? &before->assembled : nullptr);
  base.sag = same                 ? before->sag
             : settings.free_body ? sag_of_column(base)
                                  : plain_sag(base, settings, per_bone.anatomy_stiffness, part_of(progress, 0.3, 1.0));
  base.cooked.stages.push_back({"assemble", watch.lap()});
  return base;
}

}  // namespace

FleshBase prepare_flesh_base(const Character& character, const FleshSettings& settings, const Progress& progress) {
  Stopwatch watch;
  FleshBase base = fill_with_flesh(character, settings, watch, part_of(progress, 0.0, 0.28));
  base = bound_base(std::move(base), nullptr, character, settings, watch, part_of(progress, 0.28, 1.0));
  sample_clips(character, base);
  return base;
}

FleshBase change_flesh_base(const FleshBase& before, const Character& character, const FleshSettings& settings,
                            const Progress& progress, bool same_clips) {
  if (before.tetrahedra_settings != tetrahedra_settings(settings))
    throw usage_error("these settings change the tetrahedra themselves; prepare the flesh anew.");
  Stopwatch watch;
  FleshBase base = bound_base(filled_as(before, character, settings), &before, character, settings, watch, progress);
  if (!same_clips) {
    sample_clips(character, base);
    return base;
  }
  base.motion = before.motion;
  base.poses = before.poses;
  return base;
}

namespace {

// Adds the vertices' springs to those of the tetrahedra, N/m per m^3, multiplied by the local stiffness of paint and
// settings.
void add_hold(const FleshDescription& flesh, const FleshBase& base, std::span<const double> hold,
              std::vector<double>& springs) {
  if (hold.empty()) return;
  const std::vector<double> mean = corner_means(flesh.mesh, [&](std::size_t v) { return hold[v]; });
  for (std::size_t t = 0; t < springs.size(); ++t)
    springs[t] += mean[t] * flesh.young[t] / (flesh.material.young * base.stiffening[t]);
}

// With a lattice, the tetrahedral body only tells where flesh is and keeps its assembled stiffness; the lattice is
// scaled instead. `flesh` and `body` are those of the base, or copies.
CookedFlesh finish(CookedFlesh flesh, FleshBody body, const FleshBase& base, const FleshSettings& settings,
                   const Progress& progress, SteppedFor what, std::vector<std::vector<Affine>> poses) {
  law_of(settings);  // throws where a host's energy would not act
  Stopwatch watch;
  const bool of_lattice = !settings.lattice.file.empty();
  body.description.limit = limits_of_display(base, flesh, settings, body.description.mesh);
  flesh.material = decide_material(base, flesh, body, settings);
  flesh.motion = base.motion;
  // A Young's modulus that the user gives applies everywhere. Integrals over a lattice must not depend on the look.
  std::vector<double> hold;
  if (!settings.young && !of_lattice && !settings.free_body)
    hold = hold_within_limits(base, flesh.surface, body, flesh.material.sag, material_preset(settings.look).damping);
  flesh.swings = sampled_swings(base, body, flesh.material.sag, hold, stiffening_lengths(flesh.map, settings));
  std::vector<double> springs = thin_springs(body.description, base, of_lattice ? base.sag.whole : flesh.material.sag);
  add_hold(body.description, base, hold, springs);
  if (!of_lattice) scale_stiffness(body, flesh.material.young / body.description.material.young);
  set_muscle_stress(flesh.muscles, flesh.material.young, body.description.muscles);
  if (!of_lattice) hold_tendons(base.muscles, body.description.muscles, springs);
  add_bone_stiffness(body, springs);
  // Rayleigh damping: half of the ratio from mass, half from stiffness, at the flesh's own frequency. That from mass
  // would slow a free body down.
  const double frequency = std::sqrt(standard_gravity / flesh.material.sag), of_mass = settings.free_body ? 0 : 1;
  body.description.mass_damping = of_mass * flesh.material.damping_ratio * frequency;
  body.description.stiffness_damping = (2 - of_mass) * flesh.material.damping_ratio / frequency;
  FleshDynamics steps =
      dynamics(settings, flesh.height, decide_step(settings, flesh.material.frequency, flesh.swings, what));
  if (stiffens(settings) && !of_lattice) steps.factor_poses = poses.empty() ? base.poses : std::move(poses);
  flesh.body = of_lattice ? uncooked_flesh(std::move(body), steps) : cook_flesh(std::move(body), steps, progress);
  flesh.stages.push_back({"cook", watch.lap()});
  report_or_stop(progress, "cooking the equations", 1.0);
  return flesh;
}

}  // namespace

std::uint64_t body_settings(const FleshSettings& settings) { return fingerprint_of(settings, Recooks::body).value(); }

void refuse_other_base(std::uint64_t base, const FleshSettings& settings) {
  if (base != body_settings(settings))
    throw usage_error("these settings change the body itself, not only how stiff it is; prepare the flesh anew.");
}

std::vector<std::vector<Affine>> poses_of_clips(const Character& character, const SimulationSurface& surface,
                                                std::vector<int> clips) {
  return sampled_poses(character, surface, std::move(clips), factor_poses);
}

CookedFlesh cook_flesh(const FleshBase& base, const FleshSettings& settings, const Progress& progress, SteppedFor what,
                       std::vector<std::vector<Affine>> poses) {
  check_settings(settings_of(settings));
  refuse_other_base(base.body_settings, settings);
  return finish(base.cooked, copy_assembled(base.assembled), base, settings, progress, what, std::move(poses));
}

CookedFlesh prepare_flesh(const Character& character, const FleshSettings& settings, const Progress& progress,
                          SteppedFor what, std::vector<int> clips) {
  FleshBase base = prepare_flesh_base(character, settings, part_of(progress, 0.0, 0.7));
  CookedFlesh flesh = std::move(base.cooked);
  FleshBody body = std::move(base.assembled);
  std::vector<std::vector<Affine>> poses = poses_of_clips(character, flesh.surface, std::move(clips));
  return finish(std::move(flesh), std::move(body), base, settings, part_of(progress, 0.7, 1.0), what, std::move(poses));
}

std::unique_ptr<BodyMotion> make_flesh(const CookedFlesh& flesh, const FleshSettings& settings) {
  if (!flesh.lattice_steps.empty()) return variable_step_flesh(flesh.lattice_steps);
  if (flesh.lattice) return lattice_flesh(flesh.lattice);
  if (!settings.lattice.file.empty())
    throw usage_error("the flesh was prepared for the control lattice " +
                      name_of_lattice_setting(settings.lattice.file) +
                      ", which is not there; call prepare_lattice() first.");
  if (elasticity_of(settings) == Elasticity::nonlinear) {
    QuasiNewton how;
    how.shape = settings.reference == Reference::rig ? NaturalShape::goal : NaturalShape::rest;
    how.law = law_of(settings);
    return quasi_newton_flesh(flesh.body, how);
  }
  return settings.reference == Reference::rig ? rig_reference_flesh(flesh.body)
                                              : elastic_reference_flesh(flesh.body, settings.warping);
}

std::unique_ptr<SurfaceCarrier> surface_carrier(const CookedFlesh& flesh) {
  return flesh.lattice ? surface_carrier(flesh.lattice) : surface_carrier(flesh.body);
}

// Strain is limited where the rig's edges are the rest; elasticity has a rest of its own.
DisplayClamps display_clamps(const CookedFlesh& flesh, const FleshSettings& settings) {
  constexpr double unseen = 1e-4;  // of the longest side
  DisplayClamps clamps;
  DisplayLimit& limit = clamps.limit.emplace();
  if (flesh.lattice)
    limit.of_vertices = flesh.lattice->description.surface_limit;
  else
    limit.of_points = flesh.body->description.limit;
  limit.releases = !settings.limit;
  if (stiffens(settings)) limit.untouched = untouched_by_limit;
  clamps.shape = flesh.shape;
  if (settings.reference == Reference::rig && !is_driven(settings) && !settings.free_body)
    clamps.strain = StrainLimit{.slack = unseen * longest_side(flesh.surface)};
  clamps.separates = settings.creases == Creases::resolve;
  clamps.bounded = settings.colliders.empty() && !settings.box && !settings.free_body;
  return clamps;
}

}  // namespace sinew
