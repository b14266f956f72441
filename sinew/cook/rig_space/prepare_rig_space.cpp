#include "sinew/cook/rig_space/prepare_rig_space.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>

#include "sinew/base/error.h"
#include "sinew/base/glob.h"
#include "sinew/base/index.h"
#include "sinew/base/stopwatch.h"
#include "sinew/cook/fill_surface.h"
#include "sinew/cook/flesh/material_preset.h"
#include "sinew/cook/painted_surface.h"
#include "sinew/cook/rig_space/choose_controls.h"
#include "sinew/deform/rig_space/parameter_effects.h"
#include "sinew/deform/rig_space/static_interior.h"
#include "sinew/deform/rig_space/tetrahedral_energy.h"
#include "sinew/deform/setting.h"
#include "sinew/linalg/symmetric_eigen.h"
#include "sinew/mesh/volume/surface_fitted_mesh.h"
#include "sinew/rig/rig_differences.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

constexpr double plain_young = 1e4;  // pascals, until the look decides
constexpr double turn = 2 * std::numbers::pi;
// Parameters that were found, not named, must also have an effect of their own in other poses (parameter_effects.h).
constexpr double own_effect_of_found = 1e-3;

std::vector<double> rest_values(const Rig& rig) {
  std::vector<double> p;
  for (const RigParameter& parameter : rig.parameters()) p.push_back(parameter.rest);
  return p;
}

RigJacobian rest_jacobian(Rig& rig, std::span<const int> free, std::vector<Vec3>& surface) {
  const std::vector<double> p = rest_values(rig);
  surface.resize(rig.vertices());
  rig.evaluate(p, surface);
  RigJacobian jacobian;
  if (!rig.jacobian(p, free, jacobian)) RigDifferences(rig, {free.begin(), free.end()}, p).jacobian(p, jacobian);
  return jacobian;
}

// Settings of single free parameters.
struct OfParameters {
  std::vector<double> stiffness, range;  // factors
};

OfParameters of_parameters(const CookedRigSpace& cooked, const RigSpaceSettings& settings) {
  OfParameters result{std::vector<double>(cooked.free.size(), 1.0), std::vector<double>(cooked.free.size(), 1.0)};
  const std::vector<RigParameter>& parameters = cooked.rig->parameters();
  std::string unused;
  for (const RigSpaceControl& control : settings.controls) {
    bool used = false;
    for (std::size_t i = 0; i < cooked.free.size(); ++i) {
      const RigParameter& parameter = parameters[index(cooked.free[i])];
      if (!matches(control.controls, parameter.name) && !matches(control.controls, parameter.control)) continue;
      result.stiffness[i] = control.stiffness;
      result.range[i] = control.range.value_or(result.range[i]);
      used = true;
    }
    if (!used) unused += (unused.empty() ? "'" : ", '") + control.controls + "'";
  }
  if (!unused.empty())
    throw usage_error("controls " + unused +
                      ": none of the free parameters has such a name; free it too, or leave it out.");
  return result;
}

// Jacobian of the boundary with respect to the free parameters, at rest.
ReducedBasis rest_basis(const CookedRigSpace& cooked) {
  std::vector<Vec3> surface;
  const RigJacobian jacobian = rest_jacobian(*cooked.rig, cooked.free, surface);
  return boundary_basis(*cooked.body, surface, jacobian);
}

// Stiffness factor per boundary vertex: the geometric mean over the parameters that move it, weighted by how far each
// does over its range. It is 1 where no parameter with a factor moves the vertex.
std::vector<double> boundary_factors(const CookedRigSpace& cooked, const ReducedBasis& basis,
                                     const std::vector<double>& factor) {
  std::vector<double> result(basis.vertices(), 1.0);
  for (std::size_t v = 0; v < basis.vertices(); ++v) {
    double sum = 0, weights = 0;
    for (auto e = index(basis.start[v]); e < index(basis.start[v + 1]); ++e)
      for (std::size_t j = 0; j < tile_width; ++j) {
        const std::size_t column = index(basis.tile[e]) * tile_width + j;
        if (column >= cooked.free.size()) break;
        const RigParameter& parameter = cooked.rig->parameters()[index(cooked.free[column])];
        const double* d = basis.value.data() + e * 3 * tile_width + j;
        const double weight = norm(Vec3{d[0], d[tile_width], d[2 * tile_width]}) * (parameter.upper - parameter.lower);
        sum += weight * std::log(factor[column]);
        weights += weight;
      }
    if (weights > 0) result[v] = std::exp(sum / weights);
  }
  return result;
}

