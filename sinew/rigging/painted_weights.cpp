#include "sinew/rigging/painted_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/cook/mixed/bind_automatically.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"

namespace sinew {
namespace {

constexpr double no_weight = 1e-4;  // smaller weights are left out

using JointWeights = std::vector<std::pair<int, double>>;  // a joint once

JointWeights list_of_weights(const Influences& weights) {
  JointWeights list;
  for (std::size_t k = 0; k < index(weights.count); ++k) list.emplace_back(weights.joint[k], weights.weight[k]);
  return list;
}

double& weight_in(JointWeights& list, int joint) {
  for (auto& [other, weight] : list)
    if (other == joint) return weight;
  return list.emplace_back(joint, 0.0).second;
}

Influences strongest(JointWeights list) {
  std::erase_if(list, [](const auto& each) { return !(each.second > no_weight); });
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (list.size() > index(automatic_influences)) list.resize(index(automatic_influences));
  double sum = 0;
  for (const auto& [joint, weight] : list) sum += weight;
  Influences result;
  for (const auto& [joint, weight] : list) {
    result.joint[index(result.count)] = joint;
    result.weight[index(result.count++)] = weight / sum;
  }
  return result;
}

bool is_locked(std::span<const char> locked, int joint) { return index(joint) < locked.size() && locked[index(joint)]; }

double locked_sum(const JointWeights& list, std::span<const char> locked) {
  double sum = 0;
  for (const auto& [joint, weight] : list)
    if (is_locked(locked, joint)) sum += weight;
  return sum;
}

// Vertices at one place have the same number, that of the first of them.
std::vector<int> places_of_vertices(const TriangleMesh& mesh) {
  std::map<std::array<double, 3>, int> first;
  std::vector<int> place;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3& p = mesh.positions[v];
    place.push_back(first.try_emplace({p.x, p.y, p.z}, static_cast<int>(v)).first->second);
  }
  return place;
}

template <class Visit>
void for_each_vertex(Character& character, const Visit& visit) {
  int v = 0;
  for (Part& part : character.parts)
    if (is_surface(part))
      for (Influences& influences : part.influences) visit(v++, influences);
}

}  // namespace

std::vector<Influences> surface_influences(const Character& character) {
  std::vector<Influences> result;
  for (const Part& part : character.parts)
    if (is_surface(part)) result.insert(result.end(), part.influences.begin(), part.influences.end());
  return result;
}

Influences with_weight(const Influences& weights, int joint, double weight, std::span<const char> locked) {
  if (is_locked(locked, joint)) return weights;
  JointWeights list = list_of_weights(weights);
  double& own = weight_in(list, joint);
  const double room = 1 - locked_sum(list, locked), others = room - own;
  own = others > 0 ? std::clamp(weight, 0.0, std::max(0.0, room)) : room;
  const double now = own;
  for (auto& [other, value] : list)
    if (other != joint && !is_locked(locked, other)) value *= others > 0 ? (room - now) / others : 0;
  return strongest(std::move(list));
}

Influences towards(const Influences& weights, const Influences& others, double share, std::span<const char> locked) {
  JointWeights list = list_of_weights(weights);
  const double room = 1 - locked_sum(list, locked);
  double there = 0;
  for (const auto& [joint, weight] : list_of_weights(others))
    if (!is_locked(locked, joint)) there += weight;
  if (!(there > 0)) return weights;
  for (auto& [joint, weight] : list)
    if (!is_locked(locked, joint)) weight *= 1 - share;
  for (const auto& [joint, weight] : list_of_weights(others))
    if (!is_locked(locked, joint)) weight_in(list, joint) += share * room * weight / there;
  return strongest(std::move(list));
}

void add_weights(std::vector<Influences>& weights, const BrushStroke& stroke, int joint, std::span<const char> locked) {
  for (const auto& [v, amount] : stroke) {
    Influences& vertex = weights[index(v)];
    JointWeights list = list_of_weights(vertex);
    vertex = with_weight(vertex, joint, weight_in(list, joint) + amount, locked);
  }
}

