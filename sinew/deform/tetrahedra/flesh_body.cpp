#include "sinew/deform/tetrahedra/flesh_body.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/deform/tetrahedra/factor_levels.h"
#include "sinew/deform/tetrahedra/free_rigid_motion.h"
#include "sinew/deform/tetrahedra/pose_stiffness.h"
#include "sinew/elastic/stiffness.h"
#include "sinew/mesh/shape_gradients.h"

namespace sinew {
namespace {

constexpr const char* cooking = "cooking the equations";

// A rounded factor that is further than this from the inverse would cost Krylov iterations.
constexpr double most_preconditioner_error = 0.1;

// Row-sum lumping of (5.12): integral of phi_i over the bones' neighbourhood, times its stiffness.
std::vector<double> lumped_bone_springs(const TetrahedralMesh& mesh, std::span<const double> density) {
  std::vector<double> spring(mesh.positions.size(), 0.0);
  if (density.empty()) return spring;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const auto& corner = mesh.tetrahedra[t];
    const auto x = [&](std::size_t k) -> const Vec3& { return mesh.positions[static_cast<std::size_t>(corner[k])]; };
    const double quarter = volume(x(0), x(1), x(2), x(3)) * density[t] / 4;
    for (int v : corner) spring[static_cast<std::size_t>(v)] += quarter;
  }
  return spring;
}

// Adds d_i to the diagonal blocks of row keep[i].
void add_diagonal(BlockMatrix& matrix, std::span<const int> keep, std::span<const double> diagonal, double factor) {
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i] < 0) continue;
    Mat3& block = matrix.block[static_cast<std::size_t>(find_block(matrix, keep[i], keep[i]))];
    for (std::size_t k = 0; k < 3; ++k) block(k, k) += factor * diagonal[i];
  }
}

void add_matrix(BlockMatrix& matrix, const BlockMatrix& other, double factor) {
  for (std::size_t b = 0; b < matrix.block.size(); ++b) matrix.block[b] += other.block[b] * factor;
}

// Per sample: mean of the tetrahedra's damping multipliers, weighted by how the sample was made. Samples
// of single tetrahedra come first, in order; patches follow.
std::vector<double> sample_damping(const FleshDescription& description, const StrainSamples& samples) {
  const std::size_t tetrahedra = description.mesh.tetrahedra.size();
  std::vector<double> factor(samples.size(), 1.0);
  std::copy(description.damping.begin(), description.damping.end(), factor.begin());
  if (description.element == Element::linear) return factor;
  const std::vector<int> patch = cluster_tetrahedra(description.mesh, patch_size);
  std::vector<double> sum(samples.size() - tetrahedra, 0.0), weight(samples.size() - tetrahedra, 0.0);
  for (std::size_t t = 0; t < tetrahedra; ++t) {
    const auto p = static_cast<std::size_t>(patch[t]);
    sum[p] += samples.volume[t] * description.damping[t];
    weight[p] += samples.volume[t];
  }
  for (std::size_t p = 0; p < sum.size(); ++p) factor[tetrahedra + p] = sum[p] / weight[p];
  return factor;
}

std::vector<double> vertex_damping(const FleshDescription& description) {
  const TetrahedralMesh& mesh = description.mesh;
  std::vector<double> sum(mesh.positions.size(), 0.0), count(mesh.positions.size(), 0.0);
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t)
    for (int v : mesh.tetrahedra[t]) {
      sum[static_cast<std::size_t>(v)] += description.damping[t];
      count[static_cast<std::size_t>(v)] += 1;
    }
  for (std::size_t v = 0; v < sum.size(); ++v) sum[v] = count[v] > 0 ? sum[v] / count[v] : 1.0;
  return sum;
}

BlockMatrix damping_matrix(const FleshBody& body) {
  const FleshDescription& description = body.description;
  const auto vertices = static_cast<int>(description.mesh.positions.size());
  const auto free = static_cast<int>(body.free_vertex.size());
  BlockMatrix damping = principal_submatrix(
      rest_stiffness(body.samples, vertices, sample_damping(description, body.samples)), body.free_index, free);
  const std::vector<double> multiplier = vertex_damping(description);
  for (Mat3& block : damping.block) block *= description.stiffness_damping;
  std::vector<double> diagonal(multiplier.size());
  for (std::size_t v = 0; v < multiplier.size(); ++v)
    diagonal[v] =
        multiplier[v] * (description.mass_damping * body.mass[v] + description.stiffness_damping * body.bone_spring[v]);
  add_diagonal(damping, body.free_index, diagonal, 1.0);
  return damping;
}

