// Muscles of the flesh in the player, for pages to draw.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/scene.h"

namespace sinew::studio {

// Places of the muscles of a scene, which move with its flesh.
class MovingMuscles {
 public:
  // Switches to the muscles of this scene.
  void of(std::shared_ptr<const Scene> scene);
  void forget();

  // MuscleLines::points places per muscle after the last step of a deformer of that scene; metres, world.
  // `displacements` belong to the deformer's points(); `bones` map rest space to world. Valid until the next call.
  std::span<const Vec3> places(std::span<const Vec3> displacements, std::span<const Affine> bones);

 private:
  std::shared_ptr<const Scene> scene_;
  MuscleLines lines_;
  std::vector<Vec3> places_;
};

}  // namespace sinew::studio
