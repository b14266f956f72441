#include "sinew/shape/fit_skin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/vertex_areas.h"

namespace sinew {
namespace {

constexpr std::size_t closest_point_grain = 64;
// Cosine of the angle between the skin's normal and the target's from which on it pulls fully.
constexpr double full_pull = 0.5;
// Smoothness of the rounds before the last one where closest points are sought.
constexpr double first_smoothness[] = {0.3, 0.05};
// Rounds of Bregman iterations. What a single one smooths by a share d, they smooth by its power.
constexpr int rounds = 3;
// Between two forces, the root mean square of what a line is off, relative to that of the whole force, and the most
// halvings of the way.
constexpr double most_bend = 0.02;
constexpr int most_fit_halvings = 2;
// Forces that do not hold the shape without the springs, because flesh under them has another equilibrium that is
// nearer to rest, are sought again with more smoothing.
constexpr double smoother = 3, most_smoothness = 0.1;
// Without the springs, the skin is off by at most this share of its displacement, or of the height.
constexpr double most_off = 0.1, negligible_distance = 1e-4;
constexpr int most_iterations_alone = 600;
// A search for closest points, whose targets are not smooth, ends sooner.
constexpr double closest_tolerance = 1e-5;
constexpr int most_closest_iterations = 40;

// Edges that belong to one triangle are the border of a mesh.
class Border {
 public:
  explicit Border(const TriangleMesh& mesh) : mesh_(mesh) {
    std::map<std::pair<int, int>, int> triangles;
    for (const Triangle& t : mesh.triangles)
      for (std::size_t k = 0; k < 3; ++k) ++triangles[edge(t, k)];
    for (const auto& [ends, count] : triangles)
      if (count == 1) edges_.push_back(ends);
  }
  bool has(const ClosestPoint& point) const {
    if (edges_.empty()) return false;
    const Triangle& t = mesh_.triangles[index(point.triangle)];
    for (std::size_t k = 0; k < 3; ++k)
      if (point.barycentric[(k + 2) % 3] < 1e-9 && std::binary_search(edges_.begin(), edges_.end(), edge(t, k)))
        return true;
    return false;
  }

 private:
  static std::pair<int, int> edge(const Triangle& t, std::size_t k) { return std::minmax(t[k], t[(k + 1) % 3]); }
  const TriangleMesh& mesh_;
  std::vector<std::pair<int, int>> edges_;  // ascending
};

struct ClosestTargets {
  const TriangleMesh& target;
  std::span<const Triangle> skin;
  BoundingVolumeHierarchy tree{target};
  Border border{target};

