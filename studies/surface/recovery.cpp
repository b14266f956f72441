#include "studies/surface/recovery.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/stopwatch.h"
#include "sinew/deform/surface/fit/fit_surface.h"

namespace sinew {
namespace {

std::vector<std::size_t> moving(const std::vector<SurfaceExample>& examples, std::size_t n, double least) {
  std::vector<double> square(n);
  double frames = 0;
  for (const SurfaceExample& example : examples) {
    for (std::size_t k = 0; k < example.offset.size(); ++k)
      square[k / 3 % n] += static_cast<double>(example.offset[k]) * static_cast<double>(example.offset[k]);
    frames += static_cast<double>(example.motion.bones.size());
  }
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < n; ++i)
    if (std::sqrt(square[i] / frames) > least) result.push_back(i);
  return result;
}

// Difference per parameter; for alpha, the largest difference of an entry of its matrix.
std::array<double, surface_parameters> differences(const SurfaceModel& a, const SurfaceModel& b, std::size_t i) {
  const auto restoration = [i](const SurfaceModel& m) {
    return (m.shape.empty() ? Mat3::identity() : to_matrix(m.shape[i])) * m.parameters[i].alpha;
  };
  const auto p = to_array(a.parameters[i]), q = to_array(b.parameters[i]);
  std::array<double, surface_parameters> result{};
  for (std::size_t k = 0; k < surface_parameters; ++k) result[k] = std::abs(p[k] - q[k]);
  const Mat3 difference = restoration(a) - restoration(b);
  for (const double d : difference.m) result[0] = std::max(result[0], std::abs(d));
  return result;
}

void compare(const SurfaceModel& model, const SurfaceModel& truth, const std::vector<std::size_t>& vertices,
             const RecoveryOptions& options, RecoveryRow& row) {
  std::array<std::vector<double>, surface_parameters> all;
  std::size_t found = 0;
  for (const std::size_t i : vertices) {
    const auto d = differences(model, truth, i);
    for (std::size_t k = 0; k < surface_parameters; ++k) all[k].push_back(d[k]);
    found += *std::max_element(d.begin(), d.end()) <= options.tolerance;
  }
  if (vertices.empty()) return;
  row.share = static_cast<double>(found) / static_cast<double>(vertices.size());
  for (std::vector<double>& values : all) {
    std::sort(values.begin(), values.end());
    row.worst.push_back(values[static_cast<std::size_t>(0.95 * static_cast<double>(values.size() - 1))]);
  }
}

}  // namespace

std::vector<RecoveryRow> recovery_experiment(const RecoveryOptions& options, const Progress& progress) {
  struct Case {
    FitScheme scheme;
    ShapeReference reference;
    bool directions;
  };
  const std::vector<Case> cases{{FitScheme::gradient, ShapeReference::rig, false},
                                {FitScheme::gradient, ShapeReference::rest, false},
                                {FitScheme::alternating, ShapeReference::rig, false},
                                {FitScheme::gradient, ShapeReference::rig, true}};
  std::vector<RecoveryRow> rows;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const Case& one = cases[c];
    SurfaceTube tube =
        make_surface_tube({.rings = options.rings, .columns = options.columns, .bones = 2, .reference = one.reference});
    SurfaceModel truth = tube.model;
    set_smooth_parameters(truth, one.directions);
    std::vector<SurfaceExample> examples;
    for (const double start : {0.0, 5.0})
      examples.push_back(example_of_model(truth, dance(truth, options.frames, start)));
    SurfaceFitOptions fit;
    fit.scheme = one.scheme;
    fit.anisotropic = one.directions;
    fit.smoothness = 0;
    fit.tolerance = 1e-9;
    fit.iterations = one.scheme == FitScheme::gradient ? 100 : 500;
    RecoveryRow row;
    row.scheme = one.scheme == FitScheme::gradient ? "gradient" : "alternating";
    row.reference = one.reference == ShapeReference::rig ? "rig" : "rest";
    row.directions = one.directions;
    SurfaceModel model = tube.model;
    Stopwatch watch;
    const SurfaceFitResult result =
        fit_surface(model, examples, fit,
                    part_of(progress, static_cast<double>(c) / static_cast<double>(cases.size()),
                            static_cast<double>(c + 1) / static_cast<double>(cases.size())));
    row.seconds = watch.lap();
    row.iterations = result.iterations;
    row.error = result.error.goal_sum > 0 ? std::sqrt(result.error.sum / result.error.goal_sum) : 0;
    compare(model, truth, moving(examples, truth.rest.size(), options.moves * tube.options.length), options, row);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace sinew
