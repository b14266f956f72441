// Builds a surface model whose vertices follow the rig from a character's simulation surface
// (character/simulation_surface.h); fitting or painting then sets the parameters of its vertices.
#pragma once

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/surface_model.h"

namespace sinew {

struct SurfaceModelOptions {
  double step = 1.0 / 60;  // seconds
  ShapeReference reference = ShapeReference::rig;
  double height = 1;  // height of the character, metres
};

// Neighbours are the ends of the triangles' edges. Each vertex keeps its four strongest influences. Each gives a spoke
// to the nearest segment of its bone, or of the nearest ancestor with a core if that bone is a helper without one.
// Parameters are the paper's initial guess alpha = 1, and delta = 1, with which the surface is the rig's own. Triangles
// without area, or that name a vertex twice, are left out of normals and neighbours where necessary.
SurfaceModel build_surface_model(const Character& character, const SimulationSurface& surface,
                                 const SurfaceModelOptions& options);

// Returns the point of the segment nearest to `point`; its head if it has zero length.
Vec3 nearest_on_segment(const Vec3& head, const Vec3& tail, const Vec3& point);

}  // namespace sinew
