#include "studio/server/live/moving_muscles.h"

#include <utility>

namespace sinew::studio {

void MovingMuscles::of(std::shared_ptr<const Scene> scene) {
  if (scene_ == scene) return;
  scene_ = std::move(scene);
  lines_ = scene_->muscle_lines ? scene_->muscle_lines() : MuscleLines();
}

void MovingMuscles::forget() {
  scene_.reset();
  lines_ = {};
  places_ = {};
}

std::span<const Vec3> MovingMuscles::places(std::span<const Vec3> displacements, std::span<const Affine> bones) {
  places_.resize(MuscleLines::points * lines_.lines.size());
  if (!places_.empty()) lines_.place(displacements, bones, places_);
  return places_;
}

}  // namespace sinew::studio
