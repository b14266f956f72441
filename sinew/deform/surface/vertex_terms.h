// The forces on one vertex (Shi et al. 2008, equations 4 to 9), each as the displacement in one step per unit of its
// parameter, i.e. h^2 times the acceleration, and the step that they make. In double precision, for fitting, where
// errors are summed over thousands of steps. The equations are in step_equations.h, which the gradient of a fit shares
// (gradient_kernel.h). The C run-time computes the same in single precision from the codes of its file; tests hold the
// two equal (tests/runtime/library_step_test.cpp), and numbers that both need to the last digit are in
// runtime/parts/model_numbers.h.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/deform/surface/surface_model.h"
#include "sinew/linalg/rotation.h"

namespace sinew {

inline constexpr std::size_t surface_parameters = 5;  // alpha, beta, gamma, lambda, delta
using TermArray = std::array<Vec3, surface_parameters>;

std::array<double, surface_parameters> to_array(const VertexParameters& parameters);
VertexParameters to_parameters(const std::array<double, surface_parameters>& values);

// Positions and goals that a step reads, all in world space and metres.
struct SurfaceMoment {
  std::span<const Vec3> position;            // x_i(t)
  std::span<const Vec3> change;              // h v_i(t): displacement in the last step
  std::span<const Vec3> goal;                // at t
  std::span<const Vec3> next_goal;           // at t + h
  std::span<const Vec3> shape;               // goal or rest positions, whose edges neighbours keep
  std::span<const SurfaceSegment> segments;  // posed, at t
  std::span<const Mat3> bone_rotation;       // per bone, at t: rest to world; empty unless needs_bone_rotations()
  std::span<const double> spoke_length;      // per spoke, metres: l_s
};

// The rotation R of a neighbourhood is the one nearest to A + nu Q: A of equation 5, Q the rig's rotation of the
// reference shape (neighbourhood_frame), nu small (frame_pull). Equation 5 alone leaves rotation about the line
// undetermined for collinear neighbours or a single one, and jumps where a ring of neighbours folds into a line.
double frame_pull(const SurfaceModel& model, std::size_t vertex);  // nu, m^2, computed from the rest shape
// Q: rotation of the vertex's strongest bone at t for ShapeReference::rest; the identity for ShapeReference::rig, whose
// shape is posed already.
Mat3 neighbourhood_frame(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t vertex);
inline bool needs_bone_rotations(const SurfaceModel& model) {
  return model.reference == ShapeReference::rest || !model.shape.empty();
}

// `guess`: rotation of the last step on entry, of this one on return.
TermArray vertex_terms(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t vertex, Quat& guess);

// Position of a vertex at t + h and its displacement in the step (equations 3, 10 and 11), from its terms, with the
// model's parameters and within its reach.
struct VertexMotion {
  Vec3 position, change;
};
VertexMotion vertex_step(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t vertex,
                         const TermArray& terms);

// Convert an offset from the goal to the displayed one under a range, give the derivative of that times `f`, and invert
// it. The inverse is bounded near the range, where large offsets cannot be told apart.
Vec3 shown_offset(const Vec3& offset, double inverse_squared_range);
Vec3 shown_offset_derivative(const Vec3& offset, double inverse_squared_range, const Vec3& f);
Vec3 offset_behind(const Vec3& shown, double inverse_squared_range);

// Returns Q of alpha Q S Q^T (g - x), the world orientation of a vertex's restoration frame; the identity for a vertex
// without influences.
Mat3 restoration_frame(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t vertex);

}  // namespace sinew
