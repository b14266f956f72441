// Forces of muscle fibres in a body's tetrahedra (Teran et al. 2005). With A a0 the fibre a0 as it is deformed, and G
// a0 as the goal deforms it,
//
//   U = sum V (a sigma l_o W(|A a0| / l_o) + sigma_p |G a0| W_p(|A a0| / |G a0| - 1)),
//
// where V is the volume of muscle, a the activation, l_o the optimal stretch, and W and W_p the integrals of Hill's
// active and passive curves (hill_curves.h). The active force depends on the fibre's own length, so that a muscle's
// strength depends on the pose; the passive one on the stretch from the goal, so that muscles at rest leave flesh where
// the animator posed it. Within a step, the force by velocity multiplies the active one. With the mean velocity since
// the step began it is a function of the end's length alone, as an energy's is, and grows with it: implicit damping.
//
// A tetrahedron's fibre needs four numbers, c_k = a0 . (gradient of corner k): A a0 = sum c_k x_k, and the force on
// corner k is -c_k times one vector.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/deform/flesh/muscle_fibres.h"
#include "sinew/deform/flesh/patch_elasticity.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Fibres side by side in vector lanes. Lanes from patch_size on, and those of the last group without a fibre, have no
// volume.
template <class Real>
struct alignas(64) FibreGroup {
  Real coefficient[4][patch_lanes] = {};  // c_k, 1/m
  int corner[4][patch_lanes] = {};        // 4 times the body's vertex: offset of its row
  Real over_optimal[patch_lanes] = {};    // 1 / l_o
  Real active[patch_lanes] = {};          // V sigma, newton metres
  Real passive[patch_lanes] = {};         // V sigma_p, newton metres
  int muscle[patch_lanes] = {};
};

// The fibres of a group in one pose.
template <class Real>
struct alignas(64) FibrePose {
  Real goal[3][patch_lanes] = {};       // G a0, world
  Real natural[patch_lanes] = {};       // stretch from which passive force begins
  Real over_natural[patch_lanes] = {};  // its inverse
  Real activation[patch_lanes] = {};    // of each fibre's muscle, 0 to 1
  Real before[patch_lanes] = {};        // stretch |A a0| as the step begins
};

// Where the fibres of each vertex are.
template <class Real>
struct FibreEntries {
  std::vector<int> vertex;        // vertices of the body that fibres reach, ascending
  std::vector<int> start;         // vertices + 1
  std::vector<int> fibre;         // per entry: patch_lanes times the group, plus the lane
  std::vector<Real> coefficient;  // per entry: c_k of the corner that the vertex is, 1/m
};

template <class Real>
struct FibreElasticity {
  std::vector<FibreGroup<Real>> groups;
  FibreEntries<Real> entries;

  // dU/dx of the vertex entries.vertex[k], newtons, world. `tension`: of fibre_tensions().
  Vec3 gradient(std::size_t k, std::span<const Row<Real>> tension) const;
};

// `inside`: per tetrahedron, the share of its volume inside the body.
template <class Real>
FibreElasticity<Real> fibre_elasticity(const TetrahedralMesh& mesh, std::span<const double> inside,
                                       const MuscleFibres& muscles);

// Sets the fibres of group g as the goal deforms them. `goal`: per vertex of the body, world, metres. `from_goal`: the
// passive force begins at the goal's stretch, which is bounded to within [1 / most_stretch, most_stretch]; false: at
// that of the rest shape.
template <class Real>
void set_fibre_goal(const FibreGroup<Real>& group, std::span<const Vec3> goal, bool from_goal, double most_stretch,
                    FibrePose<Real>& pose);
// `activation`: per muscle, 0 to 1; empty: none is active.
template <class Real>
void set_activation(const FibreGroup<Real>& group, std::span<const double> activation, FibrePose<Real>& pose);

// Sets the stretches with which a step begins. `position`: per vertex of the body, world, metres.
template <class Real>
void set_fibre_start(const FibreGroup<Real>& group, std::span<const Vec3> position, FibrePose<Real>& pose);

// Input of an evaluation. Rows have one entry per vertex of the body, world.
template <class Real>
struct FibreState {
  std::span<const FibreGroup<Real>> groups;
  std::span<const FibrePose<Real>> pose;
  std::span<const Row<Real>> displacement;  // from the goal, metres
  double passive = 1;                       // multiple of the passive force
  double over_step = 0;                     // 1/s: of the step since `before`; 0: fibres do not move
};

// Computes the vectors by which the force on each corner is -c_k times, world, newton metres, of the fibres in the
// groups [begin, end); patch_lanes for each group. Returns their energy, joules.
template <class Real>
double fibre_tensions(const FibreState<Real>& state, std::size_t begin, std::size_t end, std::span<Row<Real>> tension);

}  // namespace sinew