// Averages over corners on the boundary; inside, values spread from tetrahedron to tetrahedron in rounds.
std::vector<double> tetrahedron_factors(const RigSpaceBody& body, std::vector<double> vertex) {
  std::vector<char> known(body.mesh.positions.size(), 0);
  std::fill_n(known.begin(), body.boundary_vertices(), 1);
  vertex.resize(body.mesh.positions.size(), 1.0);
  for (bool any = true; any;) {
    any = false;
    std::vector<double> sum(vertex.size(), 0.0), count(vertex.size(), 0.0);
    for (const Tetrahedron& t : body.mesh.tetrahedra)
      for (const int from : t)
        for (const int to : t)
          if (known[index(from)] && !known[index(to)]) sum[index(to)] += vertex[index(from)], ++count[index(to)];
    for (std::size_t v = 0; v < vertex.size(); ++v)
      if (count[v] > 0) vertex[v] = sum[v] / count[v], known[v] = 1, any = true;
  }
  std::vector<double> result;
  for (const Tetrahedron& t : body.mesh.tetrahedra)
    result.push_back((vertex[index(t[0])] + vertex[index(t[1])] + vertex[index(t[2])] + vertex[index(t[3])]) / 4);
  return result;
}

// Painted stiffness on boundary vertices.
void multiply_by_paint(const CookedRigSpace& cooked, std::vector<double>& vertex) {
  const std::vector<double>& stiffness = cooked.surface.fields[field("stiffness")];
  if (stiffness.empty()) return;
  for (std::size_t v = 0; v < vertex.size(); ++v) {
    double painted = 0;
    for (std::size_t k = 0; k < 3; ++k)
      painted +=
          cooked.body->anchors[v].weight[k] * stiffness[index(cooked.used[index(cooked.body->anchors[v].vertex[k])])];
    vertex[v] *= std::clamp(painted, painted_fields[field("stiffness")].least, painted_fields[field("stiffness")].most);
  }
}

void scale_moduli(RigSpaceBody& body, double factor) {
  for (double& shear : body.material.shear) shear *= factor;
  for (double& lambda : body.material.lambda) lambda *= factor;
}

// Jacobian of the body with respect to the free parameters, where the inside follows by the learned map. Fills in the
// inside of `x`, and restricts `energy` to what moves.
ReducedBasis followed_by_map(const RigSpaceBody& body, std::span<const Vec3> surface, const RigJacobian& jacobian,
                             TetrahedralEnergy& energy, std::span<Vec3> x) {
  place_interior(body, x);
  std::vector<Mat3> rotations;
  if (!body.correction.empty()) {
    rotations.resize(body.interior_vertices());
    interior_rotations(body.correction, x, rotations);
  }
  ReducedBasis basis = corrected_basis(body, surface, jacobian, rotations);
  std::vector<char> moves(x.size());
  for (std::size_t v = 0; v < moves.size(); ++v) moves[v] = basis.moves(v);
  energy.activate(moves);
  return basis;
}

// Computes that Jacobian without a learned map: the inside is solved for its equilibrium in every step.
ReducedBasis followed_in_equilibrium(const RigSpaceBody& body, std::span<const Vec3> surface,
                                     const RigJacobian& jacobian, TetrahedralEnergy& energy, std::span<Vec3> x) {
  energy.activate(std::vector<char>(x.size(), 1));
  StaticInterior inside(body, energy);
  inside.solve(x);
  return inside.basis(x, boundary_basis(body, surface, jacobian));
}

