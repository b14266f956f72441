// Strain samples of bases that are not those of tetrahedra: several functions on every piece, as lattices have.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sinew/elastic/basis_integrals.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/mesh/control_lattice/subdivision.h"
#include "tests/elastic/blocks.h"

namespace sinew::test {

// Hexahedra, cells[0] x cells[1] x cells[2] of them on the box [0, size], subdivided `quadrature` times into
// tetrahedra, with the functions of the vertices of the complex K_level.
struct LatticeBody {
  SubdividedLattice lattice;
  TetrahedralMesh mesh;
  TetrahedronBasis pieces;
  SparseRows basis;
  std::vector<Vec3> positions;  // per function: the coefficients of the body at rest
  StrainSamples samples;

  int count() const { return static_cast<int>(positions.size()); }
  Vec3 rest(int function) const { return positions[static_cast<std::size_t>(function)]; }
};

inline ControlLattice box_lattice(std::array<int, 3> cells, const Vec3& size) {
  const Block corners = block(cells, size);
  ControlLattice lattice;
  lattice.positions = corners.mesh.positions;
  for (int i = 0; i < cells[0]; ++i)
    for (int j = 0; j < cells[1]; ++j)
      for (int k = 0; k < cells[2]; ++k) {
        std::array<int, 8> corner{};
        for (std::size_t c = 0; c < 8; ++c)
          corner[c] = corners.vertex(i + (c % 4 == 1 || c % 4 == 2), j + (c % 4 >= 2), k + (c >= 4));
        add_hexahedron(lattice, corner);
      }
  return lattice;
}

enum class LatticeBasis { nodal, hierarchical };

inline LatticeBody lattice_body(const ControlLattice& coarse, SubdivisionScheme scheme, LatticeBasis kind, int level,
                                int quadrature, const Material& material) {
  LatticeBody body;
  body.lattice = subdivide(coarse, scheme, quadrature);
  body.mesh = cut_into_tetrahedra(body.lattice).mesh;
  body.basis =
      kind == LatticeBasis::nodal ? nodal_basis(body.lattice, level) : hierarchical_basis(body.lattice, level + 1);
  body.pieces = functions_on_tetrahedra(body.mesh, body.basis);
  ElementFields fields;
  fields.material = material;
  std::vector<int> tetrahedron;
  body.samples = basis_strain_samples(body.mesh, body.pieces, fields, tetrahedron);
  // The coarse positions, on their own level, or carried to K_level.
  body.positions = coarse.positions;
  const auto functions = static_cast<std::size_t>(body.basis.columns);
  if (kind == LatticeBasis::nodal)
    for (std::size_t k = 0; k < static_cast<std::size_t>(level); ++k) {
      std::vector<Vec3> finer(body.lattice.refine[k].rows());
      multiply(body.lattice.refine[k], body.positions, finer);
      body.positions = std::move(finer);
    }
  body.positions.resize(functions);
  return body;
}

inline LatticeBody trilinear_body(std::array<int, 3> cells, const Vec3& size, int quadrature,
                                  const Material& material) {
  return lattice_body(box_lattice(cells, size), SubdivisionScheme::trilinear, LatticeBasis::nodal, 0, quadrature,
                      material);
}

// Samples of `functions_per_sample` functions with gradients, volumes and moduli without pattern: no geometry, but
// everything that formulas over samples have to cope with. Samples of one cell have the same functions.
inline StrainSamples random_samples(int functions, int functions_per_sample, int cells, int samples_per_cell,
                                    std::uint64_t seed) {
  Noise noise(seed);
  StrainSamples samples;
  for (int cell = 0; cell < cells; ++cell) {
    std::vector<int> order(at(functions));
    for (int i = 0; i < functions; ++i) order[at(i)] = i;
    for (std::size_t i = 0; i < at(functions_per_sample); ++i) {
      const auto left = static_cast<double>(order.size() - i);
      std::swap(order[i], order[i + static_cast<std::size_t>(0.5 * (noise() + 1) * 0.999 * left)]);
    }
    for (int s = 0; s < samples_per_cell; ++s) {
      for (std::size_t i = 0; i < at(functions_per_sample); ++i) {
        samples.vertex.push_back(order[i]);
        samples.gradient.push_back(noise.vector());
      }
      samples.start.push_back(static_cast<int>(samples.vertex.size()));
      samples.volume.push_back(1.5 + noise());
      samples.shear.push_back(1.5 + noise());
      samples.lambda.push_back(1.5 + noise());
    }
  }
  return samples;
}

}  // namespace sinew::test
