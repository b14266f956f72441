// Conversions between the unknowns of a body (free vertices), its vertices and its embedded surface.
#pragma once

#include <memory>
#include <span>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

// Converts 3 numbers per free vertex to one vector per vertex; core vertices get zero.
void scatter_displacements(const FleshBody& body, std::span<const double> free_displacement,
                           std::span<Vec3> per_vertex);

// Writes forces on vertices to 3 numbers per free vertex; those on core vertices, which bones bear, are left out.
void scatter_forces(const FleshBody& body, std::span<const PointForce> forces, std::vector<double>& local);

// Computes external forces in local frames, 3 numbers per free vertex, newtons.
void outside_forces(const FleshBody& body, const VertexFrames& frames, std::span<double> local);

// Computes the world displacement of each embedded surface point from the rig's surface, metres: sum_k b_k R_k u_k over
// the corners of its tetrahedron.
void surface_displacement(const FleshBody& body, const VertexFrames& frames, std::span<const Vec3> local_displacement,
                          std::span<Vec3> surface);

// Wraps surface_displacement() in the interface common to all bodies.
std::unique_ptr<SurfaceCarrier> surface_carrier(std::shared_ptr<const FleshBody> body);

// Throws simulation_error naming the first body vertex whose displacement is not finite.
void require_finite(std::span<const double> displacement);

// Returns the embedding as a matrix, surface vertices x body vertices, columns ascending.
SparseRows surface_rows(const FleshDescription& description);

}  // namespace sinew
