#include "sinew/deform/limb_curves.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/nearest_word.h"

namespace sinew {
namespace {

// Shares above this are whole: sums of skin weights are rounded.
constexpr double whole_share = 1 - 1e-6;
// A leaf bone lies on a bone of the chain if its joint is within this share of the bone's length from it, and no
// farther along than the second number.
constexpr double near_bone = 0.1, before_tip = 0.95;

int bone_named(std::span<const Bone> bones, const std::string& name, const std::string& where) {
  for (std::size_t b = 0; b < bones.size(); ++b)
    if (bones[b].name == name) return static_cast<int>(b);
  std::vector<std::string> names;
  for (const Bone& bone : bones) names.push_back(bone.name);
  const std::string nearest = nearest_word(name, names);
  throw input_error(where + "no bone of the skin is named '" + name + "'" +
                    (nearest.empty() ? "; `sinew info --json` lists them." : ": did you mean '" + nearest + "'?"));
}

Vec3 head_of(const Bone& bone) { return bone.segments.empty() ? Vec3{} : bone.segments[0].head; }

// The mean of the tails of a bone's segments.
Vec3 tip_of(const Bone& bone) {
  Vec3 sum;
  for (const BoneSegment& segment : bone.segments) sum += segment.tail;
  return bone.segments.empty() ? sum : (1.0 / static_cast<double>(bone.segments.size())) * sum;
}

// Share of a segment's length at which a point is projected onto its line; 0 for a segment of no length.
double projected(const Vec3& from, const Vec3& to, const Vec3& point) {
  const Vec3 along = to - from;
  const double squared = squared_norm(along);
  return squared > 0 ? dot(point - from, along) / squared : 0;
}

bool lies_on(const Vec3& from, const Vec3& to, const Vec3& point) {
  const double share = std::clamp(projected(from, to, point), 0.0, 1.0);
  return share <= before_tip && distance(from + share * (to - from), point) <= near_bone * distance(from, to);
}

void add_leaves(std::span<const Bone> bones, LimbChain& chain) {
  std::vector<char> is_parent(bones.size(), 0);
  for (const Bone& bone : bones)
    if (bone.parent >= 0) is_parent[index(bone.parent)] = 1;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (is_parent[b] || bones[b].parent < 0 || chain.place_of_bone[b] >= 0) continue;
    const auto on = std::find(chain.bones.begin(), chain.bones.end(), bones[b].parent);
    if (on == chain.bones.end()) continue;
    const auto k = static_cast<std::size_t>(on - chain.bones.begin());
    if (lies_on(chain.points[k], chain.points[k + 1], head_of(bones[b]))) chain.place_of_bone[b] = static_cast<int>(k);
  }
}

// The share of its skin weights that a vertex has on any of the chains of a field, and values by the curves.
struct FieldAlong {
  std::vector<double> value;   // per vertex
  std::vector<char> is_given;  // per vertex: it is on a chain
};

void add_curve(const PaintedField& row, const LimbCurve& curve, const LimbChain& chain,
               const SimulationSurface& surface, FieldAlong& field) {
  for (std::size_t v = 0; v < field.value.size(); ++v) {
    const LimbPlace place = place_along(chain, surface.rest.positions[v], surface.influences[v]);
    if (place.share <= 0) continue;
    const double own = value_along(curve, place.distance);
    double& value = field.value[v];
    switch (row.kind) {
      case FieldKind::multiplies:
        value *= std::lerp(1.0, own, place.share);
        break;
      case FieldKind::marks:
        value = std::max(value, place.share * own);
        break;
      case FieldKind::replaces:
        value = std::lerp(value, own, place.share);
        break;
    }
    field.is_given[v] = 1;
  }
}

double with_paint(const PaintedField& row, double painted, double value, bool is_given) {
  if (!is_given) return painted;
  switch (row.kind) {
    case FieldKind::multiplies:
      return painted * value;
    case FieldKind::marks:
      return std::max(painted, value);
    case FieldKind::replaces:
      break;
  }
  return is_neutral(row, painted) ? value : painted;
}

std::string where_of(const std::string& file, std::size_t curve) {
  return file + ": curve " + std::to_string(curve + 1) + ": ";
}

const FieldInUse* find_in_use(std::span<const FieldInUse> in_use, const std::string& name) {
  const auto found = std::find_if(in_use.begin(), in_use.end(),
                                  [&](const FieldInUse& each) { return painted_fields[each.field].name == name; });
  return found == in_use.end() ? nullptr : &*found;
}

std::string names_in_use(std::span<const FieldInUse> in_use) {
  std::string text;
  for (std::size_t k = 0; k < in_use.size(); ++k)
    text += (k == 0 ? "" : k + 1 < in_use.size() ? ", " : " and ") + std::string(painted_fields[in_use[k].field].name);
  return text;
}

}  // namespace

