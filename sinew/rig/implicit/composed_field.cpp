#include "sinew/rig/implicit/composed_field.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"

namespace sinew {
namespace {

// Where the skin of two parts meets at about a right angle their union bulges, at most by a quarter of this share of
// the thinner one's radius. It does not where they go on in one another, nor where they face each other and touch.
constexpr double bulge = 0.25;
constexpr double skin_near = 0.1, skin_far = 0.6;  // of the larger part's radius
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

double PosedFields::has_skin(int part, const Vec3& x, double field, double size) const {
  const Placed& placed = placed_[index(part)];
  const ImplicitSkin::Part& of = skin_.parts[index(part)];
  const Vec3 at_rest = placed.to_rest * x;
  const double unit = std::max(size / placed.scale, of.radius);
  const double depth = std::abs(field / placed.scale), near = depth + skin_near * unit;
  double nearest = HUGE_VAL;
  for (const Vec3& place : of.skin) {
    nearest = std::min(nearest, squared_norm(place - at_rest));
    if (nearest < near * near) return 1;
  }
  return falling_step((std::sqrt(nearest) - depth) / unit, skin_near, skin_far);
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

double PosedFields::intrusion(std::size_t vertex, int other, const Vec3& x) const {
  const int own = skin_.strongest[vertex];
  double here = 0, there = 0;
  if (!distance(other, x, there)) return -radius(own);
  const double entered = overlap(vertex, other) - there;
  if (!distance(own, x, here)) return std::min(radius(own), entered);
  return entered + std::min(0.0, here - skin_.depth[vertex] * scale(own));
}

PosedFields::Own PosedFields::own_fields(std::size_t vertex, const Vec3& x) const {
  Own own;
  for (auto k = index(skin_.own_start[vertex]); k < index(skin_.own_start[vertex + 1]); ++k) {
    double& value = own.value[own.count];
    if (!distance(skin_.own[k], x, value)) continue;
    own.part[own.count] = skin_.own[k];
    own.least = own.count == 0 ? value : std::min(own.least, value);
    ++own.count;
  }
  return own;
}

double PosedFields::lower_bound(const Own& own) const {
  if (own.count < 2) return own.least;
  double width = 0;
  for (std::size_t k = 0; k < own.count; ++k) width = std::max(width, bulge * radius(own.part[k]));
  return own.least - width / 4;
}

bool PosedFields::own(std::size_t vertex, const Vec3& x, FieldValue& result) const {
  return own(own_fields(vertex, x), x, result);
}

bool PosedFields::own(const Own& fields, const Vec3& x, FieldValue& result) const {
  if (fields.count == 0) return false;
  result = {fields.least, {}};
  std::array<FieldValue, max_influences> near;
  std::array<std::size_t, max_influences> which{};
  std::size_t count = 0;
  double shares = 0;
  for (std::size_t k = 0; k < fields.count; ++k) {
    const double share = 1 - (fields.value[k] - fields.least) / (bulge * radius(fields.part[k]));
    if (!(share > 0)) continue;
    part(fields.part[k], x, near[count]);
    which[count++] = k;
    shares += share * share;
    result.gradient += share * share * near[count - 1].gradient;
  }
  result.gradient = result.gradient / shares;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a + 1; b < count; ++b) {
      const double radii = std::min(radius(fields.part[which[a]]), radius(fields.part[which[b]]));
      const double width = bulge_width(near[a], near[b], radii);
      const double missing = width - std::abs(near[a].value - near[b].value);
      if (missing > 0)
        result.value = std::min(result.value, std::min(near[a].value, near[b].value) - missing * missing / (4 * width));
    }
  return true;
}

}  // namespace sinew