// Stiffness of muscles in the factors, as a share of their largest stress: tension stiffens them across fibres, and
// Hill's curve along them. Without it the wrestler's steps take 1.6 times the iterations that they take with 0.7; with
// 2 those of muscles that do not flex take 1.3 times as many.
constexpr double muscle_stiffness_in_factor = 0.7;

// Adds the mean stiffness of active muscles, of which the factors are made for all activations.
void add_muscle_stiffness(const FleshBody& body, BlockMatrix& stiffness) {
  const FleshDescription& d = body.description;
  for (const MuscleFibre& fibre : d.muscles.fibres) {
    const auto t = static_cast<std::size_t>(fibre.tetrahedron);
    const ShapeGradients shape = shape_gradients(d.mesh, t);
    const double stress = d.muscles.muscles[static_cast<std::size_t>(fibre.muscle)].stress;
    const double inside = d.inside_fraction.empty() ? 1 : d.inside_fraction[t];
    const double weight = muscle_stiffness_in_factor * stress * shape.volume * inside * fibre.share;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        const int row = body.free_index[static_cast<std::size_t>(d.mesh.tetrahedra[t][i])],
                  column = body.free_index[static_cast<std::size_t>(d.mesh.tetrahedra[t][j])];
        if (row < 0 || column < 0) continue;
        Mat3& block = stiffness.block[static_cast<std::size_t>(find_block(stiffness, row, column))];
        const double value = weight * dot(shape.gradient[i], fibre.direction) * dot(shape.gradient[j], fibre.direction);
        for (std::size_t k = 0; k < 3; ++k) block(k, k) += value;
      }
  }
}

// The stiffness S that the factors are made of.
BlockMatrix stiffness_of_factors(const FleshBody& body) {
  BlockMatrix stiffness = body.stiffness;
  const std::vector<std::vector<Affine>>& poses = body.dynamics.factor_poses;
  VertexFrames frames;
  for (const std::vector<Affine>& bones : poses) {
    predict_frames(points_of(body.description), bones, frames);
    add_matrix(stiffness, pose_stiffness(body, frames), 1);
  }
  for (Mat3& block : stiffness.block) block *= 1.0 / static_cast<double>(poses.size() + 1);
  if (!body.dynamics.exact_factor()) add_muscle_stiffness(body, stiffness);
  return stiffness;
}

// `scale`: of stiffness and damping.
BlockMatrix dynamic_system(const FleshBody& body, BlockMatrix system, double scale) {
  const GeneralizedAlpha& method = body.method;
  const double stiffness_damping = body.uniform_damping() ? body.description.stiffness_damping : 0.0;
  const double mass_damping = body.uniform_damping() ? body.description.mass_damping : 0.0;
  const double factor = scale * body.dynamics.factor_stiffness * method.force_factor() *
                        (1 + method.velocity_factor() * stiffness_damping);
  for (Mat3& block : system.block) block *= factor;
  add_diagonal(system, body.free_index, body.mass,
               method.mass_factor() + method.force_factor() * method.velocity_factor() * mass_damping);
  if (!body.uniform_damping())
    add_matrix(system, body.damping, scale * method.force_factor() * method.velocity_factor());
  return system;
}

constexpr const char* hangs_on_nothing =
    "a part of the flesh hangs on no bone, so that its weight has nowhere to go; raise `core` or `bone_hold`.";

// Factor of the static system S, free x free; empty if S is not definite.
std::optional<BlockCholesky> factor_static(const FleshBody& body, const BlockMatrix& stiffness,
                                           FactorPrecision precision, const Progress& progress) {
  BlockCholesky factor = body.factor.of_same_pattern();
  report_or_stop(progress, cooking, 0.1);
  try {
    factor.factor(stiffness, precision);
  } catch (const Error&) {
    return {};
  }
  return factor;
}

