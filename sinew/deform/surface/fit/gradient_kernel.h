// The step of a surface model and its adjoint, vectorised over vertices, in double precision; the gradient of a fit
// consists of these (surface_gradient.h). The equations are those of step_equations.h; memory layout and adjoint are
// here.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/deform/surface/surface_model.h"
#include "sinew/linalg/small.h"

namespace sinew::gradient_kernel {

inline constexpr std::size_t block_size = 8;  // vertices

// Per-vertex data in structure-of-arrays layout: component c of vertex i is at [c * stride + i]. Vertices are padded to
// whole blocks with isolated ones. A block of zeros follows, which unused listener entries refer to.
struct Blocks {
  std::size_t vertices = 0, blocks = 0, stride = 0;
  bool rest_shape = false;         // neighbours and spokes keep the rest shape
  bool in_directions = false;      // anisotropic restoration
  double reach = 1;                // metres
  double shortest_spoke = 1e-6;    // metres
  std::vector<int> first_slot;     // blocks + 1, into the next two, block_size numbers each
  std::vector<int> neighbour;      // index of a vertex; unused: the vertex itself, whose edge is zero
  std::vector<int> listener;       // vertices that have this one as a neighbour; unused: a vertex of the block of zeros
  std::vector<double> share;       // 1 over the number of neighbours; 0 without any
  std::vector<double> frame_pull;  // nu (vertex_terms.h), m^2
  std::vector<double> range;       // inverse_squared_range(), 1/m^2
  std::vector<int> turn;           // row of Step::turns of the vertex's bone
  std::vector<int> first_spoke;    // blocks + 1, into the next three, block_size numbers each
  std::vector<int> spoke_segment;
  std::vector<double> spoke_weight;  // 0: unused
  std::vector<double> spoke_length;  // metres, at rest
  std::vector<double> rest;          // 3 components
};
Blocks make_blocks(const SurfaceModel& model);

// A posed segment: 8 numbers, for gather instructions.
struct SegmentRow {
  Vec3 head;
  double inverse_squared_length = 0;  // 0 for zero length
  Vec3 axis;                          // tail - head
  double stretch = 1;                 // girth_stretch() of the segment
};
static_assert(sizeof(SegmentRow) == 8 * sizeof(double));

// Rows of parameters: restoration xx, xy, yy, xz, yz, zz (isotropic: one number, in the first), beta, gamma, lambda,
// delta.
inline constexpr std::size_t parameter_rows = 10;

// Input and output of a step t -> t + h. World space, metres; 3 components unless noted.
struct Step {
  const double *goal = nullptr, *next_goal = nullptr;
  const SegmentRow* segments = nullptr;
  const Mat3* turns = nullptr;                            // per bone; the identity follows them
  const float *offset = nullptr, *next_offset = nullptr;  // offsets of the example from the goals
  const float* weight = nullptr;                          // weight of frame t + h; 1 component
  double velocity_share = 0;
  const double *position = nullptr, *change = nullptr;  // at time t
  double* rotation = nullptr;  // at time t, 4 components: a guess on entry of step(), the rotation on return
  double *next_position = nullptr, *next_change = nullptr, *next_rotation = nullptr;
};

// Computes one step of the blocks [begin, end) and adds its error to `error`, 1 component.
void step(const Blocks& blocks, const double* parameters, const Step& at, std::size_t begin, std::size_t end,
          double* error);

// Adjoint data that vertices pass one step back, to themselves and their neighbours: dE/dx and dE/du at time t without
// the contributions of others, then those gathered by each vertex j that has the vertex as a neighbour: V_j = B_j s_j +
// pull_j / |nbr(j)|, B_j = R_j [y_j], drag_j / |nbr(j)|.
inline constexpr std::size_t message_rows = 3 + 3 + 3 + 9 + 3;

// Computes the adjoint of the step `at`. `after`: messages of the following step, or null at the last; `before`:
// messages of this one. Adds to `gradient`, parameter_rows components.
void step_back(const Blocks& blocks, const double* parameters, const Step& at, const double* after, double* before,
               std::size_t begin, std::size_t end, double* gradient);

}  // namespace sinew::gradient_kernel
