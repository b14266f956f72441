#include "sinew/elastic/stiffness.h"

#include "sinew/base/threads/parallel.h"
#include "sinew/elastic/sample_entries.h"

namespace sinew {

Mat3 stiffness_block(const Vec3& gi, const Vec3& gj, double volume, double shear, double lambda) {
  Mat3 block = outer(gi, gj) * (lambda * volume);
  block += outer(gj, gi) * (shear * volume);
  const double isotropic = shear * volume * dot(gi, gj);
  block(0, 0) += isotropic;
  block(1, 1) += isotropic;
  block(2, 2) += isotropic;
  return block;
}

BlockMatrix rest_stiffness(const StrainSamples& samples, int vertices, std::span<const double> factor) {
  BlockMatrix stiffness = block_pattern(vertices, samples.vertex, samples.start);
  const SampleEntries entries = entries_of_vertices(samples, vertices);
  parallel_for(static_cast<std::size_t>(vertices), 64, [&](std::size_t i) {
    for (int e = entries.start[i]; e < entries.start[i + 1]; ++e) {
      const auto s = static_cast<std::size_t>(entries.sample[static_cast<std::size_t>(e)]);
      const Vec3& gi = samples.gradient[static_cast<std::size_t>(entries.entry[static_cast<std::size_t>(e)])];
      const double volume = samples.volume[s] * (factor.empty() ? 1.0 : factor[s]);
      for (int k = samples.start[s]; k < samples.start[s + 1]; ++k) {
        const auto entry = static_cast<std::size_t>(k);
        const int at = find_block(stiffness, static_cast<int>(i), samples.vertex[entry]);
        stiffness.block[static_cast<std::size_t>(at)] +=
            stiffness_block(gi, samples.gradient[entry], volume, samples.shear[s], samples.lambda[s]);
      }
    }
  });
  return stiffness;
}

BlockMatrix rest_stiffness(const StrainSamples& samples, int vertices) { return rest_stiffness(samples, vertices, {}); }

}  // namespace sinew