// Free vertices that the surface hangs on, ascending.
std::vector<int> carrying_vertices(const FleshBody& body) {
  std::vector<char> carries(body.free_vertex.size(), 0);
  for (const EmbeddedPoint& point : body.description.embedding.points) {
    if (point.tetrahedron < 0) continue;
    for (const int vertex : body.description.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)])
      if (const int f = body.free_index[static_cast<std::size_t>(vertex)]; f >= 0)
        carries[static_cast<std::size_t>(f)] = 1;
  }
  std::vector<int> vertices;
  for (std::size_t f = 0; f < carries.size(); ++f)
    if (carries[f]) vertices.push_back(static_cast<int>(f));
  return vertices;
}

}  // namespace

SkinnedPoints points_of(const FleshDescription& description) {
  SkinnedPoints points = skin_of(description.mesh.positions, description.influences, description.skinning);
  points.carried = &description.carried;
  return points;
}

void factor_step(const FleshBody& body, const BlockMatrix& stiffness, double scale, BlockCholesky& factor) {
  const BlockMatrix system = dynamic_system(body, stiffness, scale);
  factor.factor(system, body.dynamics.factor_precision);
  if (factor.precision() == FactorPrecision::half_precision &&
      !(preconditioner_error(system, factor) <= most_preconditioner_error))
    factor.factor(system, FactorPrecision::single_precision);
}

std::shared_ptr<VertexCompliance> surface_compliance(const FleshBody& body) {
  return std::make_shared<VertexCompliance>(carrying_vertices(body), body.free_vertex.size());
}

FleshBody assemble_flesh(FleshDescription description, const FleshBody* same_pattern) {
  FleshBody body;
  body.description = std::move(description);
  const FleshDescription& d = body.description;
  if (d.mesh.tetrahedra.empty()) throw input_error("the body has no tetrahedra; nothing can be simulated.");
  const auto vertices = static_cast<int>(d.mesh.positions.size());
  const ElementFields fields{d.material, d.young, d.inside_fraction, d.poisson, d.density};

  body.samples = strain_samples(d.mesh, d.element, fields);
  body.mass = lumped_mass(d.mesh, fields);
  body.bone_spring = lumped_bone_springs(d.mesh, d.bone_stiffness);
  body.elastic_stiffness = rest_stiffness(body.samples, vertices);
  body.free_index.assign(static_cast<std::size_t>(vertices), -1);
  for (int v = 0; v < vertices; ++v)
    if (!d.core[static_cast<std::size_t>(v)]) {
      body.free_index[static_cast<std::size_t>(v)] = static_cast<int>(body.free_vertex.size());
      body.free_vertex.push_back(v);
    }
  if (body.free_vertex.empty())
    throw input_error("every vertex of the body lies in a bone's core; choose a smaller core or finer cells.");
  const auto free = static_cast<int>(body.free_vertex.size());
  body.stiffness = principal_submatrix(body.elastic_stiffness, body.free_index, free);
  add_diagonal(body.stiffness, body.free_index, body.bone_spring, 1.0);
  if (same_pattern)
    body.factor = same_pattern->factor.of_same_pattern();
  else
    body.factor.analyze(body.stiffness);
  return body;
}

FleshBody copy_assembled(const FleshBody& body) {
  FleshBody copy;
  copy.description = body.description;
  copy.samples = body.samples;
  copy.mass = body.mass;
  copy.free_vertex = body.free_vertex;
  copy.free_index = body.free_index;
  copy.elastic_stiffness = body.elastic_stiffness;
  copy.bone_spring = body.bone_spring;
  copy.stiffness = body.stiffness;
  copy.factor = body.factor.of_same_pattern();
  return copy;
}

void scale_stiffness(FleshBody& body, double factor) {
  for (std::vector<double>* values : {&body.samples.shear, &body.samples.lambda, &body.bone_spring,
                                      &body.description.young, &body.description.bone_stiffness})
    for (double& value : *values) value *= factor;
  body.description.material.young *= factor;
  for (BlockMatrix* matrix : {&body.elastic_stiffness, &body.stiffness})
    for (Mat3& block : matrix->block) block *= factor;
}

