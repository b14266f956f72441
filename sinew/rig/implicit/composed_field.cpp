#include "sinew/rig/implicit/composed_field.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"

namespace sinew {
namespace {

// q(t) = 1/2 - 15/16 t + 5/8 t^3 - 3/16 t^5, from 1 at t = -1 to 0 at t = 1 with two smooth derivatives.
double falling(double t) { return 0.5 - t * (15.0 / 16 - t * t * (5.0 / 8 - t * t * (3.0 / 16))); }
double falling_slope(double t) { return -15.0 / 16 * (1 - t * t) * (1 - t * t); }

// Where the skin of two parts meets at about a right angle, their union bulges: at most by a quarter of this, in the
// field's unit. It does not where they go on in one another, nor where they face each other and touch.
constexpr double bulge = 0.2;
constexpr double bulge_cosine = 0.7;  // of the angle between the gradients, at and beyond which nothing bulges

double bulge_width(const FieldValue& a, const FieldValue& b) {
  const double lengths = norm(a.gradient) * norm(b.gradient);
  if (!(lengths > 0)) return 0;
  const double t = dot(a.gradient, b.gradient) / (lengths * bulge_cosine);
  return std::abs(t) < 1 ? bulge * (1 - t * t) * (1 - t * t) * std::min(1.0, 2 * std::min(a.value, b.value)) : 0;
}

}  // namespace

PosedFields::PosedFields(const ImplicitSkin& skin, std::span<const Affine> bones)
    : skin_(skin), placed_(skin.parts.size()) {
  for (std::size_t p = 0; p < placed_.size(); ++p) {
    const Affine& bone = bones[index(skin.parts[p].bone)];
    const double volume = determinant(bone.linear);
    if (!(std::abs(volume) > 1e-12) || !std::isfinite(volume) || !is_finite(bone.translation)) continue;
    Placed& placed = placed_[p];
    placed.there = true;
    placed.to_rest = inverse(bone);
    const Vec3 &low = skin.parts[p].distance.least(), &high = skin.parts[p].distance.most();
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 x = bone * Vec3{(corner & 1) != 0 ? high.x : low.x, (corner & 2) != 0 ? high.y : low.y,
                                 (corner & 4) != 0 ? high.z : low.z};
      placed.least = corner == 0 ? x : min(placed.least, x);
      placed.most = corner == 0 ? x : max(placed.most, x);
    }
  }
}

bool PosedFields::part(int part, const Vec3& x, FieldValue& result) const {
  const Placed& placed = placed_[index(part)];
  if (!placed.there || x.x < placed.least.x || x.y < placed.least.y || x.z < placed.least.z || x.x > placed.most.x ||
      x.y > placed.most.y || x.z > placed.most.z)
    return false;
  FieldValue distance;
  if (!skin_.parts[index(part)].distance.at(placed.to_rest * x, distance)) return false;
  const double radius = skin_.parts[index(part)].radius, t = distance.value / radius;
  if (t >= 1) return false;
  result.value = t <= -1 ? 1 : falling(t);
  result.gradient = t <= -1 ? Vec3{}
                            : transpose_times(placed.to_rest.linear, falling_slope(t) / radius * distance.gradient);
  return true;
}

ComposedValue PosedFields::own(std::size_t vertex, const Vec3& x) const {
  // The two highest fields, where the second hangs together with the first.
  FieldValue first, second, one;
  int top = -1;
  const std::span<const int> parts = own_parts(vertex);
  for (const int p : parts)
    if (part(p, x, one) && (top < 0 || one.value > first.value)) first = one, top = p;
  if (top < 0) return {};
  for (const int p : parts) {
    if (p == top || (skin_.parts[index(p)].parent != top && skin_.parts[index(top)].parent != p)) continue;
    if (part(p, x, one) && one.value > second.value) second = one;
  }
  ComposedValue result{first.value, first.gradient, top};
  const double width = bulge_width(first, second);
  if (const double near = width - (first.value - second.value); near > 0) {
    const double share = near / width;
    result.value += width / 4 * share * share;
    result.gradient = (1 - share / 2) * first.gradient + (share / 2) * second.gradient;
  }
  return result;
}

std::span<const int> PosedFields::own_parts(std::size_t vertex) const {
  const int first = skin_.own_start[vertex];
  return std::span(skin_.own).subspan(index(first), index(skin_.own_start[vertex + 1] - first));
}

ComposedValue PosedFields::with_others(std::size_t vertex, const Vec3& x, std::span<const int> without,
                                       ComposedValue result) const {
  const auto& overlaps = skin_.overlap[vertex];
  auto overlap = overlaps.begin();
  auto left_out = without.begin();
  FieldValue one;
  for (int p = 0; p < static_cast<int>(skin_.parts.size()); ++p) {
    while (overlap != overlaps.end() && overlap->first < p) ++overlap;
    while (left_out != without.end() && *left_out < p) ++left_out;
    if ((left_out != without.end() && *left_out == p) || !part(p, x, one)) continue;
    if (overlap != overlaps.end() && overlap->first == p) one.value -= overlap->second;
    if (one.value > result.value) result = {one.value, one.gradient, p};
  }
  return result;
}

ComposedValue PosedFields::all(std::size_t vertex, const Vec3& x) const {
  return with_others(vertex, x, own_parts(vertex), own(vertex, x));
}

ComposedValue PosedFields::others(std::size_t vertex, const Vec3& x) const {
  return with_others(vertex, x, {&skin_.strongest[vertex], 1}, {});
}

}  // namespace sinew
