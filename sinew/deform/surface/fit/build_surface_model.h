// From the one surface of a character (character/simulation_surface.h) to a surface model whose vertices follow the
// rig: fitting or painting then says how each of them moves.
#pragma once

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/surface_model.h"

namespace sinew {

struct SurfaceModelOptions {
  double step = 1.0 / 60;  // seconds
  ShapeReference reference = ShapeReference::rig;
  double height = 1;  // of the character, metres
};

// Neighbours are the ends of the triangles' edges. Of each vertex the strongest four influences are kept; each gives a
// spoke to the nearest segment of its bone, or, where that bone is a helper without a core, of the nearest ancestor
// that is none. Parameters are the paper's first guess, alpha = 1, and delta = 1, with which the surface is the rig's
// own. Triangles without an area, or that name a vertex twice, are left out of normals and neighbours as far as they
// must.
SurfaceModel build_surface_model(const Character& character, const SimulationSurface& surface,
                                 const SurfaceModelOptions& options);

// The point of the segment nearest to `point`; its head where it has no length.
Vec3 nearest_on_segment(const Vec3& head, const Vec3& tail, const Vec3& point);

}  // namespace sinew
