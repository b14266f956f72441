#include "sinew/shape/retarget_lattice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/bounded/bounded_minimization.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/mesh/tetrahedron.h"
#include "sinew/shape/limb_surface.h"

namespace sinew {
namespace {

// Weights of a stage's new term, one minimisation after the other.
constexpr std::array<double, 3> rising_weights{30, 300, 3000};
constexpr std::array<double, 3> surface_weights{30, 300, 3000};
// Closest points are found anew so many times for each weight, with so many iterations for each.
constexpr int searches = 12, iterations_of_search = 15, iterations_of_stage = 300;
constexpr std::size_t closest_grain = 64;
// How much farther the limb that corresponds may be than any other skin, relative to the height.
constexpr double slack_of_limbs = 0.1;
// C of a perfect fit, to rounding, from which a search would only wander.
constexpr double rounding_of_fit = 1e-14;
// After control points were moved, closest points are found anew so many times. The way of the points is halved where
// it would turn a cell inside out, down to this share of it.
constexpr int searches_after_moves = 8;
constexpr double least_share_of_way = 1.0 / 64;
// Of the cells' sizes in C_distort.
constexpr double weight_of_size = 0.05;

// A quantity of the fit: sum of weight |h(point) - target|^2.
struct PulledPoint {
  EmbeddedPoint point;
  Vec3 target;  // relative to the height
  double weight = 0;
};

Vec3 place(const Tetrahedron& cell, const EmbeddedPoint& point, std::span<const double> x) {
  Vec3 sum;
  for (std::size_t c = 0; c < 4; ++c)
    for (std::size_t k = 0; k < 3; ++k) sum[k] += point.weights[c] * x[3 * index(cell[c]) + k];
  return sum;
}

// The terms of C as functions of the vertices' places, 3 numbers each, relative to the target's height.
class FitEnergy {
 public:
  explicit FitEnergy(const TetrahedralMesh& lattice) : cells_(lattice.tetrahedra) {
    for (std::size_t t = 0; t < cells_.size(); ++t) {
      const std::array<Vec3, 4> p = corners_of(lattice, t);
      inverse_edges_.push_back(inverse(Mat3::from_columns(p[1] - p[0], p[2] - p[0], p[3] - p[0])));
    }
  }

  void set_usual_growth(double determinant) { usual_growth_ = std::log(determinant); }

  // C_distort; adds its gradient.
  double distortion(std::span<const double> x, std::span<double> gradient) const {
    double sum = 0;
    const double share = 1 / static_cast<double>(cells_.size());
    for (std::size_t t = 0; t < cells_.size(); ++t) {
      const auto at = [&](std::size_t c) {
        const std::size_t v = 3 * index(cells_[t][c]);
        return Vec3{x[v], x[v + 1], x[v + 2]};
      };
      const Mat3 f = Mat3::from_columns(at(1) - at(0), at(2) - at(0), at(3) - at(0)) * inverse_edges_[t];
      const double det = determinant(f);
      if (!(det > 0)) return std::numeric_limits<double>::infinity();
      const double squares = squared_norm(f.column(0)) + squared_norm(f.column(1)) + squared_norm(f.column(2));
      const double size = 3 * std::cbrt(det * det), value = squares / size;
      const double growth = std::log(det) - usual_growth_;
      sum += share * (value - 1 + weight_of_size * growth * growth);
      if (gradient.empty()) continue;
      const Mat3 stress =
          (f * (2 / size) + transpose(inverse(f)) * (2 * weight_of_size * growth - 2.0 / 3 * value)) * share;
      const Mat3 on_corners = stress * transpose(inverse_edges_[t]);
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t k = 0; k < 3; ++k) {
          gradient[3 * index(cells_[t][c + 1]) + k] += on_corners.column(c)[k];
          gradient[3 * index(cells_[t][0]) + k] -= on_corners.column(c)[k];
        }
    }
    return sum;
  }

  double pull(std::span<const PulledPoint> points, double weight, std::span<const double> x,
              std::span<double> gradient) const {
    double sum = 0;
    for (const PulledPoint& each : points) {
      const Tetrahedron& cell = cells_[index(each.point.tetrahedron)];
      const Vec3 off = place(cell, each.point, x) - each.target;
      const double factor = weight * each.weight;
      sum += factor * squared_norm(off);
      for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t k = 0; k < 3; ++k)
          gradient[3 * index(cell[c]) + k] += 2 * factor * each.point.weights[c] * off[k];
    }
    return sum;
  }

