// The movers of a mixed body, which pin its vertices and turn its elements: bones, and free handles (docs/mixed_fem.md,
// section 9). Movers are numbered: first the sources of rotation, which are bones, frames in the order of the handles,
// and, in a body without either, the fit of all points; then the points in the order of the handles.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// A vertex of the surface that slides across a direction.
struct SlidingVertex {
  int vertex = -1;
  Vec3 normal;  // the direction, of unit length, rest space
};

// A free handle in a body.
struct MixedHandle {
  bool is_frame = false;  // it turns flesh; else a point, whose region is turned as the element at its place
  Vec3 place;             // metres, rest space
  int tetrahedron = -1;   // at its place
  std::vector<SlidingVertex> slides{};  // skin that it holds along a normal alone, and then it moves nothing

  bool is_point() const { return !is_frame && slides.empty(); }
};

struct MixedMovers {
  std::size_t bones = 0;             // bones that pose the body
  std::vector<MixedHandle> handles;  // in the order of Environment::handles

  std::size_t frames() const;
  std::size_t points() const;
  bool fits_points() const { return bones + frames() == 0 && points() > 0; }
  std::size_t sources() const { return bones + frames() + (fits_points() ? 1 : 0); }
  // The mover of each handle; -1 for those that slide.
  std::vector<int> of_handles() const;
};

// The motions of the sources: rest space to world, metres. `bones`: at least `movers.bones` of them; `handles`: of each
// handle, or empty for handles at rest.
std::vector<Affine> source_motions(const MixedMovers& movers, std::span<const Affine> bones,
                                   std::span<const Affine> handles);

// Adds the motions of the points. `rotations`: per tetrahedron, rest to world.
void add_point_motions(const MixedMovers& movers, std::span<const Affine> handles, std::span<const Mat3> rotations,
                       std::vector<Affine>& motions);

// The rigid motion that fits points best in the least-squares sense (Kabsch 1976): from `rest` to `now`, metres. For
// points in line it turns by the least angle, and for a single one, or several in one place, it does not turn. Throws
// usage_error unless there are as many of both, at least one.
Affine best_rigid_motion(std::span<const Vec3> rest, std::span<const Vec3> now);

}  // namespace sinew
