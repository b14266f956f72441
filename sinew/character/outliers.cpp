#include "sinew/character/outliers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sinew {
namespace {

constexpr double farthest_joint = 1e4;   // of the reach of what is bound to it, or of the scale of its skin's joints
constexpr double farthest_key = 1e5;     // of the character's reach
constexpr double farthest_offset = 1e4;  // of the radius of what the morph target moves

// Every part of a skin is there, at its size, in the positions that it was bound in. In the default pose a rig may hide
// most of what it has by scaling it away, so that what is shown lies far out for nine tenths of the vertices.
constexpr OutlierCriterion bound_criterion{0.5, 100, 1e4}, posed_criterion{0.9, 1e4, 1e8};

Vec3 median(std::span<const Vec3> positions) {
  Vec3 result;
  std::vector<double> values(positions.size());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = positions[i][axis];
    std::nth_element(values.begin(), middle, values.end());
    result[axis] = *middle;
  }
  return result;
}

// Positions of some parts, one after the other, and where each began.
struct Gathered {
  std::vector<Vec3> positions;
  std::vector<int> part;
  std::vector<std::size_t> first;

  void add(int index, std::span<const Vec3> more) {
    part.push_back(index);
    first.push_back(positions.size());
    positions.insert(positions.end(), more.begin(), more.end());
  }
  bool all_finite() const {
    return std::all_of(positions.begin(), positions.end(), [](const Vec3& x) { return is_finite(x); });
  }
};

void add_outliers(const Gathered& gathered, const OutlierCriterion& criterion,
                  std::vector<std::vector<int>>& outliers_of_part) {
  if (gathered.positions.empty() || !gathered.all_finite()) return;
  for (const int outlier : find_reach(gathered.positions, criterion).outliers) {
    const auto index = static_cast<std::size_t>(outlier);
    const auto k = static_cast<std::size_t>(std::upper_bound(gathered.first.begin(), gathered.first.end(), index) -
                                            gathered.first.begin() - 1);
    outliers_of_part[static_cast<std::size_t>(gathered.part[k])].push_back(static_cast<int>(index - gathered.first[k]));
  }
}

std::vector<int> surface_parts(const Character& character) {
  const bool any_skin = std::any_of(character.parts.begin(), character.parts.end(), is_skinned_surface);
  std::vector<int> parts;
  for (std::size_t p = 0; p < character.parts.size(); ++p)
    if (is_surface(character.parts[p]) && (!any_skin || character.parts[p].skin >= 0))
      parts.push_back(static_cast<int>(p));
  return parts;
}

Gathered posed(const Character& character) {
  const Pose pose = sample(character.skeleton, nullptr, 0);
  Gathered gathered;
  for (const int p : surface_parts(character)) {
    const Part& part = character.parts[static_cast<std::size_t>(p)];
    gathered.add(p, posed_positions(character, part, pose));
  }
  return gathered;
}

// Of all parts of a skin, as they were bound.
Gathered bound(const Character& character, int skin) {
  Gathered gathered;
  for (const int p : surface_parts(character)) {
    const Part& part = character.parts[static_cast<std::size_t>(p)];
    if (part.skin == skin) gathered.add(p, part.surface.positions);
  }
  return gathered;
}

double scale_of(const Affine& world) { return frobenius_norm(world.linear) / std::sqrt(3.0); }

// A few vertices across a gap that no limb leaves.
constexpr OutlierCriterion far_criterion{0.995, 5, std::numeric_limits<double>::infinity()};

std::vector<OutlierVertices> by_part(std::vector<std::vector<int>> vertices) {
  std::vector<OutlierVertices> result;
  for (std::size_t p = 0; p < vertices.size(); ++p) {
    if (vertices[p].empty()) continue;
    std::sort(vertices[p].begin(), vertices[p].end());
    vertices[p].erase(std::unique(vertices[p].begin(), vertices[p].end()), vertices[p].end());
    result.push_back({static_cast<int>(p), std::move(vertices[p])});
  }
  return result;
}

}  // namespace

Reach find_reach(std::span<const Vec3> positions, const OutlierCriterion& criterion) {
  Reach reach;
  if (positions.empty()) return reach;
  const Vec3 middle = median(positions);
  std::vector<std::pair<double, int>> distance;
  for (std::size_t i = 0; i < positions.size(); ++i)
    distance.emplace_back(norm(positions[i] - middle), static_cast<int>(i));
  std::sort(distance.begin(), distance.end());
  auto k = static_cast<std::size_t>(criterion.surely * static_cast<double>(distance.size() - 1));
  while (k + 1 < distance.size() && distance[k].first == 0) ++k;  // many points in one place say nothing of a size
  const double surely = distance[k].first;
  while (k + 1 < distance.size() &&
         distance[k + 1].first <= std::min(criterion.widest_gap * distance[k].first, criterion.farthest * surely))
    ++k;
  reach.radius = distance[k].first;
  for (++k; k < distance.size(); ++k) reach.outliers.push_back(distance[k].second);
  std::sort(reach.outliers.begin(), reach.outliers.end());
  return reach;
}

