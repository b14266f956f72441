#include "sinew/session/attachment.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace sinew {

namespace {

// The part of a displacement of this length that flesh makes: all of it up to 0.6 of the reach, and smoothly less
// beyond, up to 0.7 of it. The rest is left to flesh beside the hand, which goes farther than what the hand holds.
double bounded_distance(double length, double reach) {
  const double whole = 0.6 * reach, rest = 0.1 * reach;
  return length <= whole ? length : whole + rest * std::tanh((length - whole) / rest);
}

}  // namespace

// Farthest points first, beginning with the heaviest; then each vertex's weight goes to the chosen one that is nearest.
void thin(Attachment& attachment, const TriangleMesh& rest, std::size_t most) {
  const std::vector<PatchVertex>& patch = attachment.patch;
  attachment.held = patch;
  if (patch.size() <= most || most == 0) return;
  const auto place = [&](std::size_t k) -> const Vec3& {
    return rest.positions[static_cast<std::size_t>(patch[k].vertex)];
  };
  std::vector<double> squared(patch.size(), std::numeric_limits<double>::infinity());
  std::vector<std::size_t> nearest(patch.size(), 0), chosen;
  std::size_t next = 0;
  for (std::size_t k = 1; k < patch.size(); ++k)
    if (patch[k].weight > patch[next].weight) next = k;
  while (chosen.size() < most && squared[next] > 0) {
    for (std::size_t k = 0; k < patch.size(); ++k) {
      const double here = squared_norm(place(k) - place(next));
      if (here < squared[k]) squared[k] = here, nearest[k] = chosen.size();
    }
    chosen.push_back(next);
    next = static_cast<std::size_t>(std::max_element(squared.begin(), squared.end()) - squared.begin());
  }
  attachment.held.clear();
  for (const std::size_t k : chosen) attachment.held.push_back({patch[k].vertex, 0});
  for (std::size_t k = 0; k < patch.size(); ++k) attachment.held[nearest[k]].weight += patch[k].weight;
  std::sort(attachment.held.begin(), attachment.held.end(),
            [](const PatchVertex& a, const PatchVertex& b) { return a.vertex < b.vertex; });
}

double reach_of(const Attachment& attachment, std::span<const double> reach) {
  if (reach.empty()) return std::numeric_limits<double>::infinity();
  double mean = 0;
  for (const PatchVertex& v : attachment.patch) mean += v.weight * reach[static_cast<std::size_t>(v.vertex)];
  if (!attachment.patch.empty()) return mean;
  for (std::size_t k = 0; k < 3; ++k)
    if (attachment.middle.vertex[k] >= 0)
      mean += attachment.middle.weight[k] * reach[static_cast<std::size_t>(attachment.middle.vertex[k])];
  return mean;
}

Attachment attach(const TriangleMesh& rest, std::span<const double> reach, const Vec3& point, double radius) {
  Attachment attachment;
  attachment.middle = nearest_surface_point(rest, point);
  attachment.patch = patch_around(rest, attachment.middle, radius);
  attachment.reach = reach_of(attachment, reach);
  thin(attachment, rest, most_held_points);
  return attachment;
}

Vec3 within_reach(const Attachment& attachment, const SimulationSurface& surface, std::span<const Affine> bones,
                  const Vec3& target) {
  if (!(attachment.reach < std::numeric_limits<double>::infinity())) return target;
  const Vec3 by_rig = carried(surface, attachment.middle, bones), displacement = target - by_rig;
  const double length = norm(displacement);
  return length > 0 ? by_rig + (bounded_distance(length, attachment.reach) / length) * displacement : target;
}

Vec3 carried(const SimulationSurface& surface, const SurfacePoint& point, std::span<const Affine> bones) {
  return carried(PosedSkin(surface, bones), point);
}

Vec3 carried(const PosedSkin& skin, const SurfacePoint& point) {
  Vec3 place;
  for (std::size_t k = 0; k < 3; ++k) {
    if (point.vertex[k] < 0) break;
    place += point.weight[k] * skin.at(static_cast<std::size_t>(point.vertex[k]));
  }
  return place;
}

void hold(const Attachment& attachment, const SimulationSurface& surface, const SharedText& name, const HandStep& hand,
          std::vector<HeldPoint>& held) {
  const auto velocity = [&](const Vec3& displacement) { return hand.step > 0 ? displacement / hand.step : Vec3{}; };
  if (attachment.held.empty()) {
    held.push_back({attachment.middle, hand.hand, velocity(hand.displacement), name});
    return;
  }
  const PosedSkin skin(surface, hand.bones), skin_before(surface, hand.bones_before);
  const Vec3 moved = hand.hand - carried(skin, attachment.middle),
             moved_before = hand.hand - hand.displacement - carried(skin_before, attachment.middle);
  const auto number = static_cast<int>(held.size());  // what is held before it has lower ones
  for (const PatchVertex& v : attachment.held) {
    const SurfacePoint point = at_vertex(v.vertex);
    const Vec3 target = carried(skin, point) + moved, before = carried(skin_before, point) + moved_before;
    held.push_back({point, target, velocity(target - before), name, number, v.weight, true});
  }
}

}  // namespace sinew
