// What the tests of real characters ask of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sinew/character/character.h"
#include "sinew/jobs/animate/track.h"

namespace sinew::test {

inline bool has_skinned_triangles(const Character& character) {
  return std::any_of(character.parts.begin(), character.parts.end(),
                     [](const Part& p) { return p.skin >= 0 && p.triangles && !p.surface.triangles.empty(); });
}

// Largest distance, as a share of the height, between the cache and the rig alone at the same times.
inline double largest_displacement(const std::filesystem::path& input, const std::filesystem::path& cache) {
  const Track rig = read_track(input, {}), flesh = read_track(cache, {});
  EXPECT_EQ(flesh.points, rig.points);
  const TrackDifference difference = compare(rig, flesh, common_times(rig, flesh, 30));
  return difference.max / difference.height;
}

}  // namespace sinew::test
