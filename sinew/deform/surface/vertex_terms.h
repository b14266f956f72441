// The forces of one vertex (Shi et al. 2008, equations 4 to 9), each as the displacement that it gives in one step when
// its parameter is 1, i.e. h^2 times the acceleration, and the step that they make: in double precision, for
// fitting, where errors are summed over thousands of steps. The equations stand in step_equations.h, which the gradient
// of a fit shares (gradient_kernel.h). The C run-time computes the same in single precision from the codes of its file;
// tests hold the two equal (tests/runtime/library_step_test.cpp), and what both must agree about to the last digit
// stands once, in runtime/parts/model_numbers.h.
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

// Where everything that a step looks at is, all in world space and metres.
struct SurfaceMoment {
  std::span<const Vec3> position;            // x_i(t)
  std::span<const Vec3> change;              // h v_i(t): by how much the last step moved it
  std::span<const Vec3> goal;                // at t
  std::span<const Vec3> next_goal;           // at t + h
  std::span<const Vec3> shape;               // the positions whose edges neighbours keep: goal or rest
  std::span<const SurfaceSegment> segments;  // posed, at t
  std::span<const Mat3> bone_rotation;       // per bone, at t: rest to world; empty where needs_bone_rotations says no
  std::span<const double> spoke_length;      // per spoke, metres: l_s
};

// The rotation R of a neighbourhood is the one nearest to A + nu Q: A of equation 5, Q where the rig says that the
// shape which is kept stands (neighbourhood_frame), nu small (frame_pull). Equation 5 alone does not say how two
// neighbours in a line are turned about it, or a single one, and leaps where a ring of neighbours folds into a line.
double frame_pull(const SurfaceModel& model, std::size_t vertex);  // nu, m^2: from the shape at rest
// Q: the rotation of the vertex's strongest bone at t against the rest's shape; none against the rig's, which has
// turned.
Mat3 neighbourhood_frame(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t vertex);
inline bool needs_bone_rotations(const SurfaceModel& model) {
  return model.reference == ShapeReference::rest || !model.shape.empty();
}

// `guess`: the rotation of the last step; overwritten by this one's.
TermArray vertex_terms(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t vertex, Quat& guess);

// Where a vertex is at t + h, and by how much it moved (equations 3, 10 and 11): of its terms, with the parameters of
// the model and within its reach.
struct VertexMotion {
  Vec3 position, change;
};
VertexMotion vertex_step(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t vertex,
                         const TermArray& terms);

// What is shown of an offset from the goal under a range, its derivative times `f`, and the offset of which so much is
// shown, as far as that can be told: nobody sees how far flesh is that is shown at its range.
Vec3 shown_offset(const Vec3& offset, double inverse_squared_range);
Vec3 shown_offset_derivative(const Vec3& offset, double inverse_squared_range, const Vec3& f);
Vec3 offset_behind(const Vec3& shown, double inverse_squared_range);

// Q of alpha Q S Q^T (g - x): how the frame of a vertex's restoration stands in the world; the identity without
// influence.
Mat3 restoration_frame(const SurfaceModel& model, const SurfaceMoment& moment, std::size_t vertex);

}  // namespace sinew