 private:
  std::vector<Tetrahedron> cells_;
  std::vector<Mat3> inverse_edges_;  // per cell
  double usual_growth_ = 0;          // logarithm of the volumes' ratio in the first stage
};

class Fit {
 public:
  Fit(const RetargetRequest& request, const Progress& progress)
      : request_(request),
        progress_(progress),
        lattice_(*request.lattice),
        energy_(lattice_),
        surface_(embed_points(lattice_, request.source->positions).points),
        target_surface_(*request.target, request.target_limbs, slack_of_limbs * request.height) {
    skeleton_ = pulled(request.skeleton);
    sides_ = pulled(request.sides);
    features_ = pulled(request.features);
    find_surface_weights();
  }

  RetargetFit find() {
    const Affine start = start_of_fit();
    for (const Vec3& p : lattice_.positions) {
      const Vec3 moved = (1 / request_.height) * (start * p);
      x_.insert(x_.end(), {moved.x, moved.y, moved.z});
    }
    finish("similarity");
    if (!skeleton_.empty()) {
      for (const double weight : rising_weights)
        minimize({.skeleton = weight, .sides = share_of_sides * weight}, iterations_of_stage);
      finish("skeleton");
    }
    if (!features_.empty()) {
      for (const double weight : rising_weights)
        minimize(
            {.skeleton = rising_weights.back(), .sides = share_of_sides * rising_weights.back(), .features = weight},
            iterations_of_stage);
      finish("features");
    }
    fit_surface();
    finish("surface");
    set_lattice();
    return std::move(result_);
  }

  RetargetFit move(const RetargetFit& fit, std::span<const MovedControlPoint> moved) {
    start_of_fit();
    result_.stages = fit.stages;
    for (const Vec3& p : fit.lattice.target.positions)
      for (std::size_t k = 0; k < 3; ++k) x_.push_back(p[k] / request_.height);
    go(moved);
    for (int round = 0; round < searches_after_moves; ++round) {
      done_ = static_cast<double>(round) / searches_after_moves;
      follow();
    }
    finish("control points");
    set_lattice();
    for (const MovedControlPoint& each : moved) result_.lattice.target.positions[index(each.vertex)] = each.to;
    return std::move(result_);
  }

 private:
  // The similarity of the first stage. Its growth is the usual one.
  Affine start_of_fit() {
    std::vector<PointPair> pairs = request_.skeleton;
    pairs.insert(pairs.end(), request_.features.begin(), request_.features.end());
    const Affine start = similarity_fit(pairs);
    energy_.set_usual_growth(determinant(start.linear) / std::pow(request_.height, 3));
    return start;
  }

  void set_lattice() {
    result_.lattice.source = lattice_;
    result_.lattice.target = lattice_;
    for (std::size_t v = 0; v < lattice_.positions.size(); ++v)
      result_.lattice.target.positions[v] = request_.height * Vec3{x_[3 * v], x_[3 * v + 1], x_[3 * v + 2]};
  }

