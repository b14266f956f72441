#include "sinew/session/grip.h"

#include "sinew/rig/linear_blend.h"

namespace sinew {

Grip grip_on(const TriangleMesh& rest, const Vec3& point, double radius) {
  const SurfaceSpot middle = nearest_spot(rest, point);
  return {middle, patch_around(rest, middle, radius)};
}

Vec3 carried(const SimulationSurface& surface, const SurfaceSpot& spot, std::span<const Affine> bones) {
  Vec3 place;
  for (std::size_t k = 0; k < 3; ++k) {
    if (spot.vertex[k] < 0) break;
    const auto v = static_cast<std::size_t>(spot.vertex[k]);
    Vec3 there;
    linear_blend({&surface.rest.positions[v], 1}, {&surface.influences[v], 1}, bones, {&there, 1});
    place += spot.weight[k] * there;
  }
  return place;
}

void hold(const Grip& grip, const SimulationSurface& surface, const SharedText& name, const HandStep& hand,
          std::vector<HeldPoint>& held) {
  const auto velocity = [&](const Vec3& way) { return hand.step > 0 ? way / hand.step : Vec3{}; };
  if (grip.patch.empty() || hand.bones.empty()) {
    held.push_back({grip.middle, hand.hand, velocity(hand.way), name});
    return;
  }
  const Vec3 moved = hand.hand - carried(surface, grip.middle, hand.bones),
             moved_before = hand.hand - hand.way - carried(surface, grip.middle, hand.bones_before);
  const auto number = static_cast<int>(held.size());  // what is held before it has lower ones
  for (const PatchVertex& v : grip.patch) {
    const SurfaceSpot spot = at_vertex(v.vertex);
    const Vec3 target = carried(surface, spot, hand.bones) + moved,
               before = carried(surface, spot, hand.bones_before) + moved_before;
    held.push_back({spot, target, velocity(target - before), name, number, v.weight, true});
  }
}

}  // namespace sinew
