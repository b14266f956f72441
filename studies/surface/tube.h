// The tube of the experiments with surface models: round and closed, around a straight chain of bones.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/surface/surface_motion.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct SurfaceTubeOptions {
  int rings = 41, columns = 24;
  int bones = 1;                     // in a chain, blended over a quarter of their length at the joints
  double length = 1, radius = 0.15;  // metres
  ShapeReference reference = ShapeReference::rig;
};

// The tube's axis is x, from 0 to `length`; each cap has a vertex in its centre. Parameters are those of the rig's own
// surface.
struct SurfaceTube {
  SurfaceTubeOptions options;
  TriangleMesh rest;
  SurfaceModel model;
};

SurfaceTube make_surface_tube(const SurfaceTubeOptions& options);

// Volume enclosed by the triangles, m^3; negative if they face inwards.
double enclosed_volume(std::span<const Vec3> positions, std::span<const Triangle> triangles);

// Sets fixed parameters that vary smoothly over the surface and, with `shape`, anisotropic restoration.
void set_smooth_parameters(SurfaceModel& model, bool shape);

// A motion in which the chain swings at its joints about changing axes and shakes as a whole; from `start` seconds on.
SurfaceMotion dance(const SurfaceModel& model, std::size_t frames, double start);

// The model's own output for a motion, as an example to learn from.
SurfaceExample example_of_model(const SurfaceModel& model, const SurfaceMotion& motion);

}  // namespace sinew
