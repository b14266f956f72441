// Entries of strain samples sorted by vertex, so that each row of a matrix or vector over vertices is summed by one
// owner in the order of the samples: in parallel, with the same bits for any number of threads.
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/strain_samples.h"

namespace sinew {

struct SampleEntries {
  std::vector<int> start;   // vertices + 1: vertex v owns items start[v] .. start[v + 1]
  std::vector<int> sample;  // per item, not decreasing within a vertex
  std::vector<int> entry;   // per item, index into StrainSamples::vertex and gradient
};

// Vertices of the samples must be in [0, vertices).
SampleEntries entries_of_vertices(const StrainSamples& samples, int vertices);

// Entries for functions of any basis. Throws usage_error for a sample of a function that does not exist.
SampleEntries entries_of_functions(const StrainSamples& samples, int functions);

// Per function, the sum over its samples of P g: the gradient of an energy, where `stress` is P times the volume of
// each sample.
void gather(const SampleEntries& entries, const StrainSamples& samples, std::span<const Mat3> stress,
            std::span<Vec3> gradient);

}  // namespace sinew