  // Moves the control points, as far at a time as no cell turns inside out, with the others behind them; then they are
  // held.
  void go(std::span<const MovedControlPoint> moved) {
    const std::vector<double> from = x_;
    held_.assign(x_.size(), 0);
    for (const MovedControlPoint& each : moved)
      for (std::size_t k = 0; k < 3; ++k) held_[3 * index(each.vertex) + k] = 1;
    double gone = 0, step = 1;
    while (gone < 1) {
      std::vector<double> next = x_;
      const double there = std::min(1.0, gone + step);
      for (const MovedControlPoint& each : moved)
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t n = 3 * index(each.vertex) + k;
          next[n] = from[n] + there * (each.to[k] / request_.height - from[n]);
        }
      if (!std::isfinite(energy_.distortion(next, {}))) {
        step /= 2;
        if (step < least_share_of_way)
          throw input_error(
              "control points cannot be moved so far: cells would turn inside out; move them less, or "
              "their neighbours too.");
        continue;
      }
      x_ = std::move(next);
      gone = there;
      if (gone < 1) follow();
    }
  }

  // The others follow points that are held.
  void follow() {
    find_pulled();
    minimize({.skeleton = skeleton_beside_surface,
              .sides = share_of_sides * skeleton_beside_surface,
              .features = rising_weights.back(),
              .surface = surface_weights.back()},
             iterations_of_search);
  }

  std::vector<PulledPoint> pulled(const std::vector<PointPair>& pairs) const {
    std::vector<Vec3> from;
    for (const PointPair& pair : pairs) from.push_back(pair.source);
    std::vector<PulledPoint> points;
    if (from.empty()) return points;
    const Embedding embedding = embed_points(lattice_, from);
    for (std::size_t k = 0; k < pairs.size(); ++k)
      points.push_back({embedding.points[k], pairs[k].target / request_.height, 1 / static_cast<double>(pairs.size())});
    return points;
  }

  void find_surface_weights() {
    surface_weight_ = vertex_areas(*request_.source);
    double sum = 0;
    for (const double area : surface_weight_) sum += area;
    for (double& area : surface_weight_) area /= sum;
  }

  struct Weights {
    double skeleton = 0, sides = 0, features = 0, surface = 0;
  };

  // One minimisation with the pulled points as they are.
  void minimize(const Weights& weights, int iterations) {
    std::vector<double> lower(x_.size(), -HUGE_VAL), upper(x_.size(), HUGE_VAL);
    for (std::size_t n = 0; n < held_.size(); ++n)
      if (held_[n]) lower[n] = upper[n] = x_[n];
    BoundedMinimizationOptions options;
    options.iterations = iterations;
    options.evaluations = 2 * iterations;
    options.memory = memory_of_fit;
    options.relative_decrease = 1e-7;
    const auto cost = [&](std::span<const double> x, std::span<double> gradient) {
      std::fill(gradient.begin(), gradient.end(), 0.0);
      const double distortion = energy_.distortion(x, gradient);
      if (!std::isfinite(distortion)) return distortion;
      return distortion + energy_.pull(skeleton_, weights.skeleton, x, gradient) +
             energy_.pull(sides_, weights.sides, x, gradient) + energy_.pull(features_, weights.features, x, gradient) +
             energy_.pull(pulled_, weights.surface, x, gradient);
    };
    std::vector<double> gradient(x_.size());
    if (cost(x_, gradient) > rounding_of_fit) minimize_in_box(cost, lower, upper, x_, options);
    report_or_stop(progress_, "fitting the lattice", done_);
  }

  void fit_surface() {
    for (std::size_t w = 0; w < surface_weights.size(); ++w)
      for (int round = 0; round < searches; ++round) {
        find_pulled();
        done_ = static_cast<double>(w * searches + static_cast<std::size_t>(round)) /
                static_cast<double>(searches * surface_weights.size());
        minimize({.skeleton = skeleton_beside_surface,
                  .sides = share_of_sides * skeleton_beside_surface,
                  .features = rising_weights.back(),
                  .surface = surface_weights[w]},
                 iterations_of_search);
      }
  }

  std::vector<Vec3> moved_surface() const {
    std::vector<Vec3> moved;
    for (const EmbeddedPoint& each : surface_)
      moved.push_back(request_.height * place(lattice_.tetrahedra[index(each.tetrahedron)], each, x_));
    return moved;
  }

  // The closest points of the target's surface; none where the two surfaces face away from each other.
  void find_pulled() {
    TriangleMesh moved{moved_surface(), request_.source->triangles};
    const std::vector<Vec3> normal = vertex_area_vectors(moved.positions, moved.triangles);
    pulled_.resize(moved.positions.size());
    parallel_for(pulled_.size(), closest_grain, [&](std::size_t v) {
      const ClosestPoint closest = target_surface_.closest(moved.positions[v], limb(v));
      const Triangle& t = request_.target->triangles[index(closest.triangle)];
      const std::vector<Vec3>& p = request_.target->positions;
      const bool facing = dot(normal[v], area_vector(p[index(t[0])], p[index(t[1])], p[index(t[2])])) >= 0;
      pulled_[v] = {surface_[v], closest.point / request_.height, facing ? surface_weight_[v] : 0};
    });
  }

  int limb(std::size_t vertex) const { return request_.source_limb.empty() ? -1 : request_.source_limb[vertex]; }

  void finish(const char* name) {
    RetargetStage stage{name, off(skeleton_), off(features_), 0, energy_.distortion(x_, {})};
    result_.surface = moved_surface();
    result_.distance.resize(result_.surface.size());
    parallel_for(result_.surface.size(), closest_grain, [&](std::size_t v) {
      result_.distance[v] = std::sqrt(target_surface_.closest(result_.surface[v], -1).squared_distance);
    });
    double sum = 0;
    for (std::size_t v = 0; v < result_.distance.size(); ++v)
      sum += surface_weight_[v] * result_.distance[v] * result_.distance[v];
    stage.surface = std::sqrt(sum) / request_.height;
    result_.stages.push_back(stage);
  }

  double off(std::span<const PulledPoint> points) const {
    double sum = 0;
    for (const PulledPoint& each : points)
      sum += each.weight *
             squared_norm(place(lattice_.tetrahedra[index(each.point.tetrahedron)], each.point, x_) - each.target);
    return std::sqrt(sum);
  }

  static constexpr int memory_of_fit = 20;
  static constexpr double skeleton_beside_surface = 300, share_of_sides = 0.1;

  const RetargetRequest& request_;
  const Progress& progress_;
  const TetrahedralMesh& lattice_;
  FitEnergy energy_;
  std::vector<EmbeddedPoint> surface_;  // per vertex of the source's surface
  std::vector<double> surface_weight_;  // likewise, areas with sum 1
  LimbSurface target_surface_;
  std::vector<PulledPoint> skeleton_, sides_, features_, pulled_;
  std::vector<double> x_;
  std::vector<char> held_;  // per number of `x_`: 1 if it is kept; empty: none
  RetargetFit result_;
  double done_ = 0;
};

