// Cells of the body in the player, for pages to draw.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/scene.h"

namespace sinew::studio {

// The cells of a scene, moving. Numbered, so that clients know when the edges have changed.
class MovingCells {
 public:
  // Switches to the cells of this scene.
  void of(std::shared_ptr<const Scene> scene);
  void forget();

  std::uint32_t number() const { return number_; }
  const BodyCells& cells() const { return cells_; }

  // Positions of the points after the last step of a deformer of that scene; metres, world. `displacements` belong to
  // the deformer's points(); `bones` map rest space to world. Valid until the next call.
  std::span<const Vec3> places(std::span<const Vec3> displacements, std::span<const Affine> bones);

 private:
  std::shared_ptr<const Scene> scene_;
  BodyCells cells_;
  std::uint32_t number_ = 0;
  std::vector<Vec3> places_;
};

}  // namespace sinew::studio
