// Distances of windows of point clouds: the closed form against a search, laws of invariance, and the sums that slide
// along diagonals against those written out.
#include "sinew/kinematics/graph/window_distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sinew/base/threads/parallel.h"
#include "sinew/kinematics/graph/similar_windows.h"

namespace sinew {
namespace {

struct RandomCloud {
  std::vector<Vec3> first, second;
  std::vector<double> weights;
};

RandomCloud random_cloud(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> weight(0.1, 2);
  RandomCloud cloud;
  for (std::size_t k = 0; k < count; ++k) {
    cloud.first.push_back({normal(random), 1 + normal(random), normal(random)});
    // Alike, so that the best turn is not arbitrary.
    cloud.second.push_back(cloud.first.back() + Vec3{normal(random), normal(random), normal(random)} * 0.4);
    cloud.weights.push_back(weight(random));
  }
  return cloud;
}

double distance_under(const RandomCloud& cloud, const Standing& motion) {
  double sum = 0, weights = 0;
  for (std::size_t k = 0; k < cloud.weights.size(); ++k) {
    sum += cloud.weights[k] * squared_norm(cloud.first[k] - (turned(motion.heading, cloud.second[k]) + motion.place));
    weights += cloud.weights[k];
  }
  return std::sqrt(sum / weights);
}

TEST(WindowDistance, NoOtherMotionAlongTheGroundBringsPointsNearer) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const RandomCloud cloud = random_cloud(seed, 40);
    const GroundAlignment found = align_on_ground(cloud.first, cloud.second, cloud.weights);
    EXPECT_NEAR(found.distance, distance_under(cloud, found.motion), 1e-12);
    // Over all headings, each with steps around the best place, which is where the centres meet.
    double least = HUGE_VAL;
    for (int turn = 0; turn < 720; ++turn) {
      const double heading = turn * std::numbers::pi / 360;
      Vec3 from, to;
      double sum = 0;
      for (std::size_t k = 0; k < cloud.weights.size(); ++k) {
        from += cloud.weights[k] * turned(heading, cloud.second[k]);
        to += cloud.weights[k] * cloud.first[k];
        sum += cloud.weights[k];
      }
      for (int x = -1; x <= 1; ++x)
        for (int z = -1; z <= 1; ++z) {
          Standing motion{heading, (to - from) / sum + Vec3{0.01 * x, 0, 0.01 * z}};
          motion.place.y = 0;
          least = std::min(least, distance_under(cloud, motion));
        }
    }
    EXPECT_LE(found.distance, least + 1e-12);
    EXPECT_NEAR(found.distance, least, 1e-4);  // half a degree is as near as the search comes
    for (const Standing& step : {Standing{1e-4, {}}, Standing{-1e-4, {}}, Standing{0, {1e-4, 0, 0}},
                                 Standing{0, {0, 0, -1e-4}}, Standing{2e-4, {1e-4, 0, 1e-4}}}) {
      const Standing near{found.motion.heading + step.heading, found.motion.place + step.place};
      EXPECT_GT(distance_under(cloud, near), found.distance);
    }
  }
}

TEST(WindowDistance, MotionAlongTheGroundMakesNoDifferenceAndHeightDoes) {
  RandomCloud cloud = random_cloud(7, 30);
  const GroundAlignment before = align_on_ground(cloud.first, cloud.second, cloud.weights);
  const Standing moved{2.1, {5, 0, -3}};
  for (Vec3& p : cloud.second) p = turned(moved.heading, p) + moved.place;
  const GroundAlignment after_it = align_on_ground(cloud.first, cloud.second, cloud.weights);
  EXPECT_NEAR(after_it.distance, before.distance, 1e-12);
  const Standing together = after(after_it.motion, moved);
  EXPECT_NEAR(std::remainder(together.heading - before.motion.heading, 2 * std::numbers::pi), 0, 1e-12);
  EXPECT_LT(distance(together.place, before.motion.place), 1e-12);
  // Points that are a step higher all differ by that step at least.
  const std::vector<Vec3> same = cloud.first;
  for (Vec3& p : cloud.first) p.y += 0.25;
  EXPECT_NEAR(align_on_ground(cloud.first, same, cloud.weights).distance, 0.25, 1e-12);
}

TEST(WindowDistance, IsThatOfTheOtherWindowFirst) {
  const RandomCloud cloud = random_cloud(3, 30);
  const GroundAlignment there = align_on_ground(cloud.first, cloud.second, cloud.weights),
                        back = align_on_ground(cloud.second, cloud.first, cloud.weights);
  EXPECT_NEAR(there.distance, back.distance, 1e-12);
  const Standing none = after(there.motion, back.motion);
  EXPECT_NEAR(std::remainder(none.heading, 2 * std::numbers::pi), 0, 1e-12);
  EXPECT_LT(norm(none.place), 1e-12);
}

// Points on limbs that swing, of a body that walks away from the origin and turns.
std::vector<Vec3> swinging(std::size_t frames, std::size_t points, double pace, double way) {
  std::vector<Vec3> positions;
  for (std::size_t f = 0; f < frames; ++f)
    for (std::size_t k = 0; k < points; ++k) {
      const double t = pace * static_cast<double>(f), limb = static_cast<double>(k);
      const Vec3 own{0.3 * std::sin(limb), 0.2 * limb + 0.1 * std::cos(t + limb), 0.4 * std::sin(t + 0.7 * limb)};
      positions.push_back(turned(0.02 * t, own) + Vec3{way * t, 0, 0.3 * way * t});
    }
  return positions;
}

