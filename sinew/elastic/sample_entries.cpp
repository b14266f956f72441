#include "sinew/elastic/sample_entries.h"

#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {

SampleEntries entries_of_vertices(const StrainSamples& samples, int vertices) {
  SampleEntries entries;
  entries.start.assign(static_cast<std::size_t>(vertices) + 1, 0);
  for (int v : samples.vertex) ++entries.start[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 0; v < static_cast<std::size_t>(vertices); ++v) entries.start[v + 1] += entries.start[v];
  entries.sample.resize(samples.vertex.size());
  entries.entry.resize(samples.vertex.size());
  std::vector<int> next(entries.start.begin(), entries.start.end() - 1);
  for (std::size_t s = 0; s < samples.size(); ++s)
    for (int k = samples.start[s]; k < samples.start[s + 1]; ++k) {
      const auto at =
          static_cast<std::size_t>(next[static_cast<std::size_t>(samples.vertex[static_cast<std::size_t>(k)])]++);
      entries.sample[at] = static_cast<int>(s);
      entries.entry[at] = k;
    }
  return entries;
}

SampleEntries entries_of_functions(const StrainSamples& samples, int functions) {
  for (const int v : samples.vertex)
    if (v < 0 || v >= functions)
      throw usage_error("the body has a sample of function " + std::to_string(v) + ", but " +
                        std::to_string(functions) + " functions only; count them all.");
  return entries_of_vertices(samples, functions);
}

void gather(const SampleEntries& entries, const StrainSamples& samples, std::span<const Mat3> stress,
            std::span<Vec3> gradient) {
  parallel_for(gradient.size(), 32, [&](std::size_t i) {
    Vec3 sum;
    for (int e = entries.start[i]; e < entries.start[i + 1]; ++e) {
      const auto item = static_cast<std::size_t>(e);
      sum += stress[static_cast<std::size_t>(entries.sample[item])] *
             samples.gradient[static_cast<std::size_t>(entries.entry[item])];
    }
    gradient[i] = sum;
  });
}

}  // namespace sinew
