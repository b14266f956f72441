// Strain samples of bases that are not those of tetrahedra: several functions on every piece, as lattices have.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sinew/elastic/strain_samples.h"
#include "tests/elastic/blocks.h"

namespace sinew::test {

// Trilinear hexahedra, cells[0] x cells[1] x cells[2] of them on the box [0, size], each cut into (2^levels)^3 x 6
// tetrahedra on which the functions count as linear (Capell 2004, section 4.4). Functions are numbered as in block().
struct TrilinearBody {
  Block coarse, fine;
  std::vector<std::array<int, 8>> functions;  // per vertex of `fine`, those of the coarse cell that it lies in
  std::vector<std::array<double, 8>> values;  // theirs at that vertex
  StrainSamples samples;

  int count() const { return static_cast<int>(coarse.mesh.positions.size()); }
};

inline TrilinearBody trilinear_body(std::array<int, 3> cells, const Vec3& size, int levels, const Material& material) {
  const int parts = 1 << levels;
  TrilinearBody body{
      block(cells, size), block({cells[0] * parts, cells[1] * parts, cells[2] * parts}, size), {}, {}, {}};
  ElementFields fields;
  fields.material = material;
  const StrainSamples linear = strain_samples(body.fine.mesh, Element::linear, fields);
  const auto coarse_cell = [&](std::size_t t) {
    Vec3 centre;
    for (const int v : body.fine.mesh.tetrahedra[t]) centre += body.fine.mesh.positions[at(v)] * 0.25;
    return std::array<int, 3>{static_cast<int>(centre.x / size.x * cells[0]),
                              static_cast<int>(centre.y / size.y * cells[1]),
                              static_cast<int>(centre.z / size.z * cells[2])};
  };
  StrainSamples& samples = body.samples;
  for (std::size_t s = 0; s < linear.size(); ++s) {
    const std::array<int, 3> cell = coarse_cell(s);
    for (int corner = 0; corner < 8; ++corner) {
      const std::array<int, 3> bit{corner & 1, corner >> 1 & 1, corner >> 2};
      Vec3 gradient;
      for (int k = linear.start[s]; k < linear.start[s + 1]; ++k) {
        const Vec3& x = body.fine.mesh.positions[at(linear.vertex[at(k)])];
        const Vec3 u{x.x / size.x * cells[0] - cell[0], x.y / size.y * cells[1] - cell[1],
                     x.z / size.z * cells[2] - cell[2]};
        double value = 1;
        for (std::size_t c = 0; c < 3; ++c) value *= bit[c] == 1 ? u[c] : 1 - u[c];
        gradient += linear.gradient[at(k)] * value;
      }
      samples.vertex.push_back(body.coarse.vertex(cell[0] + bit[0], cell[1] + bit[1], cell[2] + bit[2]));
      samples.gradient.push_back(gradient);
    }
    samples.start.push_back(static_cast<int>(samples.vertex.size()));
    samples.volume.push_back(linear.volume[s]);
    samples.shear.push_back(linear.shear[s]);
    samples.lambda.push_back(linear.lambda[s]);
  }
  return body;
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
