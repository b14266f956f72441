// Quadrature of elastic energy. A strain sample is a piece of the body with a constant deformation gradient F = sum_v
// p_v (x) g_v, a volume and moduli. Every energy and stiffness in Sinew is a sum over samples, so that other elements
// only need other samples (docs/elements.md).
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/material.h"
#include "sinew/linalg/small.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

enum class Element {
  linear,  // one sample per tetrahedron: constant strain, locks near nu = 0.5 and in bending
  patch,   // mean strain over patches of about six tetrahedra, stabilised by the shear of the single tetrahedra
};

struct StrainSamples {
  std::vector<int> start{0};   // samples + 1: sample s covers entries start[s] .. start[s + 1]
  std::vector<int> vertex;     // per entry
  std::vector<Vec3> gradient;  // per entry: gradient of the vertex's mean shape function, 1/m, rest space
  std::vector<double> volume;  // per sample, cubic metres; zero where a sample carries no energy
  std::vector<double> shear;   // per sample, mu, pascals
  std::vector<double> lambda;  // per sample, pascals; negative for purely deviatoric samples

  std::size_t size() const { return volume.size(); }
};

// Material and solid fraction of each tetrahedron; spans have one entry per tetrahedron or are empty.
struct ElementFields {
  Material material;                        // used where a span below is empty
  std::span<const double> young;            // pascals
  std::span<const double> inside_fraction;  // share of the tetrahedron inside the solid, (0, 1]
  std::span<const double> poisson = {};     // Poisson's ratio, in (-1, 0.5)
  std::span<const double> density = {};     // kg/m^3

  double mass_density(std::size_t t) const { return density.empty() ? material.density : density[t]; }
  double inside(std::size_t t) const { return inside_fraction.empty() ? 1.0 : inside_fraction[t]; }
};

// Groups tetrahedra into patches of up to `size` that are connected by faces: greedily, in the order of their indices,
// each time adding the neighbour with the fewest new vertices. Returns the patch of each tetrahedron, numbered from 0.
// Deterministic.
std::vector<int> cluster_tetrahedra(const TetrahedralMesh& mesh, int size);

// Number of tetrahedra per patch, and the fraction of the shear energy that the patch measures. The single tetrahedra
// keep the rest, which stabilises the patch's internal (hourglass) modes. Chosen by the sag of the limbs in
// docs/elements.md.
inline constexpr int patch_size = 6;
inline constexpr double patch_shear_share = 0.75;

StrainSamples strain_samples(const TetrahedralMesh& mesh, Element element, const ElementFields& fields);

// Deformation gradient of sample s for vertex positions p (n, metres).
Mat3 deformation_gradient(const StrainSamples& samples, std::size_t s, std::span<const Vec3> positions);

// Lumped mass per vertex, kilograms: a quarter of each tetrahedron's mass to each of its corners.
std::vector<double> lumped_mass(const TetrahedralMesh& mesh, const ElementFields& fields);

}  // namespace sinew