struct Runs {
  std::vector<double> weights{0.1, 0.3, 0.2, 0.15, 0.25};
  WindowDistances distances{weights, 9};
  std::vector<WindowRun> runs;

  Runs() {
    for (const auto& [frames, pace, way] : {std::tuple{170, 0.21, 1.0}, std::tuple{90, 0.17, 40.0}}) {
      const auto count = static_cast<std::size_t>(frames);
      runs.push_back({distances.frames(), count - 9, false});
      distances.add_run(swinging(count, weights.size(), pace, way), count - 9);
    }
  }
};

TEST(WindowDistance, SumsThatSlideAlongDiagonalsAreThoseWrittenOut) {
  const Runs two;
  DenseMatrix all(two.distances.frames(), two.distances.frames());
  two.distances.distances(0, 0, all);
  int compared = 0;
  for (std::size_t i = 0; i < all.rows; i += 7)
    for (std::size_t j = 0; j < all.columns; j += 5) {
      if (!two.distances.begins(i) || !two.distances.begins(j)) {
        EXPECT_EQ(all(i, j), HUGE_VAL);
        continue;
      }
      ++compared;
      // Squares are differences of sums about as large as the clip's extent squared.
      const double direct = two.distances.alignment(i, j).distance;
      EXPECT_NEAR(all(i, j) * all(i, j), direct * direct, 1e-9) << i << " " << j;
    }
  EXPECT_GT(compared, 1000);
  // A part of the matrix is that part.
  DenseMatrix part(40, 50);
  two.distances.distances(100, 120, part);
  for (std::size_t i = 0; i < part.rows; ++i)
    for (std::size_t j = 0; j < part.columns; ++j) {
      if (std::isfinite(part(i, j))) {
        EXPECT_NEAR(part(i, j), all(100 + i, 120 + j), 1e-5);
      }
    }
}

TEST(WindowDistance, AlignmentIsInTheSpaceOfTheClips) {
  const Runs two;
  const std::vector<Vec3> first = swinging(170, 5, 0.21, 1.0), second = swinging(90, 5, 0.17, 40.0);
  const GroundAlignment found = two.distances.alignment(20, 170 + 30);
  std::vector<double> weights;
  for (int t = 0; t < 9; ++t) weights.insert(weights.end(), two.weights.begin(), two.weights.end());
  const GroundAlignment direct =
      align_on_ground(std::span(first).subspan(20 * 5, 45), std::span(second).subspan(30 * 5, 45), weights);
  EXPECT_NEAR(found.distance, direct.distance, 1e-10);
  EXPECT_NEAR(found.motion.heading, direct.motion.heading, 1e-9);
  EXPECT_LT(distance(found.motion.place, direct.motion.place), 1e-6);  // 1,000 m from the origin
}

DenseMatrix same_limit(std::size_t runs, double limit) {
  DenseMatrix limits(runs, runs);
  std::fill(limits.value.begin(), limits.value.end(), limit);
  return limits;
}

// A motion that repeats: minima are where the phase is the same.
TEST(SimilarWindows, AreOfTheSamePhaseAndTheSameForAnyNumberOfThreads) {
  const std::vector<double> weights{0.2, 0.2, 0.2, 0.2, 0.2};
  const int period = 24;
  const double pace = 2 * std::numbers::pi / period;
  WindowDistances distances(weights, 6);
  const std::size_t frames = 300;
  std::vector<Vec3> positions;
  for (std::size_t f = 0; f < frames; ++f)
    for (std::size_t k = 0; k < 5; ++k) {
      const double t = pace * static_cast<double>(f);
      positions.push_back({static_cast<double>(k), std::cos(t + static_cast<double>(k)), std::sin(t) + 0.5 * t});
    }
  distances.add_run(positions, frames - 6);
  const std::vector<WindowRun> runs{{0, frames - 6, false}};
  const SimilarWindows similar = find_similar_windows(distances, runs, same_limit(1, 0.05), 64);
  ASSERT_GT(similar.pairs.size(), 10u);
  for (const WindowPair& pair : similar.pairs) {
    EXPECT_EQ((pair.second - pair.first) % period, 0u) << pair.first << " " << pair.second;
    EXPECT_GT(pair.second - pair.first, 6u);
    EXPECT_LT(pair.distance, 1e-5);
  }
  EXPECT_EQ(similar.map.rows, 64u);
  EXPECT_EQ(similar.map(3, 3), 0);
  set_thread_count(3);
  const SimilarWindows again = find_similar_windows(distances, runs, same_limit(1, 0.05), 64);
  set_thread_count(0);
  ASSERT_EQ(again.pairs.size(), similar.pairs.size());
  for (std::size_t k = 0; k < again.pairs.size(); ++k) {
    EXPECT_EQ(again.pairs[k].first, similar.pairs[k].first);
    EXPECT_EQ(again.pairs[k].second, similar.pairs[k].second);
    EXPECT_EQ(again.pairs[k].distance, similar.pairs[k].distance);
  }
  EXPECT_EQ(again.map.value, similar.map.value);
}

}  // namespace
}  // namespace sinew
