#include "sinew/mesh/geodesic_neighbours.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/bounded/non_negative_least_squares.h"

namespace sinew {
namespace {

constexpr std::size_t sources_at_once = 16;
// Factor by which the search grows if the targets so far do not surround the source.
constexpr std::size_t farther = 16;

struct TargetCandidate {
  int target;       // index
  double distance;  // along the body
  Vec3 offset;      // from the source
};

// Evenly distributed directions on the sphere: a golden-angle spiral.
std::vector<Vec3> spiral_directions(int count) {
  std::vector<Vec3> directions;
  const double turn = 2 * std::numbers::pi * (std::numbers::phi - 1);
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, radius = std::sqrt(1 - z * z);
    directions.push_back({radius * std::cos(turn * i), radius * std::sin(turn * i), z});
  }
  return directions;
}

std::size_t sector_of(const Vec3& offset, std::span<const Vec3> directions) {
  std::size_t best = 0;
  for (std::size_t s = 1; s < directions.size(); ++s)
    if (dot(offset, directions[s]) > dot(offset, directions[best])) best = s;
  return best;
}

struct HullPoint {
  Vec3 point;                  // of the hull of the offsets, closest to the source
  std::vector<double> weight;  // per chosen candidate
};

HullPoint closest_of_hull(std::span<const TargetCandidate> candidates, std::span<const std::size_t> chosen) {
  std::vector<double> columns;
  for (const std::size_t c : chosen) {
    const Vec3& offset = candidates[c].offset;
    columns.insert(columns.end(), {offset.x, offset.y, offset.z});
  }
  HullPoint result;
  result.weight = non_negative_least_squares(normal_equations(columns, 3), {.sum_to_one = true}).w;
  for (std::size_t k = 0; k < chosen.size(); ++k) result.point += result.weight[k] * candidates[chosen[k]].offset;
  return result;
}

// The nearest of each sector, then the nearest of all; `candidates` are sorted by distance. The result is ascending.
std::vector<std::size_t> choose(std::span<const TargetCandidate> candidates, std::span<const Vec3> directions,
                                std::size_t count) {
  std::vector<std::size_t> chosen;
  std::vector<char> taken(candidates.size(), 0), full(directions.size(), 0);
  for (std::size_t c = 0; c < candidates.size() && !directions.empty(); ++c) {
    char& sector = full[sector_of(candidates[c].offset, directions)];
    if (sector) continue;
    sector = taken[c] = 1;
    chosen.push_back(c);
  }
  if (chosen.size() > count) {
    for (std::size_t k = count; k < chosen.size(); ++k) taken[chosen[k]] = 0;
    chosen.resize(count);
  }
  for (std::size_t c = 0; c < candidates.size() && chosen.size() < count; ++c)
    if (!taken[c]) chosen.push_back(c);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Replaces the farthest of those that do not carry the closest point by the nearest one beyond the source, as long as
// the hull comes closer to the source.
HullPoint surround(std::span<const TargetCandidate> candidates, std::vector<std::size_t>& chosen, double inside) {
  HullPoint hull = closest_of_hull(candidates, chosen);
  for (int round = 0; round < 16 && norm(hull.point) > inside; ++round) {
    const auto beyond = [&](std::size_t c) { return dot(candidates[c].offset, hull.point) < 0; };
    std::size_t joining = 0, leaving = chosen.size();
    while (joining < candidates.size() &&
           (!beyond(joining) || std::binary_search(chosen.begin(), chosen.end(), joining)))
      ++joining;
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (hull.weight[k] == 0) leaving = k;
    if (joining == candidates.size() || leaving == chosen.size()) break;
    std::vector<std::size_t> other = chosen;
    other[leaving] = joining;
    std::sort(other.begin(), other.end());
    HullPoint nearer = closest_of_hull(candidates, other);
    if (!(squared_norm(nearer.point) < squared_norm(hull.point))) break;
    chosen = std::move(other);
    hull = std::move(nearer);
  }
  return hull;
}

void check(const TetrahedralMesh& mesh, std::span<const int> sources, std::span<const int> targets,
           const GeodesicNeighbourOptions& options) {
  if (options.count < 1 || options.search < 1)
    throw usage_error(
        "Neighbours along a body: ask for at least one neighbour, and a search of at least once as many.");
  std::vector<char> seen(mesh.positions.size(), 0);
  const auto exists = [&](int v) { return v >= 0 && static_cast<std::size_t>(v) < mesh.positions.size(); };
  for (const int v : sources)
    if (!exists(v)) throw usage_error("Neighbours along a body: it has no vertex " + std::to_string(v) + ".");
  for (const int v : targets) {
    if (!exists(v)) throw usage_error("Neighbours along a body: it has no vertex " + std::to_string(v) + ".");
    if (seen[static_cast<std::size_t>(v)]++)
      throw usage_error("Neighbours along a body: vertex " + std::to_string(v) + " is named twice.");
  }
}

}  // namespace

GeodesicNeighbours geodesic_neighbours(const TetrahedralMesh& mesh, std::span<const int> sources,
                                       std::span<const int> targets, const GeodesicNeighbourOptions& options) {
  check(mesh, sources, targets, options);
  const GeodesicGraph graph = geodesic_graph(mesh);
  std::vector<int> target_of(mesh.positions.size(), -1);
  for (std::size_t t = 0; t < targets.size(); ++t)
    target_of[static_cast<std::size_t>(targets[t])] = static_cast<int>(t);
  const auto count = static_cast<std::size_t>(options.count);
  const std::vector<Vec3> directions = spiral_directions(options.surround ? options.count : 0);
  const std::size_t nearest = options.surround ? count * static_cast<std::size_t>(options.search) : count;
  const std::size_t most = options.surround ? farther * nearest : nearest;

  std::vector<std::vector<TargetCandidate>> found(sources.size());
  GeodesicNeighbours result;
  result.gap.resize(sources.size());
  parallel_chunks(sources.size(), sources_at_once, [&](std::size_t begin, std::size_t end) {
    GeodesicSearch search(graph);
    std::vector<TargetCandidate> candidates;
    for (std::size_t i = begin; i < end; ++i) {
      candidates.clear();
      search.begin(sources[i]);
      const Vec3& origin = mesh.positions[static_cast<std::size_t>(sources[i])];
      for (std::size_t wanted = nearest; wanted <= most; wanted *= 2) {
        bool exhausted = false;
        while (candidates.size() < wanted && !exhausted) {
          const int v = search.next();
          exhausted = v < 0;
          const int t = exhausted ? -1 : target_of[static_cast<std::size_t>(v)];
          if (t >= 0)
            candidates.push_back({t, search.distance(), mesh.positions[static_cast<std::size_t>(v)] - origin});
        }
        if (candidates.empty()) break;
        std::vector<std::size_t> chosen = choose(candidates, directions, count);
        const double inside = 1e-9 * norm(candidates[chosen.back()].offset);
        const HullPoint hull =
            directions.empty() ? closest_of_hull(candidates, chosen) : surround(candidates, chosen, inside);
        result.gap[i] = norm(hull.point);
        found[i].clear();
        for (const std::size_t c : chosen) found[i].push_back(candidates[c]);
        if (exhausted || result.gap[i] <= inside) break;
      }
    }
  });
  for (const std::vector<TargetCandidate>& row : found) {
    for (const TargetCandidate& c : row) {
      result.target.push_back(c.target);
      result.distance.push_back(c.distance);
    }
    result.start.push_back(static_cast<int>(result.target.size()));
  }
  return result;
}

}  // namespace sinew
