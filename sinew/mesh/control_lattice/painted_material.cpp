#include "sinew/mesh/control_lattice/painted_material.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sinew {
namespace {

bool is_unpainted(const std::vector<double>& control) {
  return std::all_of(control.begin(), control.end(), [](double value) { return value == 1; });
}

std::vector<double> at_tetrahedra(const std::vector<double>& control, const std::vector<SparseRows>& refine,
                                  const TetrahedralMesh& mesh) {
  if (is_unpainted(control)) return {};
  std::vector<double> result(mesh.tetrahedra.size());
  std::vector<double> values = control;
  for (const SparseRows& rows : refine) {
    std::vector<double> finer(rows.rows());
    multiply(rows, values, finer);
    values = std::move(finer);
  }
  for (std::size_t t = 0; t < result.size(); ++t) {
    const Tetrahedron& corner = mesh.tetrahedra[t];
    const auto value = [&](std::size_t k) { return values[static_cast<std::size_t>(corner[k])]; };
    result[t] = 0.25 * (value(0) + value(1) + value(2) + value(3));
  }
  return result;
}

}  // namespace

PaintedMaterial painted_material(const ControlLattice& lattice, const SubdividedLattice& subdivided,
                                 const LatticeTetrahedra& tetrahedra) {
  std::vector<SparseRows> refine;
  if (!is_unpainted(lattice.stiffness) || !is_unpainted(lattice.damping) || !is_unpainted(lattice.density))
    refine = subdivide(lattice, SubdivisionScheme::mlca, static_cast<int>(subdivided.refine.size())).refine;
  return {at_tetrahedra(lattice.stiffness, refine, tetrahedra.mesh),
          at_tetrahedra(lattice.damping, refine, tetrahedra.mesh),
          at_tetrahedra(lattice.density, refine, tetrahedra.mesh)};
}

}  // namespace sinew
