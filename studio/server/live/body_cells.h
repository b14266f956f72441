// The cells that the body in the player moves in, for pages to draw.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/scene.h"

namespace sinew::studio {

// Numbered, so that who has drawn the edges knows when there are others.
class MovingCells {
 public:
  // Those of this scene from now on.
  void of(std::shared_ptr<const Scene> scene);
  void forget();

  std::uint32_t number() const { return number_; }
  const BodyCells& cells() const { return cells_; }

  // World, metres, per point, after the last step of a deformer of that scene: `displacements` are its points(),
  // `bones` lead from rest space to the world. Until the next call.
  std::span<const Vec3> places(std::span<const Vec3> displacements, std::span<const Affine> bones);

 private:
  std::shared_ptr<const Scene> scene_;
  BodyCells cells_;
  std::uint32_t number_ = 0;
  std::vector<Vec3> places_;
};

}  // namespace sinew::studio
