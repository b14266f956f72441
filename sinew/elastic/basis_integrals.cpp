#include "sinew/elastic/basis_integrals.h"

#include <algorithm>
#include <string>

#include "sinew/base/error.h"
#include "sinew/linalg/sparse_pattern.h"
#include "sinew/mesh/shape_gradients.h"

namespace sinew {
namespace {

ShapeGradients shape_in_subdivided_lattice(const TetrahedralMesh& mesh, std::size_t t) {
  const ShapeGradients shape = shape_gradients(mesh, t);
  if (!(shape.volume > 0))
    throw input_error("tetrahedron " + std::to_string(t) + " of the subdivided lattice has no positive volume; " +
                      "move the vertices of its cell apart.");
  return shape;
}

double volume_of(const TetrahedralMesh& mesh, std::size_t t) {
  const Tetrahedron& c = mesh.tetrahedra[t];
  const auto x = [&](std::size_t k) -> const Vec3& { return mesh.positions[static_cast<std::size_t>(c[k])]; };
  return volume(x(0), x(1), x(2), x(3));
}

}  // namespace

TetrahedronBasis functions_on_tetrahedra(const TetrahedralMesh& mesh, const SparseRows& basis) {
  TetrahedronBasis result;
  result.start.reserve(mesh.tetrahedra.size() + 1);
  for (const Tetrahedron& corner : mesh.tetrahedra) {
    const auto first = result.function.size();
    for (int v : corner) {
      const auto row = static_cast<std::size_t>(v);
      for (auto k = static_cast<std::size_t>(basis.start[row]); k < static_cast<std::size_t>(basis.start[row + 1]); ++k)
        if (basis.value[k] != 0) result.function.push_back(basis.column[k]);
    }
    const auto begin = result.function.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, result.function.end());
    result.function.erase(std::unique(begin, result.function.end()), result.function.end());
    result.value.resize(result.function.size(), {0, 0, 0, 0});
    for (std::size_t c = 0; c < 4; ++c) {
      const auto row = static_cast<std::size_t>(corner[c]);
      auto at = first;
      for (auto k = static_cast<std::size_t>(basis.start[row]); k < static_cast<std::size_t>(basis.start[row + 1]);
           ++k) {
        if (basis.value[k] == 0) continue;
        while (result.function[at] != basis.column[k]) ++at;
        result.value[at][c] = basis.value[k];
      }
    }
    result.start.push_back(static_cast<int>(result.function.size()));
  }
  return result;
}

StrainSamples basis_strain_samples(const TetrahedralMesh& mesh, const TetrahedronBasis& basis,
                                   const ElementFields& fields, std::vector<int>& tetrahedron) {
  StrainSamples samples;
  tetrahedron.clear();
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const double fill = fields.inside(t);
    if (!(fill > 0)) continue;
    const ShapeGradients shape = shape_in_subdivided_lattice(mesh, t);
    for (auto k = static_cast<std::size_t>(basis.start[t]); k < static_cast<std::size_t>(basis.start[t + 1]); ++k) {
      Vec3 gradient;
      for (std::size_t c = 0; c < 4; ++c) gradient += basis.value[k][c] * shape.gradient[c];
      samples.vertex.push_back(basis.function[k]);
      samples.gradient.push_back(gradient);
    }
    const LameModuli moduli = lame_moduli(fields.young.empty() ? fields.material.young : fields.young[t],
                                          fields.poisson.empty() ? fields.material.poisson : fields.poisson[t]);
    samples.start.push_back(static_cast<int>(samples.vertex.size()));
    samples.volume.push_back(shape.volume * fill);
    samples.shear.push_back(moduli.shear);
    samples.lambda.push_back(moduli.lambda);
    tetrahedron.push_back(static_cast<int>(t));
  }
  return samples;
}

std::vector<double> basis_weights(const TetrahedralMesh& mesh, const TetrahedronBasis& basis,
                                  std::span<const double> density, int functions) {
  std::vector<double> weight(static_cast<std::size_t>(functions), 0.0);
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    if (!(density[t] > 0)) continue;
    const double quarter = 0.25 * density[t] * volume_of(mesh, t);
    for (auto k = static_cast<std::size_t>(basis.start[t]); k < static_cast<std::size_t>(basis.start[t + 1]); ++k) {
      const std::array<double, 4>& value = basis.value[k];
      weight[static_cast<std::size_t>(basis.function[k])] += quarter * (value[0] + value[1] + value[2] + value[3]);
    }
  }
  return weight;
}

}  // namespace sinew
