// Similar windows around the seam of clips that loop, and of bodies of any size.
#include "sinew/kinematics/graph/similar_windows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace sinew::test {
namespace {

// Three points that stand on the ground in a triangle; the heights of two of them change.
struct Heights {
  static constexpr int window = 6, cycle = 40;
  double size = 1;
  WindowDistances distances{std::vector<double>{0.4, 0.3, 0.3}, window};
  std::vector<WindowRun> runs;

  // Heights at a phase, which is 0 where the middle of the first window's frames is `early` frames before.
  void add_cycle(const std::function<std::pair<double, double>(double)>& heights, double early) {
    std::vector<Vec3> positions;
    for (int f = 0; f < cycle + window + 3; ++f) {
      const double phase = 2 * std::numbers::pi * (f - 0.5 * (window - 1) + early) / cycle;
      const auto [one, other] = heights(phase);
      for (const Vec3& at : {Vec3{0, 0, 0}, Vec3{1, one, 0}, Vec3{0, other, 1}}) positions.push_back(size * at);
    }
    runs.push_back({distances.frames(), cycle, true});
    distances.add_run(positions, cycle);
  }
  // First and second windows of the pairs, by their frames in their clips.
  std::vector<std::pair<std::size_t, std::size_t>> found(double limit) const {
    DenseMatrix limits(runs.size(), runs.size());
    std::fill(limits.value.begin(), limits.value.end(), size * limit);
    // Where there are two clips, pairs of both are looked for.
    for (std::size_t c = 0; runs.size() > 1 && c < runs.size(); ++c) limits(c, c) = -1;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const WindowPair& pair : find_similar_windows(distances, runs, limits).pairs)
      pairs.emplace_back(pair.first - runs.front().begin, pair.second - runs.back().begin);
    return pairs;
  }
};

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

TEST(SimilarWindows, AMinimumAtTheSeamOfTwoLoopsIsFoundOnce) {
  // The clips are nearest where one point of each is highest, a quarter of a frame before the first windows.
  Heights two;
  two.add_cycle([](double phase) { return std::pair(0.1 * std::cos(phase), 0.2); }, 0.25);
  two.add_cycle([](double phase) { return std::pair(0.2, 0.1 * std::cos(phase)); }, 0.25);
  EXPECT_EQ(two.found(0.2), (Pairs{{0, 0}}));
}

TEST(SimilarWindows, ACrossingAtTheSeamOfOneLoopIsFoundOnce) {
  // A figure of eight crosses itself at opposite phases.
  Heights one;
  one.add_cycle([](double phase) { return std::pair(0.2 * std::sin(phase), 0.2 * std::sin(2 * phase)); }, 0.25);
  EXPECT_EQ(one.found(0.1), (Pairs{{0, 20}}));
}

TEST(SimilarWindows, TwoEqualLoopsMeetInTheirFirstWindowsWhateverTheirSize) {
  for (const double size : {0.05, 1.0 / 3, 1.0, 7.0, 100.0}) {
    Heights two;
    two.size = size;
    for (int k = 0; k < 2; ++k)
      two.add_cycle([](double phase) { return std::pair(0.2 * std::sin(phase), 0.2 * std::cos(phase)); }, 0.3);
    EXPECT_EQ(two.found(0.01), (Pairs{{0, 0}})) << size;
  }
}

}  // namespace
}  // namespace sinew::test
