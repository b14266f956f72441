#include "sinew/deform/lattice/lattice_tissue.h"

#include <algorithm>
#include <utility>

#include "sinew/linalg/small.h"
#include "sinew/mesh/shape_gradients.h"

namespace sinew {
namespace {

void append_sample(const StrainSamples& from, std::size_t s, StrainSamples& to) {
  to.start.push_back(static_cast<int>(to.vertex.size()));
  to.volume.push_back(from.volume[s]);
  to.shear.push_back(from.shear[s]);
  to.lambda.push_back(from.lambda[s]);
}

void end_row(SparseRows& rows) { rows.start.push_back(static_cast<int>(rows.column.size())); }

// The points of the tetrahedra's corners, and the samples between them.
void append_tetrahedra(const StrainSamples& samples, std::span<const int> tetrahedron, const TetrahedralMesh& mesh,
                       std::span<const int> hexahedron, const SparseRows& values, LatticeTissue& tissue) {
  std::vector<int> point(mesh.positions.size(), -1);
  int last = -1;
  for (std::size_t s = 0; s < tetrahedron.size(); ++s) {
    const auto t = static_cast<std::size_t>(tetrahedron[s]);
    const ShapeGradients shape = shape_gradients(mesh, t);
    for (std::size_t k = 0; k < 4; ++k) {
      const auto v = static_cast<std::size_t>(mesh.tetrahedra[t][k]);
      if (point[v] < 0) {
        point[v] = static_cast<int>(tissue.points.rows());
        for (int e = values.start[v]; e < values.start[v + 1]; ++e) {
          tissue.points.column.push_back(values.column[static_cast<std::size_t>(e)]);
          tissue.points.value.push_back(values.value[static_cast<std::size_t>(e)]);
        }
        end_row(tissue.points);
      }
      tissue.samples.vertex.push_back(point[v]);
      tissue.samples.gradient.push_back(shape.gradient[k]);
    }
    append_sample(samples, s, tissue.samples);
    if (hexahedron[t] != last)
      tissue.patch.push_back(tissue.patch.empty() ? 0 : tissue.patch.back() + 1);
    else
      tissue.patch.push_back(tissue.patch.back());
    last = hexahedron[t];
  }
}

// The columns of the mean gradient of sample s, and a sample between them and the origin.
void append_mean(const StrainSamples& samples, std::size_t s, LatticeTissue& tissue) {
  const int first = static_cast<int>(tissue.points.rows());
  std::vector<std::pair<int, Vec3>> entries;
  for (auto e = static_cast<std::size_t>(samples.start[s]); e < static_cast<std::size_t>(samples.start[s + 1]); ++e)
    entries.push_back({samples.vertex[e], samples.gradient[e]});
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const auto& [function, gradient] : entries) {
      tissue.points.column.push_back(function);
      tissue.points.value.push_back(gradient[axis]);
    }
    end_row(tissue.points);
  }
  const Vec3 corner[4] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 4; ++k) {
    tissue.samples.vertex.push_back(k == 0 ? 0 : first + k - 1);
    tissue.samples.gradient.push_back(corner[k]);
  }
  append_sample(samples, s, tissue.samples);
  const std::size_t number = s - tissue.single;
  const int next = tissue.patch.empty() ? 0 : tissue.patch.back() + 1;
  tissue.patch.push_back(number % patch_size == 0 ? next : next - 1);
}

}  // namespace

LatticeTissue lattice_tissue(const StrainSamples& samples, std::span<const int> tetrahedron, std::span<const int> cell,
                             const TetrahedralMesh& mesh, std::span<const int> hexahedron, const SparseRows& values) {
  LatticeTissue tissue;
  tissue.points.columns = values.columns;
  end_row(tissue.points);  // the origin
  tissue.single = tetrahedron.size();
  tissue.cell.assign(cell.begin(), cell.end());
  append_tetrahedra(samples, tetrahedron, mesh, hexahedron, values, tissue);
  for (std::size_t s = tissue.single; s < samples.size(); ++s) append_mean(samples, s, tissue);
  return tissue;
}

}  // namespace sinew