void smooth_weights_by_hand(std::vector<Influences>& weights, const BrushStroke& stroke, const TriangleMesh& mesh,
                            std::span<const char> locked) {
  const std::vector<int> place = places_of_vertices(mesh);
  std::vector<char> wanted(weights.size(), 0);
  for (const auto& [v, amount] : stroke) wanted[index(place[index(v)])] = 1;
  std::vector<JointWeights> sums(weights.size());
  for (const Triangle& t : mesh.triangles)
    for (const int corner : t) {
      if (!wanted[index(place[index(corner)])]) continue;
      for (const int other : t)
        if (place[index(other)] != place[index(corner)])
          for (const auto& [joint, weight] : list_of_weights(weights[index(other)]))
            weight_in(sums[index(place[index(corner)])], joint) += weight;
    }
  for (const auto& [v, amount] : stroke) {
    const Influences mean = strongest(sums[index(place[index(v)])]);
    if (mean.count > 0) weights[index(v)] = towards(weights[index(v)], mean, std::abs(amount), locked);
  }
}

void mirror_weights(std::vector<Influences>& weights, const TriangleMesh& mesh, const MirrorPlane& plane, double reach,
                    const std::vector<PlacedJoint>& joints) {
  std::vector<int> partner;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const std::string other = other_side(joints[j].name).value_or("");
    const auto found =
        std::find_if(joints.begin(), joints.end(), [&](const PlacedJoint& each) { return each.name == other; });
    partner.push_back(static_cast<int>(found == joints.end() ? j : static_cast<std::size_t>(found - joints.begin())));
  }
  const auto on_left = [&](const Vec3& p) {
    return plane.axis == MirrorAxis::x ? p.x > plane.at : plane.axis == MirrorAxis::z && p.z < plane.at;
  };
  const std::vector<Influences> before = weights;
  const BoundingVolumeHierarchy tree(mesh);
  for (std::size_t v = 0; v < weights.size(); ++v) {
    if (plane.axis == MirrorAxis::none || on_left(mesh.positions[v])) continue;
    const ClosestPoint image = tree.closest_point(mirror_image(mesh.positions[v], plane), reach);
    if (image.triangle < 0) continue;
    JointWeights list;
    for (std::size_t k = 0; k < 3; ++k)
      for (const auto& [joint, weight] : list_of_weights(before[index(mesh.triangles[index(image.triangle)][k])]))
        weight_in(list, partner[index(joint)]) += image.barycentric[k] * weight;
    if (Influences mirrored = strongest(std::move(list)); mirrored.count > 0) weights[v] = mirrored;
  }
}

PaintedWeights painted_over(PaintedWeights earlier, const std::vector<Influences>& before,
                            const std::vector<Influences>& after, const std::vector<PlacedJoint>& joints) {
  for (std::size_t v = 0; v < after.size(); ++v) {
    if (after[v] == before[v]) continue;
    NamedWeights named;
    for (const auto& [joint, weight] : list_of_weights(after[v])) named.emplace_back(joints[index(joint)].name, weight);
    earlier[static_cast<int>(v)] = std::move(named);
  }
  return earlier;
}

void apply_painted_weights(Character& character, const PaintedWeights& painted, const std::vector<PlacedJoint>& joints,
                           const std::string& file) {
  std::map<std::string, int> numbers;
  for (std::size_t j = 0; j < joints.size(); ++j) numbers[joints[j].name] = static_cast<int>(j);
  std::size_t applied = 0;
  for_each_vertex(character, [&](int v, Influences& influences) {
    const auto found = painted.find(v);
    if (found == painted.end()) return;
    ++applied;
    JointWeights list;
    for (const auto& [name, weight] : found->second)
      if (const auto joint = numbers.find(name); joint != numbers.end()) weight_in(list, joint->second) += weight;
    if (Influences corrected = strongest(std::move(list)); corrected.count > 0) influences = corrected;
  });
  if (applied < painted.size())
    throw input_error(file + ": has weights of vertices that " + character.file +
                      " does not have; take them out, or rig the mesh that they were painted on.");
}

}  // namespace sinew