  void find(std::span<const Vec3> positions, std::span<Vec3> nearest, std::span<double> share) const {
    const std::vector<Vec3> normals = vertex_area_vectors(positions, skin);
    parallel_for(positions.size(), closest_point_grain, [&](std::size_t s) {
      const ClosestPoint point = tree.closest_point(positions[s]);
      nearest[s] = point.point;
      const Triangle& t = target.triangles[index(point.triangle)];
      const auto x = [&](std::size_t k) -> const Vec3& { return target.positions[index(t[k])]; };
      const Vec3 facing = area_vector(x(0), x(1), x(2));
      const double lengths = norm(facing) * norm(normals[s]);
      const double cosine = lengths > 0 ? dot(facing, normals[s]) / lengths : 0;
      share[s] = border.has(point) ? 0 : std::clamp(cosine / full_pull, 0.0, 1.0);
    });
  }
};

// Root mean square, weighted.
double rms_between(std::span<const Vec3> a, std::span<const Vec3> b, std::span<const double> weight) {
  double sum = 0, all = 0;
  for (std::size_t s = 0; s < a.size(); ++s) {
    sum += weight[s] * squared_norm(a[s] - b[s]);
    all += weight[s];
  }
  return all > 0 ? std::sqrt(sum / all) : 0;
}

// Empty if nothing of the target counts.
std::optional<SkinDistance> distances(std::span<const Vec3> skin, const PulledSkin::Targets& targets,
                                      std::span<const double> counts) {
  std::vector<Vec3> target(skin.size());
  std::vector<double> share(skin.size());
  targets(skin, target, share);
  double sum = 0, all = 0;
  SkinDistance result;
  for (std::size_t s = 0; s < skin.size(); ++s) {
    const double weight = counts[s] * share[s], squared = squared_norm(target[s] - skin[s]);
    sum += weight * squared;
    all += weight;
    if (weight > 0) result.largest = std::max(result.largest, std::sqrt(squared));
  }
  if (!(all > 0)) return {};
  result.rms = std::sqrt(sum / all);
  return result;
}

struct Search {
  double tolerance = 0;
  int most_iterations = 0;
  const Progress& progress;
};

// Bregman iterations, which change the displacements of `fit`.
void pull_closer(PulledSkin& skin, const PulledSkin::Targets& targets, const Search& search, SkinFit& fit) {
  for (int k = 0; k < rounds; ++k) {
    const StepStatistics statistics =
        skin.find(targets, search.tolerance, search.most_iterations, fit.displacements, search.progress);
    fit.iterations += statistics.iterations;
    fit.converged = !statistics.unfinished;
    skin.keep(skin.forces());
  }
}

// Finds SkinFit::between.
class FitBetween {
 public:
  FitBetween(PulledSkin& skin, const SimulationSurface& surface, std::span<const Affine> bones,
             std::span<const Vec3> pulled, const SkinFitOptions& options, const Search& search, SkinFit& fit)
      : skin_(skin), surface_(surface), bones_(bones), options_(options), search_(search), fit_(fit) {
    const VertexFrames rig = frames(bones);
    for (std::size_t s = 0; s < rig.goal.size(); ++s)
      moved_.push_back(transpose_times(rig.rotation[s], pulled[s] - rig.goal[s]));
  }

  void find() { halve({0, std::vector<Vec3>(fit_.forces.size())}, {1, fit_.forces}, 0); }

 private:
  VertexFrames frames(std::span<const Affine> bones) const {
    VertexFrames rig;
    predict_frames(skin_of(surface_), bones, rig);
    return rig;
  }

  PartOfFit part(double share) {
    const std::vector<Affine> bones =
        options_.way ? options_.way(share) : std::vector<Affine>(bones_.begin(), bones_.end());
    const VertexFrames rig = frames(bones);
    std::vector<Vec3> target = rig.goal, kept = fit_.forces;
    for (std::size_t s = 0; s < target.size(); ++s) {
      target[s] += share * (rig.rotation[s] * moved_[s]);
      kept[s] *= share;
    }
    skin_.set_pose(bones);
    SkinFit found;
    found.displacements = fit_.displacements;
    for (Vec3& each : found.displacements) each *= share;
    skin_.keep(kept);
    pull_closer(skin_, vertex_targets(std::move(target)), search_, found);
    fit_.iterations += found.iterations;
    return {share, {skin_.forces().begin(), skin_.forces().end()}};
  }

  void halve(const PartOfFit& a, const PartOfFit& b, int halvings) {
    if (halvings == most_fit_halvings) return;
    const PartOfFit middle = part(0.5 * (a.share + b.share));
    double off = 0, all = 0;
    for (std::size_t s = 0; s < middle.forces.size(); ++s) {
      off += squared_norm(middle.forces[s] - 0.5 * (a.forces[s] + b.forces[s]));
      all += squared_norm(fit_.forces[s]);
    }
    if (off <= most_bend * most_bend * all) return;
    halve(a, middle, halvings + 1);
    fit_.between.push_back(middle);
    halve(middle, b, halvings + 1);
  }