LimbChain limb_chain(std::span<const Bone> bones, const LimbCurve& curve, const std::string& where) {
  const int root = bone_named(bones, curve.from, where);
  LimbChain chain;
  for (int b = bone_named(bones, curve.to, where); b >= 0; b = bones[index(b)].parent) {
    chain.bones.insert(chain.bones.begin(), b);
    if (b == root) break;
  }
  if (chain.bones.front() != root)
    throw input_error(where + "'" + curve.to + "' does not hang from '" + curve.from +
                      "'; name the chain's bone nearer to the root as `from`.");
  for (const int b : chain.bones) chain.points.push_back(head_of(bones[index(b)]));
  chain.points.push_back(tip_of(bones[index(chain.bones.back())]));
  chain.distance.push_back(0);
  for (std::size_t k = 1; k < chain.points.size(); ++k)
    chain.distance.push_back(chain.distance.back() + distance(chain.points[k - 1], chain.points[k]));
  const double length = chain.distance.back();
  if (!(length > 0))
    throw input_error(where + "the chain from '" + curve.from + "' to '" + curve.to +
                      "' has no length; let it end at another bone.");
  for (double& at : chain.distance) at /= length;
  chain.place_of_bone.assign(bones.size(), -1);
  for (std::size_t k = 0; k < chain.bones.size(); ++k) chain.place_of_bone[index(chain.bones[k])] = static_cast<int>(k);
  add_leaves(bones, chain);
  return chain;
}

LimbPlace place_along(const LimbChain& chain, const Vec3& rest, const Influences& influences) {
  LimbPlace place;
  for (std::size_t i = 0; i < index(influences.count); ++i) {
    const int on = chain.place_of_bone[index(influences.joint[i])];
    if (on < 0) continue;
    const std::size_t k = index(on);
    const double begin = chain.distance[k], length = chain.distance[k + 1] - begin;
    place.share += influences.weight[i];
    place.distance += influences.weight[i] * (begin + length * projected(chain.points[k], chain.points[k + 1], rest));
  }
  if (place.share <= 0) return {};
  place.distance = std::clamp(place.distance / place.share, 0.0, 1.0);
  if (place.share > whole_share) place.share = 1;
  return place;
}

double value_along(const LimbCurve& curve, double distance) {
  const PaintedField& row = painted_fields[find_field(curve.field)];
  const double at = std::clamp(distance, curve.keys.front().time, curve.keys.back().time);
  return std::clamp(curve_at(curve.keys, at).value, row.least, row.most);
}

void apply_limb_curves(std::span<const LimbCurve> curves, const std::string& file, std::span<const FieldInUse> in_use,
                       SimulationSurface& surface) {
  if (curves.empty()) return;
  if (!surface.weighted)
    throw input_error(file + ": the character has no skin weights, so that no skin belongs to a limb; leave it out.");
  const std::size_t vertices = surface.rest.positions.size();
  for (std::size_t k = 0; k < curves.size(); ++k)
    if (!find_in_use(in_use, curves[k].field))
      throw input_error(where_of(file, k) + "'" + curves[k].field + "' cannot be given along a limb here; " +
                        names_in_use(in_use) + " can.");
  for (const FieldInUse& use : in_use) {
    const PaintedField& row = painted_fields[use.field];
    FieldAlong field;
    for (std::size_t k = 0; k < curves.size(); ++k) {
      if (curves[k].field != row.name) continue;
      if (field.value.empty()) {
        field.value.assign(vertices, row.takes_setting() ? use.unpainted : row.neutral);
        field.is_given.assign(vertices, 0);
      }
      add_curve(row, curves[k], limb_chain(surface.bones, curves[k], where_of(file, k)), surface, field);
    }
    if (field.value.empty()) continue;
    std::vector<double>& painted = surface.fields[use.field];
    painted.resize(vertices, row.neutral);
    for (std::size_t v = 0; v < vertices; ++v)
      painted[v] = with_paint(row, painted[v], field.value[v], field.is_given[v] != 0);
    if (std::all_of(painted.begin(), painted.end(), [&](double value) { return is_neutral(row, value); }))
      painted.clear();
  }
}

}  // namespace sinew
