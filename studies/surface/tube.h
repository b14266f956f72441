// The tube of the experiments with surface models: round, closed, around a straight chain of bones.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/surface/surface_motion.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct SurfaceTubeOptions {
  int rings = 41, columns = 24;
  int bones = 1;                     // in a chain, blending over a quarter of their length at the joints
  double length = 1, radius = 0.15;  // metres
  ShapeReference reference = ShapeReference::rig;
};

// Its axis is x, from 0 to `length`; a vertex in the middle of either cap. Parameters are those of the rig's own
// surface.
struct SurfaceTube {
  SurfaceTubeOptions options;
  TriangleMesh rest;
  SurfaceModel model;
};

SurfaceTube make_surface_tube(const SurfaceTubeOptions& options);

// Volume that the triangles enclose, m^3: negative where they face inwards.
double enclosed_volume(std::span<const Vec3> positions, std::span<const Triangle> triangles);

// Parameters that differ smoothly over the surface, the same each time, and, with `shape`, such restoration.
void set_smooth_parameters(SurfaceModel& model, bool shape);

// The chain swings at its joints about changing axes and shakes on the whole; from `start` seconds of that dance on.
SurfaceMotion dance(const SurfaceModel& model, std::size_t frames, double start);

// What the model itself makes of a motion, as an example to learn from.
SurfaceExample example_of_model(const SurfaceModel& model, const SurfaceMotion& motion);

}  // namespace sinew