  PulledSkin& skin_;
  const SimulationSurface& surface_;
  std::span<const Affine> bones_;
  const SkinFitOptions& options_;
  std::vector<Vec3> moved_;  // displacement of the skin in the fitted pose, in its frames
  Search search_;
  SkinFit& fit_;
};

}  // namespace

PulledSkin::Targets vertex_targets(std::vector<Vec3> positions) {
  return
      [positions = std::move(positions)](std::span<const Vec3> skin, std::span<Vec3> target, std::span<double> share) {
        if (positions.size() != skin.size()) throw usage_error("the target has other vertices than the skin.");
        std::copy(positions.begin(), positions.end(), target.begin());
        std::fill(share.begin(), share.end(), 1.0);
      };
}

PulledSkin::Targets surface_targets(const TriangleMesh& target, std::span<const Triangle> skin) {
  const auto closest = std::make_shared<const ClosestTargets>(ClosestTargets{target, skin});
  return [closest](std::span<const Vec3> positions, std::span<Vec3> nearest, std::span<double> share) {
    closest->find(positions, nearest, share);
  };
}

SkinFit fit_skin(StaticFlesh& flesh, const SimulationSurface& surface, std::span<const Affine> bones,
                 const PulledSkin::Targets& targets, bool closest, const SkinFitOptions& options,
                 const Progress& progress) {
  std::vector<double> counts = vertex_areas(surface.rest);
  for (std::size_t s = 0; s < options.weight.size(); ++s) counts[s] *= options.weight[s];
  if (std::none_of(counts.begin(), counts.end(), [](double each) { return each > 0; }))
    throw usage_error("no skin lies where the target counts; make that region larger.");
  const double shear = flesh.mean_shear(), height = standing_height(surface);
  VertexFrames rig;
  predict_frames(skin_of(surface), bones, rig);
  SkinFit fit;
  fit.displacements.resize(flesh.points());
  const std::optional<SkinDistance> before = distances(rig.goal, targets, counts);
  if (!before)
    throw usage_error("the target faces away from the skin, or has only borders near it; turn its triangles round.");
  fit.before = *before;
  const auto springs = [&](double smoothness) {
    std::vector<double> stiffness = counts;
    for (double& each : stiffness) each *= shear / (smoothness * height);
    return stiffness;
  };
  flesh.set_tissue(options.stiffening, options.load);
  PulledSkin skin(flesh, surface);
  skin.set_pose(bones);
  for (const double smoothness : first_smoothness) {
    if (!closest || smoothness <= options.smoothness) continue;
    skin.set_springs(springs(smoothness));
    fit.iterations +=
        skin.find(targets, closest_tolerance, most_closest_iterations, fit.displacements, progress).iterations;
  }
  const Search search{closest ? closest_tolerance : rest_tolerance,
                      closest ? most_closest_iterations : most_rest_iterations, progress};
  std::vector<Vec3> held = fit.displacements;
  for (fit.smoothness = options.smoothness;; fit.smoothness *= smoother) {
    skin.set_springs(springs(fit.smoothness));
    fit.displacements = held;
    pull_closer(skin, targets, search, fit);
    held = fit.displacements;
    const std::vector<Vec3> pulled(skin.skin().begin(), skin.skin().end());
    fit.forces.assign(skin.forces().begin(), skin.forces().end());
    std::fill(fit.displacements.begin(), fit.displacements.end(), Vec3{});
    skin.find_alone(rest_tolerance, most_iterations_alone, fit.displacements, progress);
    fit.after = distances(skin.skin(), targets, counts).value_or(fit.before);
    const double moved = rms_between(pulled, rig.goal, counts), off = rms_between(skin.skin(), pulled, counts);
    const bool holds = off <= most_off * moved + negligible_distance * height;
    if (!holds && fit.smoothness * smoother <= most_smoothness) continue;
    if (options.between) FitBetween(skin, surface, bones, pulled, options, search, fit).find();
    break;
  }
  return fit;
}

}  // namespace sinew
