// The step of a surface model and its adjoint with vertices side by side in vector registers, in double precision: what
// the gradient of a fit is made of (surface_gradient.h). The equations are those of step_equations.h, as vertex_terms.h
// has them vertex by vertex; where things lie, and the way back, are here.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/deform/surface/surface_model.h"
#include "sinew/linalg/small.h"

namespace sinew::gradient_kernel {

inline constexpr std::size_t block_size = 8;  // vertices

// Numbers per vertex stand apart, `stride` from each other: component c of vertex i is at [c * stride + i]. Vertices
// are filled up to whole blocks with ones that are alone; after them a block of zeros, which is what listeners that are
// not there hear.
struct Blocks {
  std::size_t vertices = 0, blocks = 0, stride = 0;
  bool rest_shape = false;         // neighbours and spokes keep the shape at rest
  bool in_directions = false;      // restoration is a matrix
  double reach = 1;                // metres
  double shortest_spoke = 1e-6;    // metres
  std::vector<int> first_slot;     // blocks + 1, into the next two, block_size numbers each
  std::vector<int> neighbour;      // a vertex; where there is none, the vertex itself, whose edge is zero
  std::vector<int> listener;       // the same; where there is none, a vertex of the zeros
  std::vector<double> share;       // 1 over the number of neighbours; 0 without any
  std::vector<double> frame_pull;  // nu (vertex_terms.h), m^2
  std::vector<double> range;       // inverse_squared_range(), 1/m^2
  std::vector<int> turn;           // row of Step::turns of the bone whose rotation the vertex follows
  std::vector<int> first_spoke;    // blocks + 1, into the next three, block_size numbers each
  std::vector<int> spoke_segment;
  std::vector<double> spoke_weight;  // 0 where there is none
  std::vector<double> spoke_length;  // metres, at rest
  std::vector<double> rest;          // 3 components
};
Blocks make_blocks(const SurfaceModel& model);

// Of a posed segment: 8 numbers, to be gathered.
struct SegmentRow {
  Vec3 head;
  double inverse_squared_length = 0;  // 0 without length
  Vec3 axis;                          // tail - head
  double stretch = 1;                 // girth_stretch
};
static_assert(sizeof(SegmentRow) == 8 * sizeof(double));

// Parameters: restoration xx, xy, yy, xz, yz, zz (or its one number in the first), beta, gamma, lambda, delta.
inline constexpr std::size_t parameter_rows = 10;

// What a step t -> t + h looks at. All world space, metres; 3 components where not said otherwise.
struct Step {
  const double *goal = nullptr, *next_goal = nullptr;
  const SegmentRow* segments = nullptr;
  const Mat3* turns = nullptr;                            // per bone, then the identity
  const float *offset = nullptr, *next_offset = nullptr;  // of the example, from the goals
  const float* weight = nullptr;                          // of the frame t + h; 1 component
  double velocity_share = 0;
  const double *position = nullptr, *change = nullptr;  // of t
  double* rotation = nullptr;  // of t, 4 components: a guess before step(), after it the rotation itself
  double *next_position = nullptr, *next_change = nullptr, *next_rotation = nullptr;
};

// One step of blocks [begin, end), and what it adds to their `error`, 1 component.
void step(const Blocks& blocks, const double* parameters, const Step& at, std::size_t begin, std::size_t end,
          double* error);

// What vertices leave for their neighbours and themselves, one step back: dE/dx and dE/du of time t without the others'
// part, then what these gather from each that looks at them: V_j = B_j s_j + pull_j / |nbr(j)|, B_j = R_j [y_j], drag_j
// / |nbr(j)|.
inline constexpr std::size_t message_rows = 3 + 3 + 3 + 9 + 3;

// The way back over the step `at`. `after`: messages of the step after it, or null at the last; `before`: this one's.
// Adds to `gradient`, parameter_rows components.
void step_back(const Blocks& blocks, const double* parameters, const Step& at, const double* after, double* before,
               std::size_t begin, std::size_t end, double* gradient);

}  // namespace sinew::gradient_kernel
