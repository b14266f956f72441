// Linear elasticity of the body's patches, each in one frame of its own: the product that the elastic
// reference takes several times per step.
//
// A patch is a few tetrahedra that share faces; the strain samples of the tetrahedra and of the patch's
// mean strain (docs/elements.md) are all measured in the patch's frame R,
//
//   e_t = sym(R^T F_t) - load I,   e = sum_t (V_t / V) e_t,
//   U = sum_t V_t (mu_t |e_t|^2 + lambda_t / 2 tr(e_t)^2) + V (mu |e|^2 + lambda / 2 tr(e)^2),
//
// so that a vertex is turned once per patch, not once per tetrahedron, and the mean strain costs no gradients.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/small.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Three numbers and a zero: one vector register.
struct alignas(32) PaddedVec3 {
  double x = 0, y = 0, z = 0, zero = 0;
};

struct PatchTetrahedron {
  std::array<Vec3, 3> gradient;           // of corners 1, 2 and 3, 1/m, rest space; corner 0's is minus their sum
  double shear = 0, lambda = 0;           // mu V and lambda V, newton metres
  double share = 0;                       // V_t / V, of the patch
  std::array<std::uint16_t, 4> corner{};  // among the patch's vertices
};

struct Patch {
  int tetrahedron_begin = 0, tetrahedron_end = 0, vertex_begin = 0, vertex_end = 0;
  double shear = 0, lambda = 0;   // mu V and lambda V of the mean strain, newton metres; zero without
};

struct PatchElasticity {
  std::vector<Patch> patches;
  std::vector<PatchTetrahedron> tetrahedra;   // patch by patch
  std::vector<int> vertex;                    // per patch, of the body: entries [vertex_begin, vertex_end)
};

// `samples` must come from strain_samples(mesh, element, ...). Linear elements are patches of one.
PatchElasticity patch_elasticity(const TetrahedralMesh& mesh, Element element, const StrainSamples& samples);

// R, row by row.
struct PatchFrame {
  std::array<PaddedVec3, 3> row;
};
PatchFrame patch_frame(const Mat3& rotation);

// Writes minus the force on each vertex of one patch, dU/dx, world, newtons: force[e] for its entries e.
// `frame` is the patch's; `position` holds all of the body's vertices, world, metres.
void patch_forces(const PatchElasticity& elasticity, std::size_t patch, const PatchFrame& frame, double load,
                  std::span<const PaddedVec3> position, std::span<PaddedVec3> force);

// The same in plain loops: what the tests hold the kernel to.
void patch_forces_reference(const PatchElasticity& elasticity, std::size_t patch, const PatchFrame& frame, double load,
                            std::span<const PaddedVec3> position, std::span<PaddedVec3> force);

}  // namespace sinew
