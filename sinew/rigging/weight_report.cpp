#include "sinew/rigging/weight_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/rotation.h"
#include "sinew/mesh/surface/winding_number.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

constexpr double degrees_of_report = 60;
constexpr double longest = 2, narrowest = 0.2;  // relative to rest, beyond which skin is at fault
constexpr double smallest_place = 1e-4;         // of the skin's area
constexpr double nearer = 2;  // by how many times another bone is nearer where skin follows the wrong one
constexpr std::size_t patches_of_joint = 2;  // that are reported for a joint and kind
constexpr std::size_t report_grain = 256;

// The skin with what stays the same in all poses.
struct ReportedSkin {
  const SimulationSurface& surface;
  std::vector<double> area;  // per triangle
  double whole = 0;          // area of all
};

// Largest and smallest stretch of a triangle in its plane; the smaller is negative where it is turned over, seen along
// `normal`, where it should face.
std::array<double, 2> stretches(const std::array<Vec3, 3>& rest, const std::array<Vec3, 3>& posed, const Vec3& normal) {
  const Vec3 e = rest[1] - rest[0], f = rest[2] - rest[0];
  const Vec3 x = normalized(e), y = normalized(cross(cross(e, f), e));
  const double a = norm(e), b = dot(f, x), c = dot(f, y);
  if (!(a > 0) || !(c > 0)) return {1, 1};
  const Vec3 along = (posed[1] - posed[0]) / a, across = ((posed[2] - posed[0]) - b * along) / c;
  const double p = dot(along, along), q = dot(along, across), r = dot(across, across);
  const double middle = 0.5 * (p + r), spread = std::sqrt(0.25 * (p - r) * (p - r) + q * q);
  const double sign = dot(cross(along, across), normal) < 0 ? -1 : 1;
  return {std::sqrt(middle + spread), sign * std::sqrt(std::max(0.0, middle - spread))};
}

// Per bone the bones of its subtree.
std::vector<std::vector<char>> subtrees(const std::vector<Bone>& bones) {
  std::vector<std::vector<char>> below(bones.size(), std::vector<char>(bones.size(), 0));
  for (std::size_t b = 0; b < bones.size(); ++b)
    for (int up = static_cast<int>(b); up >= 0; up = bones[index(up)].parent) below[index(up)][b] = 1;
  return below;
}

// Per vertex the weight that moves when the bone turns.
std::vector<double> moving_weights(const SimulationSurface& surface, const std::vector<char>& subtree) {
  std::vector<double> weights(surface.influences.size(), 0.0);
  for (std::size_t v = 0; v < weights.size(); ++v) {
    const Influences& own = surface.influences[v];
    for (std::size_t k = 0; k < index(own.count); ++k)
      if (subtree[index(own.joint[k])]) weights[v] += own.weight[k];
  }
  return weights;
}

struct TurnedSkin {
  std::vector<double> longest, narrowest;  // per triangle; 1 where nothing moves
};

TurnedSkin turn_skin(const ReportedSkin& skin, const std::vector<double>& weights, const Vec3& head, const Vec3& turn) {
  const TriangleMesh& rest = skin.surface.rest;
  const double angle = norm(turn);
  const auto rotated = [&](const Vec3& v, double share) { return rotate(axis_angle(turn / angle, share * angle), v); };
  TurnedSkin result{std::vector<double>(rest.triangles.size(), 1.0), std::vector<double>(rest.triangles.size(), 1.0)};
  parallel_for(rest.triangles.size(), report_grain, [&](std::size_t t) {
    const Triangle& corner = rest.triangles[t];
    std::array<Vec3, 3> before, after;
    double weight = 0;
    bool alike = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const double w = weights[index(corner[k])];
      before[k] = rest.positions[index(corner[k])];
      after[k] = before[k] + w * (rotated(before[k] - head, 1) + head - before[k]);
      weight += w / 3;
      alike = alike && w == weights[index(corner[0])] && (w == 0 || w == 1);
    }
    if (alike) return;
    const Vec3 normal = cross(before[1] - before[0], before[2] - before[0]);
    const std::array<double, 2> stretch = stretches(before, after, rotated(normal, weight));
    result.longest[t] = stretch[0];
    result.narrowest[t] = stretch[1];
  });
  return result;
}

