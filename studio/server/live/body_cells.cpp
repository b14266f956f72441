#include "studio/server/live/body_cells.h"

#include <cstddef>
#include <utility>

namespace sinew::studio {
namespace {

bool same_edges(const BodyCells& a, const BodyCells& b) {
  return a.kind == b.kind && a.cells == b.cells && a.points == b.points && a.outer == b.outer && a.edges == b.edges;
}

}  // namespace

void MovingCells::of(std::shared_ptr<const Scene> scene) {
  if (scene_ == scene) return;
  scene_ = std::move(scene);
  BodyCells next = scene_->cells ? scene_->cells() : BodyCells();
  const bool same = number_ > 0 && same_edges(next, cells_);
  cells_ = std::move(next);
  if (!same) ++number_;
}

void MovingCells::forget() {
  scene_.reset();
  cells_ = {};
  places_ = {};
}

std::span<const Vec3> MovingCells::places(std::span<const Vec3> displacements, std::span<const Affine> bones) {
  const std::size_t count = cells_.points;
  if (count == 0 || displacements.size() < count) return {};
  places_.assign(displacements.begin(), displacements.begin() + static_cast<std::ptrdiff_t>(count));
  if (cells_.place) cells_.place(displacements.first(count), bones, places_);
  return places_;
}

}  // namespace sinew::studio