void check(const RetargetRequest& request) {
  if (request.skeleton.empty() && request.features.empty())
    throw input_error("there are no points by which the lattice could be fitted.");
  for (const std::vector<PointPair>* pairs : {&request.skeleton, &request.features})
    for (const PointPair& pair : *pairs)
      if (!is_finite(pair.source) || !is_finite(pair.target))
        throw input_error("a point by which the lattice is fitted is not a finite number.");
}

}  // namespace

RetargetFit fit_lattice(const RetargetRequest& request, const Progress& progress) {
  check(request);
  return Fit(request, progress).find();
}

RetargetFit move_control_points(const RetargetRequest& request, const RetargetFit& fit,
                                std::span<const MovedControlPoint> moved, const Progress& progress) {
  check(request);
  std::vector<int> seen;
  for (const MovedControlPoint& each : moved) {
    if (each.vertex < 0 || index(each.vertex) >= request.lattice->positions.size())
      throw usage_error("the lattice has no control point " + std::to_string(each.vertex) + ".");
    if (!is_finite(each.to)) throw input_error("the place of a control point is not a finite number.");
    if (std::find(seen.begin(), seen.end(), each.vertex) != seen.end())
      throw usage_error("control point " + std::to_string(each.vertex) + " is moved twice; say one place for it.");
    seen.push_back(each.vertex);
  }
  return moved.empty() ? fit : Fit(request, progress).move(fit, moved);
}

int nearest_control_point(const RetargetedLattice& lattice, const Vec3& place) {
  const std::vector<Vec3>& points = lattice.target.positions;
  const auto nearest = std::min_element(points.begin(), points.end(), [&](const Vec3& a, const Vec3& b) {
    return squared_norm(a - place) < squared_norm(b - place);
  });
  return static_cast<int>(nearest - points.begin());
}

std::vector<std::array<int, 2>> lattice_edges(const TetrahedralMesh& mesh) {
  std::set<std::array<int, 2>> edges;
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b) edges.insert({std::min(t[a], t[b]), std::max(t[a], t[b])});
  return {edges.begin(), edges.end()};
}

int inverted_cells(const TetrahedralMesh& mesh) {
  int count = 0;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const std::array<Vec3, 4> p = corners_of(mesh, t);
    if (!(volume(p[0], p[1], p[2], p[3]) > 0)) ++count;
  }
  return count;
}

}  // namespace sinew
