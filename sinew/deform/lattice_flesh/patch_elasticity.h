// Linear elasticity of the body's patches, each in one frame of its own: the product that the elastic
// reference takes several times per step.
//
// A patch is a few tetrahedra that share faces; the strain samples of the tetrahedra and of the patch's
// mean strain (docs/elements.md) are all measured in the patch's frame R,
//
//   e_t = sym(R^T F_t) - load I,   e = sum_t (V_t / V) e_t,
//   U = sum_t V_t (mu_t |e_t|^2 + lambda_t / 2 tr(e_t)^2) + V (mu |e|^2 + lambda / 2 tr(e)^2),
//
// so that the mean strain costs no gradients. The tetrahedra of a patch lie side by side in vector lanes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

// One patch, a lane per tetrahedron. Lanes behind the last are all zero: no stiffness, any vertex.
template <class Real>
struct alignas(64) Patch {
  Real gradient[3][3][patch_lanes] = {};   // of corners 1, 2 and 3, along x, y and z, 1/m, rest space; corner 0's is minus their sum
  Real shear[patch_lanes] = {}, lambda[patch_lanes] = {};   // mu V and lambda V, newton metres
  Real share[patch_lanes] = {};            // V_t / V, of the patch
  int corner[4][patch_lanes] = {};         // vertices of the body
  Real mean_shear = 0, mean_lambda = 0;    // mu V and lambda V of the mean strain, newton metres
  int count = 0;                           // tetrahedra
};

// `samples` must come from strain_samples(mesh, element, ...). Linear elements have no stiffness of mean strains,
// but share the patches' frames.
template <class Real>
std::vector<Patch<Real>> patch_elasticity(const TetrahedralMesh& mesh, Element element, const StrainSamples& samples);

// What a product reads. Spans over patches have one entry for each.
template <class Real>
struct PatchPose {
  std::span<const Patch<Real>> patches;
  std::span<const Mat3> frame;          // R
  std::span<const Real> load;
  std::span<const Row<Real>> position;  // of the body's vertices, world, metres
};

// Where patch_forces() puts the force on a corner of a tetrahedron.
constexpr std::size_t force_row(std::size_t patch, std::size_t corner, std::size_t tetrahedron) {
  return (patch * 4 + corner) * patch_lanes + tetrahedron;
}

// Writes minus the force that each tetrahedron of patches [begin, end) exerts on each of its corners, its part
// of the patch's mean stress included: dU/dx, world, newtons, to force[force_row(patch, corner, tetrahedron)].
template <class Real>
void patch_forces(const PatchPose<Real>& pose, std::size_t begin, std::size_t end, std::span<Row<Real>> force);

// The same in plain loops: what the tests hold the kernel to.
template <class Real>
void patch_forces_reference(const PatchPose<Real>& pose, std::size_t begin, std::size_t end, std::span<Row<Real>> force);

}  // namespace sinew
