#include "sinew/deform/display/clamp_release.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/deform/snapshot_numbers.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

// Seconds in which clamps are mostly released for a hand, which begins as smoothly (session/session.cpp). They come
// back in half a swing of the flesh, since what springs back by itself is not hurried.
constexpr double release_time = 0.02, swings_back = 0.5;
constexpr double no_release = 1e-5;  // less counts as none

// Largest displacement of the points on which forces of the rig act, metres, without what the rig shows itself.
double pushed_displacement(const RigState& rig, std::span<const Vec3> points) {
  double most = 0;
  auto shown = rig.shown_by_rig.begin();
  for (const PointForce& force : rig.forces) {
    Vec3 pushed = points[index(force.point)];
    while (shown != rig.shown_by_rig.end() && shown->point < force.point) ++shown;
    if (shown != rig.shown_by_rig.end() && shown->point == force.point) pushed -= shown->by;
    most = std::max(most, norm(pushed));
  }
  return most;
}

// Metres between held points and where the rig has the skin that they hold; of colliders, the flesh's own displacement,
// without a limit; of forces of the rig, that of the points on which they act.
double driven_displacement(const SimulationSurface& surface, const RigState& rig, const Environment& environment,
                           std::span<const Vec3> points) {
  double most = 0;
  if (!environment.colliders.empty())
    for (const Vec3& u : points) most = std::max(most, norm(u));
  most = std::max(most, pushed_displacement(rig, points));
  if (environment.held.empty()) return most;
  const PosedSkin skin(surface, rig.bones);
  for (const HeldPoint& held : environment.held) {
    Vec3 way = held.target;
    for (std::size_t k = 0; k < 3; ++k) {
      if (held.point.vertex[k] < 0) continue;
      way -= held.point.weight[k] * skin.at(index(held.point.vertex[k]));
    }
    most = std::max(most, norm(way));
  }
  return most;
}

}  // namespace

void ClampRelease::begin(const RigState& rig, std::span<const Vec3> points) {
  now_ = {0, pushed_displacement(rig, points)};
  earlier_ = now_;
}

void ClampRelease::step(const SimulationSurface& surface, const RigState& rig, const Environment& environment,
                        std::span<const Vec3> points, double seconds, double period) {
  earlier_ = now_;
  const bool is_driven = !environment.held.empty() || !environment.colliders.empty();
  const auto change = [&](bool releases) {
    return 1 - std::exp(-seconds / (releases ? release_time : swings_back * period));
  };
  now_.share += change(is_driven) * ((is_driven ? 1.0 : 0.0) - now_.share);
  const bool moves = is_driven || !rig.forces.empty();
  const double driven = moves ? driven_displacement(surface, rig, environment, points) : 0;
  now_.driven += change(driven > now_.driven) * (driven - now_.driven);
  if (is_driven || now_.share >= no_release) return;
  // Forces of the rig release the display limit alone.
  if (!moves && (now_.share > 0 || now_.driven < no_release)) now_ = {};
  now_.share = 0;
}

void ClampRelease::save(Snapshot& snapshot) const {
  snapshot.numbers.insert(snapshot.numbers.end(), {earlier_.share, now_.share, earlier_.driven, now_.driven});
}

void ClampRelease::load(std::span<const double> saved, double reach, bool used) {
  for (std::size_t k = 0; k < numbers; ++k)
    if (!(saved[k] >= 0 && saved[k] <= (k < 2 ? 1 : 2 * reach))) throw forged_state("how far its flesh is displayed");
  if (used) earlier_ = {saved[0], saved[2]}, now_ = {saved[1], saved[3]};
}

}  // namespace sinew
