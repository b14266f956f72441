#include "sinew/deform/tissue_keys.h"

namespace sinew {

bool ClipKeys::act_between(double begin, double end, const Vec3& own_gravity) const {
  return stiffness.leaves(1, begin, end) || damping.leaves(1, begin, end) || gravity.leaves(own_gravity, begin, end);
}

void ClipKeys::apply(double time, const Vec3& own_gravity, Environment& environment) const {
  if (!stiffness.keys.empty()) environment.stiffness = stiffness.at(time);
  if (!damping.keys.empty()) environment.damping = damping.at(time);
  if (gravity.keys.empty()) return;
  const Vec3 keyed = gravity.at(time);
  if (keyed != own_gravity) environment.gravity = keyed;
}

const ClipKeys* TissueKeys::of(const std::string& clip) const {
  auto found = clips.find(clip);
  if (found == clips.end()) found = clips.find(any_clip);
  return found == clips.end() ? nullptr : &found->second;
}

Environment TissueKeys::everything() const {
  Environment environment;
  for (const auto& [name, keys] : clips) {
    if (!keys.stiffness.keys.empty()) environment.stiffness = most_of_tissue;
    if (!keys.damping.keys.empty()) environment.damping = most_of_tissue;
    if (!keys.gravity.keys.empty()) environment.gravity = Vec3{};
  }
  return environment;
}

}  // namespace sinew