// Triangles that hang together by corners, the largest area first.
std::vector<std::vector<int>> patches(const ReportedSkin& skin, const std::vector<int>& triangles) {
  DisjointSets sets(skin.surface.rest.positions.size());
  for (const int t : triangles)
    for (const int corner : skin.surface.rest.triangles[index(t)])
      sets.unite(skin.surface.rest.triangles[index(t)][0], corner);
  std::vector<std::pair<int, std::vector<int>>> found;
  for (const int t : triangles) {
    const int set = sets.find(skin.surface.rest.triangles[index(t)][0]);
    auto patch = std::find_if(found.begin(), found.end(), [&](const auto& each) { return each.first == set; });
    if (patch == found.end()) patch = found.insert(patch, {set, {}});
    patch->second.push_back(t);
  }
  std::vector<std::vector<int>> result;
  for (auto& [set, patch] : found) result.push_back(std::move(patch));
  return result;
}

// The place of a patch. `excess` per triangle.
template <class Excess>
WeightFault fault_at(const ReportedSkin& skin, const std::vector<int>& patch, const Excess& excess) {
  WeightFault fault;
  double area = 0, sum = 0;
  const auto middle = [&](int t) {
    const Triangle& corner = skin.surface.rest.triangles[index(t)];
    return (skin.surface.rest.positions[index(corner[0])] + skin.surface.rest.positions[index(corner[1])] +
            skin.surface.rest.positions[index(corner[2])]) /
           3;
  };
  for (const int t : patch) {
    area += skin.area[index(t)];
    sum += skin.area[index(t)] * excess(t);
    fault.place += skin.area[index(t)] * middle(t);
  }
  fault.triangles = patch.size();
  fault.place = fault.place / area;
  // The middle of a patch that goes around a limb lies inside it: the nearest of its triangles is the place.
  const int nearest = *std::min_element(patch.begin(), patch.end(), [&](int a, int b) {
    return squared_norm(middle(a) - fault.place) < squared_norm(middle(b) - fault.place);
  });
  fault.place = middle(nearest);
  fault.radius = std::sqrt(area / std::numbers::pi);
  fault.severity = area < smallest_place * skin.whole ? 0 : std::sqrt(area / skin.whole) * sum / area;
  return fault;
}

