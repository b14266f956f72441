#include "sinew/rig/implicit/skin_clusters.h"

#include <algorithm>

#include "sinew/base/index.h"

namespace sinew {
namespace {

// Halves vertices at the middle of the longest side of the box around them, until few are left.
void add_clusters(std::span<const Vec3> rest, int part, std::span<std::size_t> vertices, SkinClusters& result) {
  Vec3 least = rest[vertices[0]], most = least, mean;
  for (const std::size_t v : vertices) {
    least = min(least, rest[v]);
    most = max(most, rest[v]);
    mean += rest[v] / static_cast<double>(vertices.size());
  }
  if (vertices.size() > most_in_cluster) {
    const Vec3 side = most - least;
    const std::size_t axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
    const std::size_t half = vertices.size() / 2;
    std::nth_element(vertices.begin(), vertices.begin() + static_cast<std::ptrdiff_t>(half), vertices.end(),
                     [&](std::size_t a, std::size_t b) {
                       return rest[a][axis] != rest[b][axis] ? rest[a][axis] < rest[b][axis] : a < b;
                     });
    add_clusters(rest, part, vertices.first(half), result);
    add_clusters(rest, part, vertices.subspan(half), result);
    return;
  }
  std::sort(vertices.begin(), vertices.end());
  std::iter_swap(vertices.begin(),
                 std::min_element(vertices.begin(), vertices.end(), [&](std::size_t a, std::size_t b) {
                   return squared_norm(rest[a] - mean) < squared_norm(rest[b] - mean);
                 }));
  result.clusters.push_back({part, result.vertex.size(), result.vertex.size() + vertices.size()});
  result.vertex.insert(result.vertex.end(), vertices.begin(), vertices.end());
}

}  // namespace

SkinClusters skin_clusters(std::span<const Vec3> rest, std::size_t parts, FunctionRef<int(std::size_t)> part_of) {
  std::vector<std::vector<std::size_t>> of_part(parts);
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (const int part = part_of(v); part >= 0) of_part[index(part)].push_back(v);
  SkinClusters result;
  for (std::size_t part = 0; part < parts; ++part)
    if (!of_part[part].empty()) add_clusters(rest, static_cast<int>(part), of_part[part], result);
  return result;
}

}  // namespace sinew