// Stiffness without the part in which vertices follow others; its sums do not cancel.
BlockMatrix blocks_on_the_diagonal(const BlockMatrix& matrix) {
  BlockMatrix result;
  result.rows = matrix.rows;
  result.row_start.push_back(0);
  for (int row = 0; row < matrix.rows; ++row) {
    result.column.push_back(row);
    result.block.push_back(matrix.block[index(find_block(matrix, row, row))]);
    result.row_start.push_back(row + 1);
  }
  return result;
}

// Lowest frequency of the free parameters in the rest pose, radians per second.
double lowest_frequency(const CookedRigSpace& cooked) {
  std::vector<Vec3> surface;
  const RigJacobian jacobian = rest_jacobian(*cooked.rig, cooked.free, surface);
  const RigSpaceBody& body = *cooked.body;
  std::vector<Vec3> x = body.mesh.positions;
  place_boundary(body, surface, x);
  TetrahedralEnergy energy(body.mesh, body.material);
  const ReducedBasis basis = body.has_skinning() ? followed_by_map(body, surface, jacobian, energy, x)
                                                 : followed_in_equilibrium(body, surface, jacobian, energy, x);
  energy.rest_at(x);
  BlockMatrix hessian = energy.hessian_pattern();
  energy.hessian(x, HyperelasticTangent::definite, hessian);
  const std::size_t size = basis.padded_columns(), count = cooked.free.size();
  std::vector<double> stiffness(size * size, 0.0), alone(size * size, 0.0), mass(size * size, 0.0);
  add_reduced_stiffness(basis, hessian, stiffness);
  add_reduced_stiffness(basis, blocks_on_the_diagonal(hessian), alone);
  add_reduced_mass(basis, body.mass, mass);
  // Scales parameters to equal mass, since rotations and translations have different units.
  const auto scaled = [&](const std::vector<double>& matrix) {
    std::vector<double> result(count * count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j) {
        const double row = std::sqrt(std::max(mass[i * size + i], 1e-300));
        const double column = std::sqrt(std::max(mass[j * size + j], 1e-300));
        result[i * count + j] = matrix[i * size + j] / (row * column);
      }
    return result;
  };
  const std::optional<SymmetricEigen> modes = generalized_symmetric_eigen(scaled(stiffness), scaled(mass), count);
  const double lowest = modes ? modes->values.front() : 0;
  // Motion without strain leaves rounding errors of either sign, about 1e-17 of the terms that cancel. Bending of a
  // body a hundred cells long leaves 1e-6 of them.
  constexpr double strains_nothing = 1e-12;
  const std::vector<double> terms = scaled(alone);
  double largest_term = 0;
  for (std::size_t i = 0; i < count; ++i) largest_term = std::max(largest_term, terms[i * count + i]);
  if (!(lowest > strains_nothing * largest_term))
    throw input_error(
        "the free parameters move the body without straining it, so that it has no frequency to "
        "swing at; free controls that move a part of it only, or give Young's modulus.");
  return std::sqrt(lowest);
}

// Parameters of hanging bones: rotations, and translations where allowed.
std::vector<int> hanging_parameters(const CharacterRig& rig, const SimulationSurface& surface,
                                    std::span<const HangingBone> bones) {
  std::vector<int> result;
  for (const HangingBone& hanging : bones) {
    const int first = rig.first_parameter(surface.bones[index(hanging.bone)].joint);
    if (first < 0) continue;
    for (int i = hanging.translates ? 0 : 3; i < 6; ++i) result.push_back(first + i);
  }
  return result;
}

std::string nothing_hangs(const SimulationSurface& surface) {
  std::string names;
  for (const int b : bones_to_name(surface, 3))
    names += (names.empty() ? "'" : ", '") + surface.bones[index(b)].name + "'";
  return "--free auto: no control of this rig hangs in flesh as helpers, ears and tails do; name some" +
         (names.empty() ? std::string() : ", such as " + names) + " (`sinew info FILE --controls` lists them all).";
}

