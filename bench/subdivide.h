// Makes larger characters for benchmarks: splits each triangle into four at the midpoints of its edges, and
// interpolates all vertex data.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "sinew/character/character.h"

namespace sinew::bench {

inline Influences mean_influences(const Influences& a, const Influences& b) {
  std::map<int, double> weight;
  for (const Influences* each : {&a, &b})
    for (std::size_t k = 0; k < static_cast<std::size_t>(each->count); ++k) weight[each->joint[k]] += each->weight[k];
  std::vector<std::pair<double, int>> sorted;
  for (const auto& [joint, w] : weight) sorted.push_back({-w, joint});
  std::sort(sorted.begin(), sorted.end());
  sorted.resize(std::min<std::size_t>(sorted.size(), max_influences));
  double sum = 0;
  for (const auto& [negative, joint] : sorted) sum -= negative;
  Influences mean;
  for (const auto& [negative, joint] : sorted) {
    mean.joint[static_cast<std::size_t>(mean.count)] = joint;
    mean.weight[static_cast<std::size_t>(mean.count++)] = -negative / sum;
  }
  return mean;
}

template <class T>
void append_means(const std::vector<std::pair<int, int>>& edges, std::vector<T>& values) {
  if (values.empty()) return;
  for (const auto& [a, b] : edges)
    values.push_back((values[static_cast<std::size_t>(a)] + values[static_cast<std::size_t>(b)]) * 0.5);
}

inline void subdivide(Part& part) {
  std::map<std::pair<int, int>, int> midpoint;
  std::vector<std::pair<int, int>> edges;
  const int vertices = static_cast<int>(part.surface.positions.size());
  const auto middle = [&](int a, int b) {
    const auto [found, inserted] = midpoint.try_emplace(std::minmax(a, b), vertices + static_cast<int>(edges.size()));
    if (inserted) edges.push_back(std::minmax(a, b));
    return found->second;
  };
  std::vector<Triangle> triangles;
  for (const auto& [a, b, c] : part.surface.triangles) {
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    triangles.insert(triangles.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  part.surface.triangles = std::move(triangles);
  append_means(edges, part.surface.positions);
  append_means(edges, part.normals);
  for (std::vector<double>& field : part.fields) append_means(edges, field);
  append_means(edges, part.colors);
  for (std::vector<Vec3>& target : part.targets) append_means(edges, target);
  if (!part.influences.empty())
    for (const auto& [a, b] : edges)
      part.influences.push_back(
          mean_influences(part.influences[static_cast<std::size_t>(a)], part.influences[static_cast<std::size_t>(b)]));
}

inline std::size_t skinned_vertices(const Character& character) {
  std::size_t count = 0;
  for (const Part& part : character.parts)
    if (part.skin >= 0 && part.triangles) count += part.surface.positions.size();
  return count;
}

// Subdivides the skinned parts until they have at least `vertices` vertices in total.
inline void subdivide_to(Character& character, std::size_t vertices) {
  for (std::size_t before = 0; skinned_vertices(character) < vertices && skinned_vertices(character) != before;) {
    before = skinned_vertices(character);
    for (Part& part : character.parts)
      if (part.skin >= 0 && part.triangles) subdivide(part);
  }
}

}  // namespace sinew::bench