void add_bone_stiffness(FleshBody& body, std::span<const double> density) {
  FleshDescription& description = body.description;
  const std::vector<double> spring = lumped_bone_springs(description.mesh, density);
  for (std::size_t v = 0; v < spring.size(); ++v) body.bone_spring[v] += spring[v];
  add_diagonal(body.stiffness, body.free_index, spring, 1.0);
  description.bone_stiffness.resize(density.size(), 0.0);
  for (std::size_t t = 0; t < density.size(); ++t) description.bone_stiffness[t] += density[t];
}

std::shared_ptr<FleshBody> uncooked_flesh(FleshBody assembled, const FleshDynamics& dynamics) {
  auto body = std::make_shared<FleshBody>(std::move(assembled));
  body->dynamics = dynamics;
  body->method = generalized_alpha(dynamics.step, dynamics.spectral_radius);
  return body;
}

std::shared_ptr<const FleshBody> cook_flesh(FleshBody assembled, const FleshDynamics& dynamics,
                                            const Progress& progress) {
  std::shared_ptr<FleshBody> body = uncooked_flesh(std::move(assembled), dynamics);
  if (!body->description.damping.empty()) body->damping = damping_matrix(*body);
  BlockMatrix stiffness = stiffness_of_factors(*body);
  report_or_stop(progress, cooking, 0.1);
  factor_step(*body, stiffness, 1, body->factor);
  body->compliance = surface_compliance(*body);
  if (dynamics.static_precision)
    body->static_factor = factor_static(*body, stiffness, *dynamics.static_precision, part_of(progress, 0.5, 1.0));
  if (dynamics.factor_poses.empty()) stiffness = {};
  body->factor_levels = std::make_shared<FactorLevels>(std::move(stiffness));
  return body;
}

Sag sag_under_gravity(const FleshBody& body, std::span<const double> share, const Progress& progress) {
  constexpr double gravity = 9.81, quantile = 0.95, least_counted = 0.05;
  const std::optional<BlockCholesky> factor =
      factor_static(body, body.stiffness, FactorPrecision::double_precision, progress);
  if (!factor) throw simulation_error(hangs_on_nothing);
  const std::size_t free = body.free_vertex.size();
  std::vector<double> mass(free), counted(free);
  double total_mass = 0, total_counted = 0;
  for (std::size_t f = 0; f < free; ++f) {
    const auto v = static_cast<std::size_t>(body.free_vertex[f]);
    mass[f] = body.mass[v];
    counted[f] = body.mass[v] * share[v];
    total_mass += mass[f];
    total_counted += counted[f];
  }
  if (total_counted < least_counted * total_mass) {
    counted = mass;
    total_counted = total_mass;
  }

  std::vector<double> force(3 * free), displacement(3 * free);
  std::vector<std::pair<double, double>> sag_and_mass(free);
  Sag result;
  result.of_vertex.assign(body.mass.size(), 0.0);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::fill(force.begin(), force.end(), 0.0);
    for (std::size_t f = 0; f < free; ++f) force[3 * f + axis] = gravity * mass[f];
    factor->solve(force, displacement);
    for (std::size_t f = 0; f < free; ++f) {
      sag_and_mass[f] = {norm(Vec3{displacement[3 * f], displacement[3 * f + 1], displacement[3 * f + 2]}), counted[f]};
      double& sag = result.of_vertex[static_cast<std::size_t>(body.free_vertex[f])];
      sag = std::max(sag, sag_and_mass[f].first);
    }
    std::sort(sag_and_mass.begin(), sag_and_mass.end());
    double below = 0;
    for (const auto& [sag, here] : sag_and_mass) {
      below += here;
      if (below >= quantile * total_counted) {
        result.whole = std::max(result.whole, sag);
        break;
      }
    }
  }
  return result;
}

const BlockCholesky& RestFactor::get() {
  if (body_.static_factor) return *body_.static_factor;
  if (own_) return *own_;
  if (const std::string free = free_rigid_motion(body_); !free.empty())
    throw simulation_error("forces find no equilibrium: " + free);
  own_ = factor_static(body_, body_.stiffness, FactorPrecision::double_precision, {});
  if (!own_) throw simulation_error(hangs_on_nothing);
  return *own_;
}

const BlockCholesky& static_factor(const FleshBody& body) {
  if (!body.static_factor) throw simulation_error(hangs_on_nothing);
  return *body.static_factor;
}

}  // namespace sinew