// The free parameters, and problems with the choice.
struct FreeParameters {
  std::vector<int> parameters;        // ascending
  std::vector<char> named;            // per rig parameter: selected by a pattern, not only found
  std::vector<std::string> problems;  // sentences
};

FreeParameters free_parameters(const CookedRigSpace& cooked, const RigSpaceSettings& settings) {
  const std::vector<RigParameter>& parameters = cooked.whole_rig->parameters();
  std::vector<std::string> patterns = settings.free;
  const bool automatic = std::erase(patterns, free_automatically) > 0;
  const ChosenParameters chosen = chosen_parameters(parameters, patterns);
  FreeParameters free;
  free.named.resize(parameters.size());
  for (const int i : chosen.parameters) free.named[index(i)] = 1;
  std::vector<char> wanted = free.named;
  if (automatic) {
    const CharacterRig* rig = cooked.own.get();
    std::vector<int> found;
    if (rig) found = hanging_parameters(*rig, cooked.surface, controls_in_flesh(cooked.surface));
    for (const int i : found) wanted[index(i)] = 1;
    if (!rig)
      free.problems.push_back("--free auto: what hangs in flesh is not known of a rig outside; name its controls.");
    else if (found.empty())
      free.problems.push_back(nothing_hangs(cooked.surface));
  }
  if (!chosen.unmatched.empty()) {
    std::string names;
    for (const std::string& pattern : chosen.unmatched) names += (names.empty() ? "'" : ", '") + pattern + "'";
    free.problems.push_back("--free: no control of the rig that physics could move has a name like " + names +
                            "; `sinew info FILE --controls` lists them.");
  }
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i]) free.parameters.push_back(static_cast<int>(i));
  return free;
}

// Removes found parameters that the body cannot tell apart; for named ones that is a problem.
void leave_out_without_effect(CookedRigSpace& cooked, FreeParameters& free) {
  const ReducedBasis basis = rest_basis(cooked);
  const auto is_named = [&](const DependentParameter& found) {
    return free.named[index(cooked.free[index(found.parameter)])] != 0;
  };
  std::vector<DependentParameter> wrong;
  for (const DependentParameter& found : find_dependent(*cooked.body, *cooked.rig, cooked.free, basis))
    if (is_named(found)) wrong.push_back(found);
  std::vector<char> out(cooked.free.size(), 0);
  for (const DependentParameter& found :
       find_dependent(*cooked.body, *cooked.rig, cooked.free, basis, own_effect_of_found))
    if (!is_named(found)) out[index(found.parameter)] = 1;
  const std::vector<std::string> sentences = sentences_of(*cooked.rig, cooked.free, wrong);
  free.problems.insert(free.problems.end(), sentences.begin(), sentences.end());
  std::vector<int> kept, left_out;
  for (std::size_t i = 0; i < out.size(); ++i) (out[i] ? left_out : kept).push_back(cooked.free[i]);
  if (left_out.empty()) return;
  if (kept.empty()) free.problems.push_back(nothing_hangs(cooked.surface));
  cooked.free = kept;
  cooked.notes.push_back("--free auto leaves out what moves nothing of the body, or nothing by itself: " +
                         listed_parameters(cooked.rig->parameters(), left_out) + ".");
}

void throw_if_any(const std::vector<std::string>& problems, bool usage) {
  if (problems.empty()) return;
  std::string all;
  for (const std::string& problem : problems) all += (all.empty() ? "" : " ") + problem;
  throw usage ? usage_error(all) : input_error(all);
}

}  // namespace

std::vector<FieldInUse> rig_space_fields() { return {{field("stiffness"), 1}}; }

