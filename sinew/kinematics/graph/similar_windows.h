// Pairs of windows at which a motion can go over from one to the other: local minima of their distance.
#pragma once

#include <span>
#include <vector>

#include "sinew/kinematics/graph/window_distance.h"

namespace sinew {

// The windows of one clip among all of them.
struct WindowRun {
  std::size_t begin = 0;  // frame of WindowDistances in which the first one begins
  std::size_t count = 0;  // number of windows
  bool loops = false;     // the first window follows the last one
};

struct WindowPair {
  std::size_t first = 0, second = 0;  // frames of WindowDistances, first < second
  double distance = 0;                // metres
};

struct SimilarWindows {
  std::vector<WindowPair> pairs;  // in the order of first, then second
  DenseMatrix nearest;            // per two clips, the smallest distance of windows that do not overlap
  // A picture of the distances: entry (x, y) is the smallest one of the windows that it stands for. Empty unless asked
  // for.
  DenseMatrix map;
};

// Finds pairs that are nearer than the limit of their two clips (`limits`: clips x clips, metres) and than the eight
// pairs next to them, and whose windows do not overlap in time. Of pairs that are as near but for rounding the first
// counts. Of pairs of the same two clips within half a window in both, the nearest stays. Around a clip that loops, the
// first windows are next to the last ones. `map_size`: rows and columns of the map at most, 0: none. Same bits for any
// number of threads.
SimilarWindows find_similar_windows(const WindowDistances& distances, std::span<const WindowRun> runs,
                                    const DenseMatrix& limits, std::size_t map_size = 0);

}  // namespace sinew