std::vector<OutlierVertices> find_outlier_vertices(const Character& character) {
  std::vector<std::vector<int>> outliers(character.parts.size());
  add_outliers(posed(character), posed_criterion, outliers);
  for (int skin = 0; skin < static_cast<int>(character.skins.size()); ++skin)
    add_outliers(bound(character, skin), bound_criterion, outliers);
  return by_part(std::move(outliers));
}

std::vector<OutlierVertices> find_far_vertices(const Character& character) {
  std::vector<std::vector<int>> far(character.parts.size()), outliers(character.parts.size());
  const Gathered surface = posed(character);
  add_outliers(surface, far_criterion, far);
  add_outliers(surface, posed_criterion, outliers);
  for (std::size_t p = 0; p < far.size(); ++p)
    std::erase_if(far[p],
                  [&](int v) { return std::find(outliers[p].begin(), outliers[p].end(), v) != outliers[p].end(); });
  return by_part(std::move(far));
}

std::vector<int> find_outlier_joints(const Character& character, int skin) {
  const Gathered surface = bound(character, skin);
  if (surface.positions.empty() || !surface.all_finite()) return {};
  const double radius = find_reach(surface.positions, bound_criterion).radius;
  const Vec3 middle = median(surface.positions);
  const std::vector<Affine>& inverse_bind = character.skins[static_cast<std::size_t>(skin)].inverse_bind;
  std::vector<double> scales;
  for (const Affine& matrix : inverse_bind) scales.push_back(scale_of(matrix));
  std::nth_element(scales.begin(), scales.begin() + static_cast<std::ptrdiff_t>(scales.size() / 2), scales.end());
  const double usual_scale = scales[scales.size() / 2];
  std::vector<int> outliers;
  for (std::size_t j = 0; j < inverse_bind.size(); ++j) {
    const bool placed = is_invertible(inverse_bind[j]) && radius > 0;
    const bool far = placed && distance(inverse(inverse_bind[j]).translation, middle) > farthest_joint * radius;
    const bool large = usual_scale > 0 && scale_of(inverse_bind[j]) > farthest_joint * usual_scale;
    if (far || large) outliers.push_back(static_cast<int>(j));
  }
  return outliers;
}

std::vector<OutlierOffsets> find_outlier_offsets(const Part& part) {
  if (part.targets.empty() || part.surface.positions.empty()) return {};
  const double farthest = farthest_offset * find_reach(part.surface.positions, bound_criterion).radius;
  std::vector<OutlierOffsets> outliers;
  for (std::size_t t = 0; t < part.targets.size(); ++t) {
    OutlierOffsets outlier{static_cast<int>(t), {}};
    for (std::size_t v = 0; v < part.targets[t].size(); ++v)
      if (!(norm(part.targets[t][v]) <= farthest)) outlier.vertices.push_back(static_cast<int>(v));
    if (!outlier.vertices.empty()) outliers.push_back(std::move(outlier));
  }
  return outliers;
}

double reach_of(const Character& character) {
  const Gathered surface = posed(character);
  return surface.all_finite() ? find_reach(surface.positions, posed_criterion).radius : 0;
}

std::vector<int> find_outlier_channels(const Character& character, const Clip& clip, double reach) {
  if (!(reach > 0)) return {};
  const Pose pose = sample(character.skeleton, nullptr, 0);
  double largest_scale = 0;
  for (const Affine& world : pose.world) largest_scale = std::max(largest_scale, scale_of(world));
  std::vector<int> outlier;
  for (std::size_t c = 0; c < clip.channels.size(); ++c) {
    const Channel& channel = clip.channels[c];
    if (channel.path != ChannelPath::translation && channel.path != ChannelPath::scale) continue;
    const Joint& joint = character.skeleton.joints[static_cast<std::size_t>(channel.joint)];
    const double parent_scale = joint.parent < 0 ? 1 : scale_of(pose.world[static_cast<std::size_t>(joint.parent)]);
    double largest = 0;
    for (const double value : channel.values) largest = std::max(largest, std::abs(value));
    const double allowed = channel.path == ChannelPath::scale ? largest_scale : reach;
    if (!(largest * parent_scale <= farthest_key * allowed)) outlier.push_back(static_cast<int>(c));
  }
  return outlier;
}

}  // namespace sinew