CookedRigSpace prepare_rig_space(const Character& character, const RigSpaceSettings& settings, const RigMaker& make_rig,
                                 const Progress& progress) {
  check_settings(settings_of(settings));
  check_any_free(settings);
  CookedRigSpace cooked;
  Stopwatch watch;
  const auto finish_stage = [&](const char* name) { cooked.stages.push_back({name, watch.lap()}); };
  cooked.surface = painted_surface(character, settings.color_stiffness, settings.along, rig_space_fields());
  set_skinning(settings.skinning, cooked.surface);
  cooked.height = standing_height(cooked.surface);
  finish_stage("surface");

  MadeRig whole = make_rig({});
  cooked.whole_rig = std::move(whole.rig);
  cooked.own = std::move(whole.own);
  FreeParameters free = free_parameters(cooked, settings);
  cooked.free = free.parameters;
  const bool misnamed = !free.problems.empty();
  if (cooked.free.empty()) throw_if_any(free.problems, misnamed);
  SurfaceFittedMesh fitted =
      fit_to_surface(cooked.surface.rest,
                     fill_surface(character, cooked.surface.rest, {settings.tetrahedra, settings.cell_size}, progress));
  cooked.used = anchored_vertices(fitted.anchors);
  cooked.rig = make_rig(cooked.used).rig;
  cooked.body = std::make_shared<RigSpaceBody>();
  RigSpaceBody& body = *cooked.body;
  body.height = cooked.height;
  body.anchors = renumbered(fitted.anchors, cooked.used);
  body.mesh = std::move(fitted.mesh);
  body.material.law = settings.material;
  body.material.fill = std::move(fitted.inside_fraction);
  body.mass = vertex_masses(body.mesh, body.material.fill, settings.density);
  finish_stage("volume");

  const LameModuli moduli = lame_moduli(settings.young.value_or(plain_young), settings.poisson);
  leave_out_without_effect(cooked, free);
  throw_if_any(free.problems, misnamed);
  if (std::find(settings.free.begin(), settings.free.end(), free_automatically) != settings.free.end())
    cooked.notes.push_back("--free auto: free are " + listed_parameters(cooked.rig->parameters(), cooked.free) + ".");
  const OfParameters own = of_parameters(cooked, settings);
  const ReducedBasis basis = rest_basis(cooked);
  std::vector<double> vertex = boundary_factors(cooked, basis, own.stiffness);
  multiply_by_paint(cooked, vertex);
  for (const double factor : tetrahedron_factors(body, std::move(vertex))) {
    body.material.shear.push_back(factor * moduli.shear);
    body.material.lambda.push_back(factor * moduli.lambda);
  }
  RigSpaceDynamics& dynamics = cooked.dynamics;
  dynamics.rest = settings.reference == Reference::rig ? RestShape::pose : RestShape::body;
  dynamics.interior = settings.inside;
  dynamics.deferred = settings.deferred;
  dynamics.predictor = settings.predictor;
  dynamics.linearity = settings.linearity;
  dynamics.limit_stiffness = settings.limit;
  dynamics.range = own.range;
  if (settings.gravity) dynamics.gravity = {0, -9.81, 0};
  finish_stage("body");
  return cooked;
}

void correct_interior(CookedRigSpace& cooked, const RigSpaceSettings& settings) {
  if (settings.inside == InteriorVertices::corrected)
    cooked.body->correction = interior_correction(*cooked.body, rest_basis(cooked));
}

void decide_rig_space_material(CookedRigSpace& cooked, const RigSpaceSettings& settings) {
  const double plain = lowest_frequency(cooked), wanted = turn * preset_frequency(settings.look, cooked.height);
  const double factor = settings.young ? 1 : wanted * wanted / (plain * plain);
  scale_moduli(*cooked.body, factor);
  const double frequency = plain * std::sqrt(factor);
  cooked.material.young = settings.young.value_or(plain_young) * factor;
  cooked.material.frequency = frequency / turn;
  cooked.material.damping_ratio = settings.damping.value_or(material_preset(settings.look).damping);
  cooked.material.sag = 9.81 / (frequency * frequency);
  // Implicit Euler itself damps by omega h / 2.
  const double own = frequency * settings.step / 2;
  cooked.dynamics.stiffness_damping = std::max(0.0, 2 * (cooked.material.damping_ratio - own) / frequency);
}

}  // namespace sinew
