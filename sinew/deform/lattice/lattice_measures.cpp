#include "sinew/deform/lattice/lattice_measures.h"

#include <algorithm>

namespace sinew {

BodyMeasures measure_volume(const LatticeDescription& description, std::span<const Vec3> position) {
  const CellMatrices& cells = description.cells;
  BodyMeasures result;
  double rest = 0, posed = 0;
  for (std::size_t c = 0; c < cells.cells(); ++c) {
    if (!(description.cell_volume[c] > 0)) continue;
    Mat3 gradient = Mat3::zero();
    for (auto e = static_cast<std::size_t>(cells.start[c]); e < static_cast<std::size_t>(cells.start[c + 1]); ++e)
      gradient += outer(position[static_cast<std::size_t>(cells.function[e])], description.cell_gradient[e]);
    const double det = determinant(gradient);
    rest += description.cell_volume[c];
    posed += description.cell_volume[c] * det;
    result.min_det = std::min(result.min_det, det);
  }
  if (rest > 0) result.volume_ratio = posed / rest;
  return result;
}

}  // namespace sinew
