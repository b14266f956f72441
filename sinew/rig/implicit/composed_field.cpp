#include "sinew/rig/implicit/composed_field.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"

namespace sinew {
namespace {

// Where the skin of two parts meets at about a right angle their union bulges, at most by a quarter of this share of
// the thinner one's radius. It does not where they go on in one another, nor where they face each other and touch.
constexpr double bulge = 0.25;
constexpr double skin_near = 0.2, skin_far = 0.4;  // of a part's radius
constexpr double bulge_cosine = 0.7;  // of the angle between the gradients, at and beyond which nothing bulges

double bulge_width(const FieldValue& a, const FieldValue& b, double radius) {
  const double lengths = norm(a.gradient) * norm(b.gradient);
  if (!(lengths > 0)) return 0;
  const double t = dot(a.gradient, b.gradient) / (lengths * bulge_cosine);
  return std::abs(t) < 1 ? bulge * radius * (1 - t * t) * (1 - t * t) : 0;
}

}  // namespace

double beyond_skin(std::span<const Vec3> skin, const Vec3& x, double field) {
  double nearest = HUGE_VAL;
  for (const Vec3& place : skin) nearest = std::min(nearest, squared_norm(place - x));
  return std::sqrt(nearest) - std::abs(field);
}

PosedFields::PosedFields(const ImplicitSkin& skin, std::span<const Affine> bones)
    : skin_(skin), placed_(skin.parts.size()) {
  for (std::size_t p = 0; p < placed_.size(); ++p) {
    const Affine& bone = bones[index(skin.parts[p].bone)];
    const double volume = std::abs(determinant(bone.linear));
    if (!(volume > 1e-12) || !std::isfinite(volume) || !is_finite(bone.translation)) continue;
    Placed& placed = placed_[p];
    placed.there = true;
    placed.scale = std::cbrt(volume);
    placed.to_rest = inverse(bone);
    const Vec3 &low = skin.parts[p].distance.inside_least(), &high = skin.parts[p].distance.inside_most();
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 x = bone * Vec3{(corner & 1) != 0 ? high.x : low.x, (corner & 2) != 0 ? high.y : low.y,
                                 (corner & 4) != 0 ? high.z : low.z};
      placed.inside.least = corner == 0 ? x : min(placed.inside.least, x);
      placed.inside.most = corner == 0 ? x : max(placed.inside.most, x);
    }
  }
}

bool PosedFields::part(int part, const Vec3& x, FieldValue& result) const {
  const Placed& placed = placed_[index(part)];
  if (!placed.there || !skin_.parts[index(part)].distance.at(placed.to_rest * x, result)) return false;
  result.value *= placed.scale;
  result.gradient = transpose_times(placed.to_rest.linear, placed.scale * result.gradient);
  return true;
}

bool PosedFields::distance(int part, const Vec3& x, double& result) const {
  const Placed& placed = placed_[index(part)];
  if (!placed.there || !skin_.parts[index(part)].distance.value_at(placed.to_rest * x, result)) return false;
  result *= placed.scale;
  return true;
}

double PosedFields::has_skin(int part, const Vec3& x, double field) const {
  const Placed& placed = placed_[index(part)];
  const ImplicitSkin::Part& of = skin_.parts[index(part)];
  const Vec3 at_rest = placed.to_rest * x;
  const double depth = std::abs(field / placed.scale), near = depth + skin_near * of.radius;
  double nearest = HUGE_VAL;
  for (const Vec3& place : of.skin) {
    nearest = std::min(nearest, squared_norm(place - at_rest));
    if (nearest < near * near) return 1;
  }
  return falling_step((std::sqrt(nearest) - depth) / of.radius, skin_near, skin_far);
}

double PosedFields::overlap(std::size_t vertex, int other) const {
  for (const auto& [part, depth] : skin_.overlap[vertex])
    if (part == other) return depth * scale(other);
  return 0;
}

double PosedFields::excess(std::size_t vertex, int other, const Vec3& x) const {
  const int own = skin_.strongest[vertex];
  double here = 0, there = 0;
  if (!distance(own, x, here)) return radius(own);
  if (!distance(other, x, there)) return -radius(own);
  return (here - skin_.depth[vertex] * scale(own)) - (there - overlap(vertex, other));
}

PosedFields::Lowest PosedFields::lowest(std::size_t vertex, const Vec3& x) const {
  Lowest lowest;
  double value = 0;
  for (auto k = index(skin_.own_start[vertex]); k < index(skin_.own_start[vertex + 1]); ++k) {
    const int part = skin_.own[k];
    if (!distance(part, x, value)) continue;
    if (lowest.part < 0 || value < lowest.value) {
      lowest.second = lowest.value, lowest.second_part = lowest.part;
      lowest.value = value, lowest.part = part;
    } else if (lowest.second_part < 0 || value < lowest.second) {
      lowest.second = value, lowest.second_part = part;
    }
  }
  return lowest;
}

double PosedFields::most_bulge(const Lowest& lowest) const {
  return bulge * std::min(radius(lowest.part), radius(lowest.second_part));
}

bool PosedFields::own(std::size_t vertex, const Vec3& x, FieldValue& result) const {
  return own(lowest(vertex, x), x, result);
}

bool PosedFields::own(const Lowest& lowest, const Vec3& x, FieldValue& result) const {
  if (lowest.part < 0) return false;
  part(lowest.part, x, result);
  if (!bulges(lowest)) return true;
  FieldValue second;
  part(lowest.second_part, x, second);
  const double width = bulge_width(result, second, most_bulge(lowest) / bulge);
  if (const double near = width - (second.value - result.value); near > 0) {
    const double share = near / width;
    result.value -= width / 4 * share * share;
    result.gradient = (1 - share / 2) * result.gradient + (share / 2) * second.gradient;
  }
  return true;
}

}  // namespace sinew
