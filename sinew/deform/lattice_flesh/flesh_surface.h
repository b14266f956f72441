// Small passes between the unknowns of a body (free vertices), its vertices and its embedded surface.
#pragma once

#include <span>

#include "sinew/deform/lattice_flesh/flesh_body.h"
#include "sinew/deform/lattice_flesh/vertex_frames.h"

namespace sinew {

// 3 numbers per free vertex -> one vector per vertex; core vertices get zero.
void scatter_displacements(const FleshBody& body, std::span<const double> free_displacement, std::span<Vec3> per_vertex);

// Outside forces in local frames, 3 numbers per free vertex, newtons.
void outside_forces(const FleshBody& body, const VertexFrames& frames, std::span<double> local);

// The points whose displacements a deformer answers in, and how they carry the surface. Views of a body.
struct DisplacedPoints {
  std::span<const Vec3> rest;              // rest space, metres
  std::span<const Influences> influences;  // which predict their frames
  std::span<const double> limit;           // displacement that is shown at most, metres, or empty
  // The surface's vertices in tetrahedra of points; empty where the points are the surface's vertices themselves.
  std::span<const EmbeddedPoint> embedding;
  std::span<const Tetrahedron> tetrahedra;

  std::size_t surface_size() const { return embedding.empty() ? rest.size() : embedding.size(); }
};
DisplacedPoints displaced_points(const FleshBody& body);

// Displacements as they are shown: u / sqrt(1 + |u|^2 / limit^2), which leaves small ones alone and never passes
// the limit. The simulation itself goes on with the unlimited ones.
void limit_displacements(const DisplacedPoints& points, std::span<Vec3> displacement);

// World displacement of each surface vertex from the rig's own surface, metres: sum_k b_k R_k u_k over the points that
// carry it.
void surface_displacement(const DisplacedPoints& points, const VertexFrames& frames,
                          std::span<const Vec3> local_displacement, std::span<Vec3> surface);

// Throws simulation_error naming the time and the first body vertex whose displacement is not a number.
void require_finite(std::span<const double> displacement, double time);

}  // namespace sinew
