#include "sinew/deform/mixed/part_scales.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/index.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

constexpr double no_scale = 1e-9;
constexpr double least_scale = 1e-4;

}  // namespace

PartScales::PartScales(const TetrahedralMesh& mesh, const RotationWeights& weights) : part_(mesh.positions.size(), 0) {
  std::vector<int> component;
  measure_quality(mesh, &component);
  std::vector<std::map<int, double>> volume_of_bone;
  for (std::size_t t = 0; t < component.size(); ++t) {
    const Tetrahedron& corners = mesh.tetrahedra[t];
    for (const int v : corners) part_[index(v)] = component[t];
    volume_of_bone.resize(std::max(volume_of_bone.size(), index(component[t]) + 1));
    const auto x = [&](std::size_t k) { return mesh.positions[index(corners[k])]; };
    const double size = volume(x(0), x(1), x(2), x(3));
    for (std::size_t k = index(weights.start[t]); k < index(weights.start[t + 1]); ++k)
      volume_of_bone[index(component[t])][weights.bone[k]] += size * weights.weight[k];
  }
  for (const std::map<int, double>& bones : volume_of_bone) {
    double sum = 0;
    for (const auto& [bone, size] : bones) sum += size;
    auto& shares = shares_.emplace_back();
    for (const auto& [bone, size] : bones) shares.emplace_back(bone, size / sum);
  }
}

std::vector<double> PartScales::per_vertex(std::span<const Affine> bones) const {
  std::vector<double> lengths, scale_of_part;
  for (const Affine& bone : bones) lengths.push_back(std::cbrt(std::abs(determinant(bone.linear))));
  for (const auto& shares : shares_) {
    // Computed as a sum of differences, so that bones without scale give exactly 1.
    double difference = 0;
    for (const auto& [bone, share] : shares) difference += share * (lengths[index(bone)] - 1);
    scale_of_part.push_back(std::abs(difference) <= no_scale ? 1.0 : std::max(1 + difference, least_scale));
  }
  std::vector<double> scales;
  scales.reserve(part_.size());
  for (const int part : part_) scales.push_back(scale_of_part[index(part)]);
  return scales;
}

}  // namespace sinew
