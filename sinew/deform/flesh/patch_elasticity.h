// Linear elasticity of the body's patches, each in its own frame: the matrix product that the elastic reference
// computes several times per step.
//
// A patch is a few tetrahedra that share faces. The strain samples of the tetrahedra and of the patch's mean strain
// (docs/elements.md) are all measured in the patch's frame R,
//
//   e_t = sym(R^T F_t) - load I,   e = sum_t (V_t / V) e_t,
//   U = sum_t V_t (mu_t |e_t|^2 + lambda_t / 2 tr(e_t)^2) + V (mu |e|^2 + lambda / 2 tr(e)^2),
//
// so that the mean strain needs no gradients of its own. The tetrahedra of a patch are in vector lanes, and their
// forces are summed at the patch's vertices while these are in the first-level cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/small.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// patch_size rounded up to whole vector registers.
inline constexpr std::size_t patch_lanes = 8;

// Three numbers and a zero.
template <class Real>
struct alignas(4 * sizeof(Real)) Row {
  Real x = 0, y = 0, z = 0, zero = 0;
};

// One patch, a lane per tetrahedron. Unused lanes at the end have no stiffness, and any vertex.
template <class Real>
struct alignas(64) Patch {
  Real gradient[3][3][patch_lanes] =
      {};  // gradients of corners 1, 2 and 3, along x, y and z, 1/m, rest space; corner 0's is minus their sum
  Real shear[patch_lanes] = {}, lambda[patch_lanes] = {};  // mu V and lambda V, newton metres
  Real share[patch_lanes] = {};                            // V_t / V
  int corner[4][patch_lanes] = {};                         // 4 times the body's vertex: offset of its row
  std::uint8_t slot[4][patch_lanes] = {};                  // 4 times its index among the patch's own vertices
  Real mean_shear = 0, mean_lambda = 0;                    // mu V and lambda V of the mean strain, newton metres
  int count = 0;                                           // tetrahedra
  int vertex_begin = 0, vertex_end = 0;                    // range of its vertices in PatchElasticity::vertex
};

// Rotation R, row by row.
template <class Real>
struct PatchFrame {
  Real entry[9];
};

template <class Real>
PatchFrame<Real> patch_frame(const Mat3& rotation) {
  PatchFrame<Real> frame;
  for (std::size_t k = 0; k < 9; ++k) frame.entry[k] = static_cast<Real>(rotation(k / 3, k % 3));
  return frame;
}

template <class Real>
struct PatchElasticity {
  std::vector<Patch<Real>> patches;
  std::vector<int> vertex;  // vertices of the body, ascending within each patch, patch after patch

  std::span<const int> vertices_of(std::size_t patch) const {
    const Patch<Real>& own = patches[patch];
    return std::span(vertex).subspan(static_cast<std::size_t>(own.vertex_begin),
                                     static_cast<std::size_t>(own.vertex_end - own.vertex_begin));
  }
};

// Where the forces of patches on each free vertex are, in the order of the patches.
struct PatchRows {
  std::vector<int> start, row;  // free vertices + 1; indices parallel to PatchElasticity::vertex

  // The sum of the forces on free vertex f, in fixed order.
  template <class Real>
  Row<Real> sum(std::size_t f, std::span<const Row<Real>> force) const {
    Row<Real> sum;
    for (int e = start[f]; e < start[f + 1]; ++e) {
      const Row<Real>& part = force[static_cast<std::size_t>(row[static_cast<std::size_t>(e)])];
      sum = {sum.x + part.x, sum.y + part.y, sum.z + part.z, sum.zero + part.zero};  // all four: one vector addition
    }
    return sum;
  }
  template <class Real>
  Row<Real> sum(std::size_t f, const std::vector<Row<Real>>& force) const {
    return sum(f, std::span<const Row<Real>>(force));
  }
};
// `vertex`: PatchElasticity::vertex. `free_index`: vertex of the body -> free vertex, or -1.
PatchRows patch_rows(std::span<const int> vertex, std::span<const int> free_index, std::size_t free_vertices);

// Per patch, whether all of its vertices keep the rig's shape (`keeps`: per vertex of the body; empty: none do). It is
// decided for the patch as a whole, since a goal that counts at some corners and not at others would be a strain as
// large as the character.
template <class Real>
std::vector<char> rig_shaped_patches(const PatchElasticity<Real>& elasticity, std::span<const char> keeps);

// Mean orientation that the rig predicts for these vertices, which the frame of a patch is.
Quat mean_orientation(std::span<const int> vertices, const VertexFrames& frames);

// Builds the patches. `samples` must come from strain_samples(mesh, element, ...). Linear elements have no stiffness of
// mean strains, but share the patches' frames.
template <class Real>
PatchElasticity<Real> patch_elasticity(const TetrahedralMesh& mesh, Element element, const StrainSamples& samples);
// Builds patches without mean strains. `patch`: per sample, each over four vertices, its patch, numbered from 0; at
// most patch_size samples each.
template <class Real>
PatchElasticity<Real> patch_elasticity(std::span<const int> patch, const StrainSamples& samples);

// Input of a product. Spans over patches have one entry per patch.
template <class Real>
struct PatchPose {
  std::span<const Patch<Real>> patches;
  std::span<const PatchFrame<Real>> frame;
  std::span<const Real> load;
  std::span<const Row<Real>> position;  // per vertex of the body, world, metres
};

// Computes dU/dx, minus the force, of each of the patches [begin, end) on each of its vertices, world, newtons. `force`
// is parallel to PatchElasticity::vertex.
template <class Real>
void patch_forces(const PatchPose<Real>& pose, std::size_t begin, std::size_t end, std::span<Row<Real>> force);

}  // namespace sinew
