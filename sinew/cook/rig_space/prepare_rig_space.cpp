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
#include "sinew/cook/flesh/look.h"
#include "sinew/cook/rig_space/choose_controls.h"
#include "sinew/deform/rig_space/parameter_effects.h"
#include "sinew/deform/rig_space/static_interior.h"
#include "sinew/deform/rig_space/tetrahedral_energy.h"
#include "sinew/deform/setting.h"
#include "sinew/linalg/symmetric_eigen.h"
#include "sinew/mesh/volume/surface_fitted_mesh.h"
#include "sinew/rig/rig_differences.h"
#include "sinew/rig/skeleton_rig.h"

namespace sinew {
namespace {

constexpr double plain_young = 1e4;  // pascals, until the look has spoken
constexpr double turn = 2 * std::numbers::pi;
// What is found, and not named, has an effect of its own in other poses too (parameter_effects.h).
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

// What the settings say of single free parameters.
struct OfParameters {
  std::vector<double> stiffness, range;  // factors
};

OfParameters of_parameters(const CookedRigSpace& scene, const RigSpaceSettings& settings) {
  OfParameters result{std::vector<double>(scene.free.size(), 1.0), std::vector<double>(scene.free.size(), 1.0)};
  const std::vector<RigParameter>& parameters = scene.rig->parameters();
  std::string unused;
  for (const RigSpaceControl& control : settings.controls) {
    bool used = false;
    for (std::size_t i = 0; i < scene.free.size(); ++i) {
      const RigParameter& parameter = parameters[index(scene.free[i])];
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

// How the boundary moves with the free parameters, all at rest.
ReducedBasis rest_basis(const CookedRigSpace& scene) {
  std::vector<Vec3> surface;
  const RigJacobian jacobian = rest_jacobian(*scene.rig, scene.free, surface);
  return boundary_basis(*scene.body, surface, jacobian);
}

// Per boundary vertex: the geometric mean of the factors of the parameters that move it, weighted by how far each does
// over its range. What no parameter with a factor moves has one.
std::vector<double> boundary_factors(const CookedRigSpace& scene, const ReducedBasis& basis,
                                     const std::vector<double>& factor) {
  std::vector<double> result(basis.vertices(), 1.0);
  for (std::size_t v = 0; v < basis.vertices(); ++v) {
    double sum = 0, weights = 0;
    for (auto e = index(basis.start[v]); e < index(basis.start[v + 1]); ++e)
      for (std::size_t j = 0; j < tile_width; ++j) {
        const std::size_t column = index(basis.tile[e]) * tile_width + j;
        if (column >= scene.free.size()) break;
        const RigParameter& parameter = scene.rig->parameters()[index(scene.free[column])];
        const double* d = basis.value.data() + e * 3 * tile_width + j;
        const double weight = norm(Vec3{d[0], d[tile_width], d[2 * tile_width]}) * (parameter.upper - parameter.lower);
        sum += weight * std::log(factor[column]);
        weights += weight;
      }
    if (weights > 0) result[v] = std::exp(sum / weights);
  }
  return result;
}

// Means over the corners that lie on the boundary; inside, of the nearest ones by rounds over the tetrahedra.
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
void multiply_by_paint(const CookedRigSpace& scene, std::vector<double>& vertex) {
  const std::vector<double>& stiffness = scene.surface.fields[field("stiffness")];
  if (stiffness.empty()) return;
  for (std::size_t v = 0; v < vertex.size(); ++v) {
    double painted = 0;
    for (std::size_t k = 0; k < 3; ++k)
      painted +=
          scene.body->anchors[v].weight[k] * stiffness[index(scene.used[index(scene.body->anchors[v].vertex[k])])];
    vertex[v] *= std::clamp(painted, painted_fields[field("stiffness")].least, painted_fields[field("stiffness")].most);
  }
}

void scale_moduli(RigSpaceBody& body, double factor) {
  for (double& shear : body.material.shear) shear *= factor;
  for (double& lambda : body.material.lambda) lambda *= factor;
}

// How the body moves with the free parameters where its inside follows by the map from the boundary that was learned.
// Fills in the inside of `x`, and has `energy` look at what moves.
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

// The same where no map was learned, because the inside is solved for its equilibrium in every step.
ReducedBasis followed_in_equilibrium(const RigSpaceBody& body, std::span<const Vec3> surface,
                                     const RigJacobian& jacobian, TetrahedralEnergy& energy, std::span<Vec3> x) {
  energy.activate(std::vector<char>(x.size(), 1));
  StaticInterior inside(body, energy);
  inside.solve(x);
  return inside.basis(x, boundary_basis(body, surface, jacobian));
}

// The stiffness that is left where no vertex follows another: sums of it do not cancel.
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

// Radians per second: lowest of the free parameters in the rest pose.
double lowest_frequency(const CookedRigSpace& scene) {
  std::vector<Vec3> surface;
  const RigJacobian jacobian = rest_jacobian(*scene.rig, scene.free, surface);
  const RigSpaceBody& body = *scene.body;
  std::vector<Vec3> x = body.mesh.positions;
  place_boundary(body, surface, x);
  TetrahedralEnergy energy(body.mesh, body.material);
  const ReducedBasis basis = body.has_skinning() ? followed_by_map(body, surface, jacobian, energy, x)
                                                 : followed_in_equilibrium(body, surface, jacobian, energy, x);
  energy.rest_at(x);
  BlockMatrix hessian = energy.hessian_pattern();
  energy.hessian(x, HyperelasticTangent::definite, hessian);
  const std::size_t size = basis.padded_columns(), count = scene.free.size();
  std::vector<double> stiffness(size * size, 0.0), alone(size * size, 0.0), mass(size * size, 0.0);
  add_reduced_stiffness(basis, hessian, stiffness);
  add_reduced_stiffness(basis, blocks_on_the_diagonal(hessian), alone);
  add_reduced_mass(basis, body.mass, mass);
  // In units in which every parameter has the same mass: those of rotations and of translations are not alike.
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
  // Motion without strain leaves rounding of terms that cancel, of either sign: some 1e-17 of these terms. What bends a
  // body that is a hundred cells long leaves 1e-6 of them.
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

// Parameters of what hangs in flesh: turns, and shifts where it may.
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

// What is to be free, and what is wrong with it.
struct FreeParameters {
  std::vector<int> parameters;        // ascending
  std::vector<char> named;            // per parameter of the rig: by a pattern, not only found
  std::vector<std::string> problems;  // sentences
};

FreeParameters free_parameters(const CookedRigSpace& scene, const RigSpaceSettings& settings) {
  const std::vector<RigParameter>& parameters = scene.whole_rig->parameters();
  std::vector<std::string> patterns = settings.free;
  const bool automatic = std::erase(patterns, free_automatically) > 0;
  const ChosenParameters chosen = chosen_parameters(parameters, patterns);
  FreeParameters free;
  free.named.resize(parameters.size());
  for (const int i : chosen.parameters) free.named[index(i)] = 1;
  std::vector<char> wanted = free.named;
  if (automatic) {
    const CharacterRig* rig = scene.own.get();
    std::vector<int> found;
    if (rig) found = hanging_parameters(*rig, scene.surface, controls_in_flesh(scene.surface));
    for (const int i : found) wanted[index(i)] = 1;
    if (!rig)
      free.problems.push_back("--free auto: what hangs in flesh is not known of a rig outside; name its controls.");
    else if (found.empty())
      free.problems.push_back(nothing_hangs(scene.surface));
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

// Of what was found, takes out what the body does not tell apart; of what was named, that is a problem.
void leave_out_without_effect(CookedRigSpace& scene, FreeParameters& free) {
  const ReducedBasis basis = rest_basis(scene);
  const auto is_named = [&](const DependentParameter& found) {
    return free.named[index(scene.free[index(found.parameter)])] != 0;
  };
  std::vector<DependentParameter> wrong;
  for (const DependentParameter& found : find_dependent(*scene.body, *scene.rig, scene.free, basis))
    if (is_named(found)) wrong.push_back(found);
  std::vector<char> out(scene.free.size(), 0);
  for (const DependentParameter& found :
       find_dependent(*scene.body, *scene.rig, scene.free, basis, own_effect_of_found))
    if (!is_named(found)) out[index(found.parameter)] = 1;
  const std::vector<std::string> sentences = sentences_of(*scene.rig, scene.free, wrong);
  free.problems.insert(free.problems.end(), sentences.begin(), sentences.end());
  std::vector<int> kept, left_out;
  for (std::size_t i = 0; i < out.size(); ++i) (out[i] ? left_out : kept).push_back(scene.free[i]);
  if (left_out.empty()) return;
  if (kept.empty()) free.problems.push_back(nothing_hangs(scene.surface));
  scene.free = kept;
  scene.notes.push_back("--free auto leaves out what moves nothing of the body, or nothing by itself: " +
                        listed_parameters(scene.rig->parameters(), left_out) + ".");
}

void throw_if_any(const std::vector<std::string>& problems, bool usage) {
  if (problems.empty()) return;
  std::string all;
  for (const std::string& problem : problems) all += (all.empty() ? "" : " ") + problem;
  throw usage ? usage_error(all) : input_error(all);
}

}  // namespace

CookedRigSpace prepare_rig_space(const Character& character, const RigSpaceSettings& settings, const RigMaker& make_rig,
                                 const Progress& progress) {
  check_settings(settings);
  check_any_free(settings);
  CookedRigSpace scene;
  Stopwatch watch;
  const auto finish_stage = [&](const char* name) { scene.stages.push_back({name, watch.lap()}); };
  scene.surface = simulation_surface(character, settings.color_stiffness);
  scene.height = standing_height(scene.surface);
  finish_stage("surface");

  MadeRig whole = make_rig({});
  scene.whole_rig = std::move(whole.rig);
  scene.own = std::move(whole.own);
  FreeParameters free = free_parameters(scene, settings);
  scene.free = free.parameters;
  const bool misnamed = !free.problems.empty();
  if (scene.free.empty()) throw_if_any(free.problems, misnamed);
  SurfaceFittedMesh fitted =
      fit_to_surface(scene.surface.rest,
                     fill_surface(character, scene.surface.rest, {settings.tetrahedra, settings.cell_size}, progress));
  scene.used = anchored_vertices(fitted.anchors);
  scene.rig = make_rig(scene.used).rig;
  scene.body = std::make_shared<RigSpaceBody>();
  RigSpaceBody& body = *scene.body;
  body.height = scene.height;
  body.anchors = renumbered(fitted.anchors, scene.used);
  body.mesh = std::move(fitted.mesh);
  body.material.law = settings.material;
  body.material.fill = std::move(fitted.inside_fraction);
  body.mass = vertex_masses(body.mesh, body.material.fill, settings.density);
  finish_stage("volume");

  const LameModuli moduli = lame_moduli(settings.young.value_or(plain_young), settings.poisson);
  leave_out_without_effect(scene, free);
  throw_if_any(free.problems, misnamed);
  if (std::find(settings.free.begin(), settings.free.end(), free_automatically) != settings.free.end())
    scene.notes.push_back("--free auto: free are " + listed_parameters(scene.rig->parameters(), scene.free) + ".");
  const OfParameters own = of_parameters(scene, settings);
  const ReducedBasis basis = rest_basis(scene);
  std::vector<double> vertex = boundary_factors(scene, basis, own.stiffness);
  multiply_by_paint(scene, vertex);
  for (const double factor : tetrahedron_factors(body, std::move(vertex))) {
    body.material.shear.push_back(factor * moduli.shear);
    body.material.lambda.push_back(factor * moduli.lambda);
  }
  RigSpaceDynamics& dynamics = scene.dynamics;
  dynamics.rest = settings.reference == Reference::rig ? RestShape::pose : RestShape::body;
  dynamics.interior = settings.inside;
  dynamics.deferred = settings.deferred;
  dynamics.predictor = settings.predictor;
  dynamics.linearity = settings.linearity;
  dynamics.limit_stiffness = settings.limit;
  dynamics.range = own.range;
  if (settings.gravity) dynamics.gravity = {0, -9.81, 0};
  finish_stage("body");
  return scene;
}

void correct_interior(CookedRigSpace& scene, const RigSpaceSettings& settings) {
  if (settings.inside == InteriorVertices::corrected)
    scene.body->correction = interior_correction(*scene.body, rest_basis(scene));
}

void decide_rig_space_material(CookedRigSpace& scene, const RigSpaceSettings& settings) {
  const double plain = lowest_frequency(scene), wanted = turn * look_frequency(settings.look, scene.height);
  const double factor = settings.young ? 1 : wanted * wanted / (plain * plain);
  scale_moduli(*scene.body, factor);
  const double frequency = plain * std::sqrt(factor);
  scene.material.young = settings.young.value_or(plain_young) * factor;
  scene.material.frequency = frequency / turn;
  scene.material.damping_ratio = settings.damping.value_or(look_values(settings.look).damping);
  scene.material.sag = 9.81 / (frequency * frequency);
  // Implicit Euler damps by omega h / 2 of itself.
  const double own = frequency * settings.step / 2;
  scene.dynamics.stiffness_damping = std::max(0.0, 2 * (scene.material.damping_ratio - own) / frequency);
}

}  // namespace sinew
