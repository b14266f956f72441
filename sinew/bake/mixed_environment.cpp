#include "sinew/bake/mixed_environment.h"

#include <cmath>

#include "sinew/contact/outside_forces.h"

namespace sinew {
namespace {

constexpr Vec3 gravity{0, -9.81, 0};  // m/s^2, world

bool acts(const MixedPoke& poke, double seconds) {
  return seconds >= poke.begin.value_or(-HUGE_VAL) && seconds <= poke.end.value_or(HUGE_VAL);
}

}  // namespace

MixedEnvironment::MixedEnvironment(const Character& character, const MixedScene& scene, const MixedSettings& settings)
    : scene_(scene), settings_(settings), colliders_(character, settings.colliders) {
  if (has_colliders() || !settings.pokes.empty()) surface_ = surface_points(scene.mesh, scene.embedding.points);
}

bool MixedEnvironment::empty() const { return !settings_.gravity && !has_colliders() && settings_.pokes.empty(); }

std::vector<Vec3> MixedEnvironment::forces(double seconds) const {
  std::vector<Vec3> forces;
  if (!settings_.gravity && settings_.pokes.empty()) return forces;
  forces.resize(scene_.mesh.positions.size());
  if (settings_.gravity) add_weight(scene_.mass, gravity, forces);
  for (const MixedPoke& poke : settings_.pokes)
    if (acts(poke, seconds)) add_poke(surface_, scene_.mesh.positions, {poke.point, poke.force, poke.radius}, forces);
  return forces;
}

Colliders MixedEnvironment::colliders(const Pose& pose) const {
  Colliders colliders = colliders_.in(pose);
  if (settings_.ground) colliders.planes.insert(colliders.planes.begin(), PlaneCollider{{0, *settings_.ground, 0}, {0, 1, 0}});
  return colliders;
}

}  // namespace sinew
