#include "sinew/elastic/shared_strain.h"

#include <algorithm>
#include <cstddef>

namespace sinew {
namespace {

// The mean of the samples of one group, appended to `to`. `slot` is work space, -1 throughout.
void append_mean(const StrainSamples& from, std::span<const int> members, double shear_share, std::vector<int>& slot,
                 StrainSamples& to) {
  double volume = 0, shear = 0, lambda = 0;
  for (int member : members) {
    const auto s = static_cast<std::size_t>(member);
    volume += from.volume[s];
    shear += from.volume[s] * from.shear[s];
    lambda += from.volume[s] * from.lambda[s];
  }
  if (!(volume > 0)) return;
  const std::size_t first = to.vertex.size();
  for (int member : members) {
    const auto s = static_cast<std::size_t>(member);
    const double share = from.volume[s] / volume;
    for (auto k = static_cast<std::size_t>(from.start[s]); k < static_cast<std::size_t>(from.start[s + 1]); ++k) {
      int& at = slot[static_cast<std::size_t>(from.vertex[k])];
      if (at < 0) {
        at = static_cast<int>(to.vertex.size());
        to.vertex.push_back(from.vertex[k]);
        to.gradient.push_back({});
      }
      to.gradient[static_cast<std::size_t>(at)] += share * from.gradient[k];
    }
  }
  for (std::size_t k = first; k < to.vertex.size(); ++k) slot[static_cast<std::size_t>(to.vertex[k])] = -1;
  shear /= volume;
  lambda /= volume;
  to.start.push_back(static_cast<int>(to.vertex.size()));
  to.volume.push_back(volume);
  to.shear.push_back(shear_share * shear);
  // The samples' own remainder is deviatoric, lambda = -2/3 mu; the mean compensates for that to keep the bulk modulus.
  to.lambda.push_back(lambda + 2.0 / 3.0 * (1 - shear_share) * shear);
}

}  // namespace

StrainSamples share_strain(const StrainSamples& samples, std::span<const int> group, double shear_share) {
  int groups = 0, vertices = 0;
  for (int g : group) groups = std::max(groups, g + 1);
  for (int v : samples.vertex) vertices = std::max(vertices, v + 1);
  std::vector<std::vector<int>> members(static_cast<std::size_t>(groups));
  StrainSamples result = samples;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    if (group[s] < 0) continue;
    members[static_cast<std::size_t>(group[s])].push_back(static_cast<int>(s));
    result.shear[s] *= 1 - shear_share;
    result.lambda[s] = -2.0 / 3.0 * result.shear[s];
  }
  std::vector<int> slot(static_cast<std::size_t>(vertices), -1);
  for (const std::vector<int>& one : members) append_mean(samples, one, shear_share, slot, result);
  return result;
}

}  // namespace sinew
