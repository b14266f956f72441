#include "sinew/deform/rig_space/volumetric_skinning.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/rig_space/skinning_prior.h"
#include "sinew/deform/rig_space/skinning_weights.h"

namespace sinew {
namespace {

constexpr std::size_t vertices_between_reports = 256;
constexpr std::size_t volumetric_skinning_grain = 4;
constexpr int harmonic_field_count = 192;

// Data shared by all vertices.
struct Lesson {
  const TetrahedralMesh& mesh;
  std::span<const int> boundary, interior;
  std::span<const Vec3> examples;
  const VolumetricSkinningOptions& options;
  const GeodesicNeighbours& candidates;
  const HarmonicFields& harmonic;  // none where their weight is zero
  double edge;                     // metres
};

void check(const TetrahedralMesh& mesh, std::span<const int> boundary, std::span<const int> interior,
           std::span<const Vec3> examples, const VolumetricSkinningOptions& options) {
  const std::size_t n = mesh.positions.size();
  if (examples.empty() || n == 0 || examples.size() % n != 0)
    throw usage_error("Volumetric skinning: the examples have " + std::to_string(examples.size()) +
                      " positions; give one or more poses of all " + std::to_string(n) + " vertices of the body.");
  for (const double number : {options.rest_weight, options.harmonic_weight, options.residual_bound,
                              options.residual_growth, options.negligible_residual})
    if (!(number >= 0) || !std::isfinite(number))
      throw usage_error("Volumetric skinning: weights and bounds have to be finite numbers that are not negative.");
  std::vector<char> named(n, 0);
  for (const std::span<const int> list : {boundary, interior})
    for (const int v : list) {
      if (v < 0 || static_cast<std::size_t>(v) >= n || named[static_cast<std::size_t>(v)]++)
        throw usage_error("Volumetric skinning: vertex " + std::to_string(v) +
                          " is named twice or does not exist; every vertex is of the boundary or of the interior.");
    }
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (const int v : t)
      if (v < 0 || static_cast<std::size_t>(v) >= n || !named[static_cast<std::size_t>(v)])
        throw usage_error("Volumetric skinning: vertex " + std::to_string(v) +
                          " of a tetrahedron is neither of the boundary nor of the interior.");
  for (std::size_t i = 0; i < examples.size(); ++i)
    if (!is_finite(examples[i]))
      throw simulation_error("Volumetric skinning: example " + std::to_string(i / n) + " puts vertex " +
                             std::to_string(i % n) + " at a place that is not a finite number.");
}

double mean_edge(const TetrahedralMesh& mesh) {
  const GeodesicGraph edges = geodesic_graph(mesh, false);
  if (edges.length.empty()) return 0;
  return std::accumulate(edges.length.begin(), edges.length.end(), 0.0) / static_cast<double>(edges.length.size());
}

SkinningEquations equations_of(const Lesson& lesson, std::size_t i) {
  const std::size_t n = lesson.mesh.positions.size(), poses = lesson.examples.size() / n;
  const auto first = static_cast<std::size_t>(lesson.candidates.start[i]);
  const auto last = static_cast<std::size_t>(lesson.candidates.start[i + 1]);
  const auto vertex = static_cast<std::size_t>(lesson.interior[i]);
  const double share = 1 / std::sqrt(static_cast<double>(poses));
  std::vector<double> offsets, at_rest;
  offsets.reserve((last - first) * 3 * poses);
  SkinningEquations equations;
  equations.rest_weight = lesson.options.rest_weight;
  equations.harmonic_weight = lesson.options.harmonic_weight * lesson.edge * lesson.edge;
  const auto fields = static_cast<std::size_t>(lesson.harmonic.count);
  const double field_share = fields > 0 ? 1 / std::sqrt(static_cast<double>(fields)) : 0;
  std::vector<double> differences;
  for (std::size_t k = first; k < last; ++k) {
    const int target = lesson.candidates.target[k];
    const auto source = static_cast<std::size_t>(lesson.boundary[static_cast<std::size_t>(target)]);
    for (std::size_t pose = 0; pose < poses; ++pose) {
      const Vec3* x = lesson.examples.data() + pose * n;
      const Vec3 offset = (x[source] - x[vertex]) * share;
      offsets.insert(offsets.end(), {offset.x, offset.y, offset.z});
    }
    const Vec3 offset = lesson.mesh.positions[source] - lesson.mesh.positions[vertex];
    at_rest.insert(at_rest.end(), {offset.x, offset.y, offset.z});
    for (std::size_t f = 0; f < fields; ++f)
      differences.push_back((lesson.harmonic.value[source * fields + f] - lesson.harmonic.value[vertex * fields + f]) *
                            field_share);
  }
  equations.examples = normal_equations(offsets, 3 * poses);
  equations.rest = normal_equations(at_rest, 3);
  if (fields > 0) equations.harmonic = normal_equations(differences, fields);
  return equations;
}

// Adds the row of W, columns ascending.
void add_row(const Lesson& lesson, std::size_t i, const SkinningFit& fit, SparseRows& weights) {
  std::vector<std::pair<int, double>> row;
  for (std::size_t k = 0; k < fit.candidate.size(); ++k) {
    const int entry = lesson.candidates.start[i] + fit.candidate[k];
    row.push_back({lesson.candidates.target[static_cast<std::size_t>(entry)], fit.weight[k]});
  }
  std::sort(row.begin(), row.end());
  for (const auto& [column, value] : row) {
    weights.column.push_back(column);
    weights.value.push_back(value);
  }
  weights.start.push_back(static_cast<int>(weights.column.size()));
}

}  // namespace

VolumetricSkinning learn_volumetric_skinning(const TetrahedralMesh& mesh, std::span<const int> boundary,
                                             std::span<const int> interior, std::span<const Vec3> examples,
                                             const VolumetricSkinningOptions& options, const Progress& progress) {
  check(mesh, boundary, interior, examples, options);
  const Stopwatch whole;
  const std::string activity = "learning how the inside follows";
  report_or_stop(progress, activity, 0);
  const GeodesicNeighbours candidates = geodesic_neighbours(mesh, interior, boundary, options.candidates);
  for (std::size_t i = 0; i < interior.size(); ++i)
    if (candidates.start[i] == candidates.start[i + 1])
      throw input_error("Volumetric skinning: the piece of the body around vertex " + std::to_string(interior[i]) +
                        " has no vertex on the boundary; leave it out or join it to the rest.");
  HarmonicFields harmonic;
  if (options.harmonic_weight > 0)
    harmonic = harmonic_fields(mesh, boundary, harmonic_field_count, part_of(progress, 0.05, 0.3));

  VolumetricSkinning result;
  VolumetricSkinningReport& report = result.report;
  report.edge = mean_edge(mesh);
  const Lesson lesson{mesh, boundary, interior, examples, options, candidates, harmonic, report.edge};
  const SparseSkinningBounds bounds{options.residual_bound * report.edge, options.residual_growth,
                                    options.negligible_residual * report.edge};
  std::vector<SkinningFit> fits(interior.size());
  std::vector<std::size_t> before(interior.size());
  report.initial_residual.resize(interior.size());
  const Stopwatch fitting;
  const Progress of_fits = part_of(progress, 0.3, 1);
  for (std::size_t first = 0; first < interior.size(); first += vertices_between_reports) {
    report_or_stop(of_fits, activity, static_cast<double>(first) / static_cast<double>(interior.size()));
    parallel_for(std::min(vertices_between_reports, interior.size() - first), volumetric_skinning_grain,
                 [&](std::size_t k) {
                   const std::size_t i = first + k;
                   const SkinningEquations equations = equations_of(lesson, i);
                   fits[i] = fit_non_negative(equations);
                   report.initial_residual[i] = fits[i].residual;
                   before[i] = fits[i].weight.size();
                   if (options.weights == SkinningWeights::sparse)
                     fits[i] = fit_sparse(equations, std::move(fits[i]), bounds);
                 });
  }
  const double vertices = std::max(1.0, static_cast<double>(interior.size()));
  report.seconds_per_vertex = fitting.seconds() * thread_count() / vertices;

  result.weights.columns = static_cast<int>(boundary.size());
  for (std::size_t i = 0; i < interior.size(); ++i) {
    add_row(lesson, i, fits[i], result.weights);
    report.residual.push_back(fits[i].residual);
    report.rest_residual.push_back(fits[i].rest_residual);
  }
  report.candidates = static_cast<double>(candidates.target.size()) / vertices;
  report.non_negative_correspondences =
      static_cast<double>(std::accumulate(before.begin(), before.end(), std::size_t{0})) / vertices;
  report.correspondences = static_cast<double>(result.weights.column.size()) / vertices;
  report.seconds = whole.seconds();
  report_or_stop(progress, activity, 1);
  return result;
}

}  // namespace sinew