// Directions around which a bone is turned: along it, and across.
std::array<Vec3, 3> axes_of(const Bone& bone) {
  const BoneSegment& segment = bone.segments.front();
  const Vec3 direction = segment.tail - segment.head;
  const std::array<Vec3, 3> world{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  if (!(norm(direction) > 0)) return world;
  const Vec3 along = normalized(direction);
  const Vec3 across = normalized(cross(along, std::abs(along.x) < 0.7 ? world[0] : world[1]));
  return {along, across, cross(along, across)};
}

void add_worst(std::vector<WeightFault>& of_joint, WeightFault fault) {
  if (!(fault.severity > 0)) return;
  for (WeightFault& other : of_joint)
    if (other.kind == fault.kind && distance(other.place, fault.place) < other.radius + fault.radius) {
      if (other.severity < fault.severity) other = std::move(fault);
      return;
    }
  of_joint.push_back(std::move(fault));
}

void report_turn(const ReportedSkin& skin, const Bone& bone, const std::vector<double>& weights, const Vec3& turn,
                 std::vector<WeightFault>& of_joint) {
  const TurnedSkin turned = turn_skin(skin, weights, bone.segments.front().head, turn * (std::numbers::pi / 180));
  for (const WeightFault::Kind kind : {WeightFault::Kind::collapses, WeightFault::Kind::stretches}) {
    const bool collapses = kind == WeightFault::Kind::collapses;
    std::vector<int> at_fault;
    for (std::size_t t = 0; t < skin.area.size(); ++t)
      if (collapses ? turned.narrowest[t] < narrowest : turned.longest[t] > longest)
        at_fault.push_back(static_cast<int>(t));
    for (const std::vector<int>& patch : patches(skin, at_fault)) {
      const auto amount = [&](int t) { return collapses ? turned.narrowest[index(t)] : turned.longest[index(t)]; };
      WeightFault fault = fault_at(skin, patch, [&](int t) { return collapses ? 1 - amount(t) : amount(t) - 1; });
      fault.kind = kind;
      fault.joint = bone.name;
      fault.turn = turn;
      double area = 0, sum = 0;
      for (const int t : patch) area += skin.area[index(t)], sum += skin.area[index(t)] * amount(t);
      fault.amount = sum / area;
      add_worst(of_joint, std::move(fault));
    }
  }
}

void keep_worst(std::vector<WeightFault>& faults, std::size_t most) {
  std::stable_sort(faults.begin(), faults.end(), [](const auto& a, const auto& b) { return a.severity > b.severity; });
  if (faults.size() > most) faults.resize(most);
}

double distance_to(const BoneSegment& segment, const Vec3& p, Vec3* nearest = nullptr) {
  const Vec3 way = segment.tail - segment.head;
  const double length = squared_norm(way);
  const double t = length > 0 ? std::clamp(dot(p - segment.head, way) / length, 0.0, 1.0) : 0;
  const Vec3 point = segment.head + t * way;
  if (nearest) *nearest = point;
  return distance(p, point);
}
double distance_to(const Bone& bone, const Vec3& p, Vec3* nearest) {
  double least = HUGE_VAL;
  for (const BoneSegment& segment : bone.segments) {
    Vec3 point;
    if (const double away = distance_to(segment, p, &point); away < least) {
      least = away;
      *nearest = point;
    }
  }
  return least;
}

bool are_related(const std::vector<Bone>& bones, int a, int b) {
  const auto parent = [&](int bone) { return bone < 0 ? -1 : bones[index(bone)].parent; };
  return a == b || parent(a) == b || parent(b) == a || (parent(a) >= 0 && parent(a) == parent(b)) ||
         parent(parent(a)) == b || parent(parent(b)) == a;
}

// Per vertex the bone at which it lies, where that is not the bone that it follows or one beside it; else -1. The line
// to that bone must lie in the body: a thigh does not belong to the hand that hangs before it.
std::vector<int> wrong_bones(const SimulationSurface& surface, std::vector<double>& times_nearer) {
  const BoundingVolumeHierarchy tree(surface.rest);
  const WindingNumber winding(tree);
  std::vector<int> wrong(surface.rest.positions.size(), -1);
  times_nearer.assign(wrong.size(), 0.0);
  parallel_for(wrong.size(), report_grain, [&](std::size_t v) {
    if (surface.influences[v].count == 0) return;
    const int own = surface.influences[v].joint[0];
    const Vec3& p = surface.rest.positions[v];
    Vec3 place, own_place;
    const double away = distance_to(surface.bones[index(own)], p, &own_place);
    double least = away / nearer;
    for (std::size_t b = 0; b < surface.bones.size(); ++b) {
      Vec3 point;
      const double other = distance_to(surface.bones[b], p, &point);
      if (surface.bones[b].helper || !(other < least) || are_related(surface.bones, own, static_cast<int>(b))) continue;
      least = other;
      place = point;
      wrong[v] = static_cast<int>(b);
    }
    if (wrong[v] < 0) return;
    for (const double share : {0.2, 0.4, 0.6, 0.8})
      if (winding(p + share * (place - p)) < 0.5) wrong[v] = -1;
    times_nearer[v] = least > 0 ? std::min(away / least, 10.0) : 10;
  });
  return wrong;
}

void report_wrong_bones(const ReportedSkin& skin, std::vector<WeightFault>& faults) {
  std::vector<double> times;
  const std::vector<int> wrong = wrong_bones(skin.surface, times);
  std::set<std::pair<int, int>> pairs;  // followed, nearest
  const auto pair_of = [&](int t) {
    const Triangle& corner = skin.surface.rest.triangles[index(t)];
    const auto of = [&](int v) { return std::pair(skin.surface.influences[index(v)].joint[0], wrong[index(v)]); };
    const bool same = of(corner[0]) == of(corner[1]) && of(corner[0]) == of(corner[2]);
    return same && wrong[index(corner[0])] >= 0 ? of(corner[0]) : std::pair(-1, -1);
  };
  std::vector<std::pair<int, int>> of_triangle(skin.area.size());
  for (std::size_t t = 0; t < skin.area.size(); ++t)
    if (of_triangle[t] = pair_of(static_cast<int>(t)); of_triangle[t].first >= 0) pairs.insert(of_triangle[t]);
  for (const auto& pair : pairs) {
    std::vector<int> triangles;
    for (std::size_t t = 0; t < skin.area.size(); ++t)
      if (of_triangle[t] == pair) triangles.push_back(static_cast<int>(t));
    std::vector<WeightFault> of_pair;
    for (const std::vector<int>& patch : patches(skin, triangles)) {
      const auto amount = [&](int t) { return times[index(skin.surface.rest.triangles[index(t)][0])]; };
      WeightFault fault = fault_at(skin, patch, [&](int t) { return amount(t) - 1; });
      fault.kind = WeightFault::Kind::wrong_bone;
      fault.joint = skin.surface.bones[index(pair.first)].name;
      fault.other = skin.surface.bones[index(pair.second)].name;
      fault.turn = degrees_of_report * axes_of(skin.surface.bones[index(pair.first)])[1];
      for (const int t : patch) fault.amount = std::max(fault.amount, amount(t));
      add_worst(of_pair, std::move(fault));
    }
    keep_worst(of_pair, patches_of_joint);
    faults.insert(faults.end(), of_pair.begin(), of_pair.end());
  }
}

}  // namespace

