#include "studies/mixed/mixed_samples.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr double least_weight = 1e-3;

double volume_of(const TetrahedralMesh& mesh, std::size_t t) {
  const auto x = [&](std::size_t k) { return mesh.positions[index(mesh.tetrahedra[t][k])]; };
  return dot(cross(x(1) - x(0), x(2) - x(0)), x(3) - x(0)) / 6;
}

}  // namespace

StrainSamples mixed_samples(const TetrahedralMesh& mesh, Element element, const ElementFields& fields) {
  StrainSamples samples = strain_samples(mesh, element, fields);
  if (element == Element::linear) return samples;
  const std::vector<int> patch = cluster_tetrahedra(mesh, patch_size);
  // The tetrahedra come with lambda = -2/3 mu, which takes their bulk modulus away; given back to them, it is taken
  // from their patch.
  for (std::size_t t = 0; t < patch.size(); ++t) {
    const std::size_t of = mesh.tetrahedra.size() + index(patch[t]);
    samples.lambda[of] += samples.lambda[t] * samples.volume[t] / samples.volume[of];
    samples.lambda[t] = 0;
  }
  return samples;
}

RotationWeights sample_weights(const TetrahedralMesh& mesh, Element element, RotationWeights tetrahedra) {
  if (tetrahedra.size() != mesh.tetrahedra.size())
    throw usage_error("there are rotation weights for " + std::to_string(tetrahedra.size()) + " tetrahedra of " +
                      std::to_string(mesh.tetrahedra.size()) + "; give them for all.");
  if (element == Element::linear) return tetrahedra;
  const std::vector<int> patch = cluster_tetrahedra(mesh, patch_size);
  const int patches = patch.empty() ? 0 : *std::max_element(patch.begin(), patch.end()) + 1;
  std::vector<std::vector<std::pair<int, double>>> sums(index(patches));  // bone and weight times volume
  std::vector<double> volumes(index(patches), 0.0);
  for (std::size_t t = 0; t < patch.size(); ++t) {
    auto& sum = sums[index(patch[t])];
    const double volume = volume_of(mesh, t);
    volumes[index(patch[t])] += volume;
    for (std::size_t e = index(tetrahedra.start[t]); e < index(tetrahedra.start[t + 1]); ++e) {
      const auto same = [&](const auto& entry) { return entry.first == tetrahedra.bone[e]; };
      auto at = std::find_if(sum.begin(), sum.end(), same);
      if (at == sum.end()) at = sum.insert(at, {tetrahedra.bone[e], 0.0});
      at->second += volume * tetrahedra.weight[e];
    }
  }
  for (std::size_t p = 0; p < sums.size(); ++p) {
    auto& sum = sums[p];
    std::erase_if(sum, [&](const auto& entry) { return entry.second < least_weight * volumes[p]; });
    std::sort(sum.begin(), sum.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    double kept = 0;
    for (const auto& [bone, weight] : sum) kept += weight;
    for (const auto& [bone, weight] : sum) {
      tetrahedra.bone.push_back(bone);
      tetrahedra.weight.push_back(sum.size() == 1 ? 1 : weight / kept);
    }
    tetrahedra.start.push_back(static_cast<int>(tetrahedra.bone.size()));
  }
  return tetrahedra;
}

}  // namespace sinew
