#include "sinew/mesh/control_lattice/fitted_mlca.h"

#include <algorithm>
#include <cstddef>

#include "sinew/mesh/control_lattice/row_builder.h"
#include "sinew/mesh/control_lattice/vertex_gradients.h"

namespace sinew {

SparseRows fitted_mlca_basis(const ControlLattice& lattice, const SubdividedLattice& trilinear, int basis_levels) {
  const SubdividedLattice mlca = subdivide(lattice, SubdivisionScheme::mlca, static_cast<int>(trilinear.refine.size()));
  const SparseRows basis = hierarchical_basis(mlca, basis_levels);
  const VertexGradients gradients = vertex_gradients(lattice);
  double size = 0;
  for (const Vec3& p : lattice.positions) size = std::max(size, norm(p - lattice.positions[0]));
  RowBuilder builder(basis.columns);
  for (std::size_t v = 0; v < trilinear.positions.size(); ++v) {
    const Vec3 offset = trilinear.positions[v] - mlca.positions[v];
    builder.add_row(basis, static_cast<int>(v), 1);
    if (norm(offset) > 1e-13 * size) add_gradients(builder, gradients, basis, static_cast<int>(v), offset);
    builder.end_row();
  }
  return builder.take();
}

}  // namespace sinew