std::vector<WeightFault> weight_report(const Character& character, std::size_t most, const Progress& progress) {
  const SimulationSurface surface = simulation_surface(character);
  ReportedSkin skin{surface, {}, 0};
  for (const Triangle& t : surface.rest.triangles) {
    const auto x = [&](std::size_t k) { return surface.rest.positions[index(t[k])]; };
    skin.area.push_back(0.5 * norm(cross(x(1) - x(0), x(2) - x(0))));
    skin.whole += skin.area.back();
  }
  const std::vector<std::vector<char>> below = subtrees(surface.bones);
  std::vector<WeightFault> faults;
  for (std::size_t b = 0; b < surface.bones.size(); ++b) {
    report_or_stop(progress, "turning " + surface.bones[b].name,
                   0.8 * static_cast<double>(b) / static_cast<double>(surface.bones.size()));
    const std::vector<double> weights = moving_weights(surface, below[b]);
    std::vector<WeightFault> of_joint;
    for (const Vec3& axis : axes_of(surface.bones[b]))
      for (const double sign : {1.0, -1.0})
        report_turn(skin, surface.bones[b], weights, sign * degrees_of_report * axis, of_joint);
    keep_worst(of_joint, 2 * patches_of_joint);
    faults.insert(faults.end(), of_joint.begin(), of_joint.end());
  }
  report_or_stop(progress, "looking for wrong bones", 0.8);
  report_wrong_bones(skin, faults);
  keep_worst(faults, most);
  return faults;
}

std::string weight_fault_sentence(const WeightFault& fault) {
  char amount[64], place[96];
  std::snprintf(place, sizeof place, " at (%.3g, %.3g, %.3g) m", fault.place.x, fault.place.y, fault.place.z);
  const Vec3 axis = normalized(fault.turn);
  char turned[96];
  std::snprintf(turned, sizeof turned, ", turned by 60° around (%.2g, %.2g, %.2g): ", axis.x, axis.y, axis.z);
  if (fault.kind == WeightFault::Kind::wrong_bone) {
    std::snprintf(amount, sizeof amount, ", which is %.1f times nearer", fault.amount);
    return "Skin follows " + fault.joint + " but lies at " + fault.other + amount + place + ".";
  }
  if (fault.kind == WeightFault::Kind::stretches)
    std::snprintf(amount, sizeof amount, "the skin stretches to %.1f times its length", fault.amount);
  else if (fault.amount < 0)
    std::snprintf(amount, sizeof amount, "the skin turns over");
  else
    std::snprintf(amount, sizeof amount, "the skin collapses to %.0f %% of its width", 100 * fault.amount);
  return fault.joint + turned + amount + place + ".";
}

}  // namespace sinew
