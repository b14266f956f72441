// The inside of a body learned from examples: known weights, affine motion, invariance, and an elastic block.
#include "sinew/deform/rig_space/volumetric_skinning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>
#include <string>

#include "sinew/linalg/rotation.h"
#include "tests/base/refusal.h"
#include "tests/base/same_bits.h"
#include "tests/deform/elastic_examples.h"

namespace sinew {
namespace {

using test::at;
using test::ElasticBlock;
using test::Inside;

// A body, and as many poses of it as examples.
struct PosedLesson {
  TetrahedralMesh mesh;
  Inside parts;
  std::vector<Vec3> examples;

  std::span<const Vec3> pose(std::size_t k) const {
    return std::span(examples).subspan(k * mesh.positions.size(), mesh.positions.size());
  }
  VolumetricSkinning learn(const VolumetricSkinningOptions& options, const Progress& progress = {}) const {
    return learn_volumetric_skinning(mesh, parts.boundary, parts.interior, examples, options, progress);
  }
};

PosedLesson lesson_of(TetrahedralMesh mesh) {
  PosedLesson lesson{std::move(mesh), {}, {}};
  lesson.parts = test::inside_of(lesson.mesh);
  return lesson;
}

std::vector<Vec3> predicted(const PosedLesson& lesson, const SparseRows& weights, std::span<const Vec3> pose) {
  std::vector<Vec3> boundary, interior(lesson.parts.interior.size());
  for (const int v : lesson.parts.boundary) boundary.push_back(pose[at(v)]);
  multiply(weights, std::span<const Vec3>(boundary), std::span<Vec3>(interior));
  return interior;
}

double largest_error(const PosedLesson& lesson, const SparseRows& weights, std::span<const Vec3> pose) {
  const std::vector<Vec3> interior = predicted(lesson, weights, pose);
  double worst = 0;
  for (std::size_t i = 0; i < interior.size(); ++i)
    worst = std::max(worst, distance(interior[i], pose[at(lesson.parts.interior[i])]));
  return worst;
}

Affine random_affine(test::Noise& noise, double size) {
  return {Mat3::identity() + 0.6 * noise.matrix(), noise.vector() * size};
}

VolumetricSkinningOptions as_in_the_paper(SkinningWeights weights, int correspondences) {
  VolumetricSkinningOptions options;
  options.weights = weights;
  options.candidates = {.count = correspondences, .surround = false};
  options.harmonic_weight = 0;
  options.residual_growth = 1.5;
  return options;
}

TEST(VolumetricSkinning, RowsAreConvexCombinations) {
  const ElasticBlock block({6, 4, 4}, {0.6, 0.4, 0.4});
  PosedLesson lesson = lesson_of(block.mesh);
  lesson.examples = block.equilibria(test::performance(6));
  for (const SkinningWeights weights : {SkinningWeights::non_negative, SkinningWeights::sparse}) {
    VolumetricSkinningOptions options;
    options.weights = weights;
    const VolumetricSkinning learned = lesson.learn(options);
    const SparseRows& w = learned.weights;
    ASSERT_EQ(w.rows(), lesson.parts.interior.size());
    EXPECT_EQ(w.columns, static_cast<int>(lesson.parts.boundary.size()));
    for (std::size_t i = 0; i < w.rows(); ++i) {
      double sum = 0;
      for (int k = w.start[i]; k < w.start[i + 1]; ++k) {
        EXPECT_GT(w.value[at(k)], 0);
        sum += w.value[at(k)];
        if (k > w.start[i]) {
          EXPECT_LT(w.column[at(k - 1)], w.column[at(k)]);
        }
      }
      EXPECT_NEAR(sum, 1, 1e-14);
    }
    const VolumetricSkinningReport& report = learned.report;
    EXPECT_EQ(report.candidates, 20);
    EXPECT_DOUBLE_EQ(report.correspondences * static_cast<double>(w.rows()), static_cast<double>(w.value.size()));
    EXPECT_LE(report.correspondences, report.non_negative_correspondences);
    // What the report says about residuals is what the weights do.
    const std::size_t poses = lesson.examples.size() / lesson.mesh.positions.size();
    for (const std::size_t i : {std::size_t{0}, w.rows() / 2}) {
      double sum = 0;
      for (std::size_t p = 0; p < poses; ++p)
        sum += squared_norm(predicted(lesson, w, lesson.pose(p))[i] - lesson.pose(p)[at(lesson.parts.interior[i])]);
      EXPECT_NEAR(report.residual[i], std::sqrt(sum / static_cast<double>(poses)), 1e-6 * report.edge);
      EXPECT_NEAR(
          report.rest_residual[i],
          norm(predicted(lesson, w, lesson.mesh.positions)[i] - lesson.mesh.positions[at(lesson.parts.interior[i])]),
          1e-6 * report.edge);
    }
  }
}

// Whatever affine map moves the boundary moves the inside, seen among the examples or not: weights that are exact at
// rest and of sum one carry it. They are exact to 1.2 thousandths of an edge, which is what algorithm 1 may lose there.
TEST(VolumetricSkinning, AffineMotionsCarryTheInsideAlong) {
  PosedLesson lesson = lesson_of(test::perturbed_unit_cells({7, 6, 6}, 0.15, 3).mesh);
  test::Noise noise(5);
  for (int k = 0; k < 12; ++k) {
    const std::vector<Vec3> moved = test::mapped(lesson.mesh.positions, random_affine(noise, 10));
    lesson.examples.insert(lesson.examples.end(), moved.begin(), moved.end());
  }
  for (const SkinningWeights weights : {SkinningWeights::non_negative, SkinningWeights::sparse})
    for (const double harmonic : {0.0, 0.3}) {
      VolumetricSkinningOptions options;
      options.weights = weights;
      options.harmonic_weight = harmonic;
      const VolumetricSkinning learned = lesson.learn(options);
      const double edge = learned.report.edge;
      EXPECT_LT(largest_error(lesson, learned.weights, lesson.mesh.positions), 1.3e-3 * edge);
      for (int k = 0; k < 5; ++k) {
        const Affine map = random_affine(noise, 10);
        const std::vector<Vec3> moved = test::mapped(lesson.mesh.positions, map);
        EXPECT_LT(largest_error(lesson, learned.weights, moved), 1.3e-3 * edge * frobenius_norm(map.linear));
      }
    }
}

// Examples that known weights made, of boundary vertices that all move by themselves, have these weights only.
TEST(VolumetricSkinning, KnownWeightsComeBack) {
  PosedLesson lesson = lesson_of(test::perturbed_unit_cells({6, 6, 6}, 0.1, 8).mesh);
  const GeodesicNeighbours candidates =
      geodesic_neighbours(lesson.mesh, lesson.parts.interior, lesson.parts.boundary, {.count = 20});
  test::Noise noise(1);
  SparseRows known;
  known.columns = static_cast<int>(lesson.parts.boundary.size());
  for (std::size_t i = 0; i < lesson.parts.interior.size(); ++i) {
    std::vector<std::pair<int, double>> row;
    double sum = 0;
    for (int k = candidates.start[i] + static_cast<int>(i % 4); k < candidates.start[i + 1]; k += 4) {
      row.push_back({candidates.target[at(k)], 1.2 + noise()});
      sum += row.back().second;
    }
    std::sort(row.begin(), row.end());
    for (const auto& [column, value] : row) {
      known.column.push_back(column);
      known.value.push_back(value / sum);
    }
    known.start.push_back(static_cast<int>(known.column.size()));
  }
  for (int pose = 0; pose < 20; ++pose) {
    std::vector<Vec3> x = lesson.mesh.positions;
    for (const int v : lesson.parts.boundary) x[at(v)] += noise.vector();
    const std::vector<Vec3> inside = predicted(lesson, known, x);
    for (std::size_t i = 0; i < inside.size(); ++i) x[at(lesson.parts.interior[i])] = inside[i];
    lesson.examples.insert(lesson.examples.end(), x.begin(), x.end());
  }
  for (const SkinningWeights weights : {SkinningWeights::non_negative, SkinningWeights::sparse}) {
    VolumetricSkinningOptions options;
    options.weights = weights;
    options.rest_weight = options.harmonic_weight = 0;  // the known weights do not know the mesh's rest
    const VolumetricSkinning learned = lesson.learn(options);
    std::vector<std::vector<double>> difference(known.rows(), std::vector<double>(at(known.columns)));
    const auto add = [&](const SparseRows& rows, double sign) {
      for (std::size_t i = 0; i < rows.rows(); ++i)
        for (int k = rows.start[i]; k < rows.start[i + 1]; ++k)
          difference[i][at(rows.column[at(k)])] += sign * rows.value[at(k)];
    };
    add(known, 1);
    add(learned.weights, -1);
    for (const std::vector<double>& row : difference)
      for (const double d : row) EXPECT_NEAR(d, 0, 1e-9);
    if (weights == SkinningWeights::sparse) {
      EXPECT_EQ(learned.weights.column, known.column);
    }
  }
}

// Every example seen from elsewhere, and lengths in another unit: the same weights. (A row that asks for a sum of one,
// as in equation 6, depends on both.) The unit is a power of two: candidates at equal distances stay so.
TEST(VolumetricSkinning, DoesNotDependOnWhereExamplesStand) {
  const ElasticBlock block({6, 4, 4}, {0.6, 0.4, 0.4});
  PosedLesson lesson = lesson_of(block.mesh);
  lesson.examples = block.equilibria(test::performance(8));
  const VolumetricSkinning learned = lesson.learn({});
  PosedLesson elsewhere = lesson;
  test::Noise noise(2);
  const std::size_t n = lesson.mesh.positions.size();
  for (std::size_t pose = 0; pose * n < lesson.examples.size(); ++pose) {
    const Affine motion{to_matrix(axis_angle(normalized(noise.vector()), 3 * noise())), noise.vector() * 5};
    for (std::size_t v = 0; v < n; ++v) {
      Vec3& x = elsewhere.examples[pose * n + v];
      x = 128 * (motion * x);
    }
  }
  for (Vec3& x : elsewhere.mesh.positions) x *= 128;
  const VolumetricSkinning other = elsewhere.learn({});
  ASSERT_EQ(other.weights.column, learned.weights.column);
  for (std::size_t k = 0; k < learned.weights.value.size(); ++k)
    EXPECT_NEAR(other.weights.value[k], learned.weights.value[k], 1e-6);
}

// Elastic energy over that with the inside in equilibrium, of all poses together.
double excess(const ElasticBlock& block, const SparseRows& weights, std::span<const Vec3> poses) {
  const std::size_t n = block.mesh.positions.size();
  double sum = 0, least = 0;
  for (std::size_t pose = 0; pose * n < poses.size(); ++pose) {
    const std::span<const Vec3> x = poses.subspan(pose * n, n);
    const double equilibrium = block.energy(x), skinned = block.energy(block.skinned(weights, x));
    EXPECT_GE(skinned, equilibrium * (1 - 1e-9));  // nothing is below equilibrium
    sum += skinned;
    least += equilibrium;
  }
  return sum / least;
}

struct Row {
  std::string name;
  VolumetricSkinningOptions options;
};

std::vector<Row> figure_5() {
  const SkinningWeights least_squares = SkinningWeights::non_negative;
  VolumetricSkinningOptions around = as_in_the_paper(SkinningWeights::sparse, 20);
  around.candidates = {};
  return {{"NNLS, 500 nearest", as_in_the_paper(least_squares, 500)},
          {"NNLS, 20 nearest", as_in_the_paper(least_squares, 20)},
          {"NNLS, 5 nearest", as_in_the_paper(least_squares, 5)},
          {"sparse, 20 nearest", as_in_the_paper(SkinningWeights::sparse, 20)},
          {"sparse, 20 around", around},
          {"sparse, with harmonic weights", {}}};
}

std::vector<double> excesses(const ElasticBlock& block, std::span<const Vec3> examples,
                             std::span<const Vec3> held_out) {
  std::vector<double> result;
  for (const Row& row : figure_5()) {
    const VolumetricSkinning learned =
        learn_volumetric_skinning(block.mesh, block.parts.boundary, block.parts.interior, examples, row.options);
    result.push_back(excess(block, learned.weights, held_out));
    const VolumetricSkinningReport& report = learned.report;
    std::cout << std::setw(30) << row.name << std::fixed << std::setprecision(2) << "  left " << report.correspondences
              << ", energy x " << std::setprecision(3) << result.back() << " (examples x "
              << excess(block, learned.weights, examples) << "), farthest at rest "
              << *std::max_element(report.rest_residual.begin(), report.rest_residual.end()) / report.edge << " edges, "
              << 1e3 * report.seconds_per_vertex << " ms a vertex\n";
  }
  return result;
}

// Figure 5: poses that were not among the examples. What is learned from a body that was shaken as a whole does not
// know that its sides may move by themselves; harmonic weights do.
TEST(VolumetricSkinning, HeldOutPosesCostLittleMoreThanEquilibrium) {
  const ElasticBlock block({10, 5, 5}, {1, 0.5, 0.5});
  const std::vector<Vec3> examples = block.equilibria(test::shaken_as_a_whole());
  const std::vector<Vec3> held_out = block.equilibria(test::local_motion(16));
  const std::vector<double> energy = excesses(block, examples, held_out);
  const double ours = energy.back();
  EXPECT_LT(ours, 1.5);
  EXPECT_GT(energy[0], 1.1 * ours);  // 500: remote vertices that only happened to move alike
  EXPECT_GT(energy[1], 2 * ours);    // 20 nearest: on one side
  EXPECT_GT(energy[2], 10 * ours);   // 5 nearest: unusable, as in the paper
  EXPECT_LT(energy[4], energy[3]);   // around the vertex rather than the nearest
}

// With examples of every kind of motion nothing is there to be overfitted, and fewer correspondences cost a little.
TEST(VolumetricSkinning, RichExamplesLeaveLittleToChooseFrom) {
  const ElasticBlock block;
  const std::vector<Vec3> examples = block.equilibria(test::exercises());
  const std::vector<Vec3> held_out = block.equilibria(test::performance(16));
  const std::vector<double> energy = excesses(block, examples, held_out);
  EXPECT_LT(energy.back(), 1.08 * energy[0]);
  EXPECT_LT(energy.back(), 0.9 * energy[1]);
  EXPECT_LT(energy.back(), 0.1 * energy[2]);
}

TEST(VolumetricSkinning, RestStaysAtRest) {
  const ElasticBlock block({10, 6, 6}, {1, 0.6, 0.6});
  PosedLesson lesson = lesson_of(block.mesh);
  lesson.examples = block.equilibria(test::local_motion(4));
  const double edge = lesson.learn({}).report.edge;
  EXPECT_LT(largest_error(lesson, lesson.learn({}).weights, lesson.mesh.positions), 5e-3 * edge);
  // 20 nearest of a deep vertex lie on one side of it, and there is no convex combination of them.
  const VolumetricSkinning nearest = lesson.learn(as_in_the_paper(SkinningWeights::sparse, 20));
  EXPECT_GT(largest_error(lesson, nearest.weights, lesson.mesh.positions), 0.5 * edge);
}

TEST(VolumetricSkinning, IsTheSameForAnyNumberOfThreads) {
  const ElasticBlock block({6, 4, 4}, {0.6, 0.4, 0.4});
  PosedLesson lesson = lesson_of(block.mesh);
  lesson.examples = block.equilibria(test::performance(8));
  test::expect_same_bits([&] {
    const VolumetricSkinning learned = lesson.learn({});
    std::vector<double> all = learned.weights.value;
    all.insert(all.end(), learned.weights.column.begin(), learned.weights.column.end());
    all.insert(all.end(), learned.weights.start.begin(), learned.weights.start.end());
    for (const auto* residuals :
         {&learned.report.initial_residual, &learned.report.residual, &learned.report.rest_residual})
      all.insert(all.end(), residuals->begin(), residuals->end());
    return all;
  });
}

TEST(VolumetricSkinning, TellsHowFarItIsAndStops) {
  const ElasticBlock block({8, 8, 8}, {1, 1, 1});
  PosedLesson lesson = lesson_of(block.mesh);
  lesson.examples = lesson.mesh.positions;
  std::vector<double> fractions;
  lesson.learn({}, [&](const ProgressReport& report) {
    fractions.push_back(report.fraction);
    return true;
  });
  EXPECT_GT(fractions.size(), 5u);
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_EQ(fractions.front(), 0);
  EXPECT_EQ(fractions.back(), 1);
  for (std::size_t stop = 1; stop < fractions.size(); stop += 3) {
    std::size_t calls = 0;
    EXPECT_THROW(lesson.learn({}, [&](const ProgressReport&) { return ++calls < stop; }), Stopped);
    EXPECT_EQ(calls, stop);
  }
}

TEST(VolumetricSkinning, BodiesWithoutAnInsideHaveAnEmptyMap) {
  PosedLesson lesson = lesson_of(test::block({3, 1, 1}, {3, 1, 1}).mesh);
  lesson.examples = lesson.mesh.positions;
  ASSERT_TRUE(lesson.parts.interior.empty());
  const VolumetricSkinning learned = lesson.learn({});
  EXPECT_EQ(learned.weights.rows(), 0u);
  EXPECT_EQ(learned.weights.columns, 16);
}

TEST(VolumetricSkinning, RefusesWhatDoesNotFitTogether) {
  const PosedLesson good = [] {
    PosedLesson lesson = lesson_of(test::block({3, 3, 3}, {1, 1, 1}).mesh);
    lesson.examples = lesson.mesh.positions;
    return lesson;
  }();
  const auto refused = [&](ErrorKind kind, const auto& spoil) {
    PosedLesson lesson = good;
    VolumetricSkinningOptions options;
    spoil(lesson, options);
    return test::refusal(kind, [&] { lesson.learn(options); });
  };
  using Options = VolumetricSkinningOptions;
  refused(ErrorKind::usage, [](PosedLesson& l, Options&) { l.examples.clear(); });
  refused(ErrorKind::usage, [](PosedLesson& l, Options&) { l.examples.pop_back(); });
  refused(ErrorKind::usage, [](PosedLesson&, Options& o) { o.harmonic_weight = -1; });
  refused(ErrorKind::usage, [](PosedLesson&, Options& o) { o.candidates.count = 0; });
  EXPECT_NE(refused(ErrorKind::usage, [](PosedLesson& l, Options&) { l.parts.interior.push_back(999); }).find("999"),
            std::string::npos);
  EXPECT_NE(refused(ErrorKind::usage, [](PosedLesson& l, Options&) { l.parts.interior.push_back(l.parts.boundary[0]); })
                .find("twice"),
            std::string::npos);
  EXPECT_NE(refused(ErrorKind::usage, [](PosedLesson& l, Options&) { l.parts.interior.pop_back(); }).find("neither"),
            std::string::npos);
  EXPECT_NE(refused(ErrorKind::simulation,
                    [](PosedLesson& l, Options&) { l.examples[7].y = std::numeric_limits<double>::quiet_NaN(); })
                .find("vertex 7"),
            std::string::npos);
  EXPECT_NE(refused(ErrorKind::input,
                    [](PosedLesson& l, Options&) {
                      const int n = static_cast<int>(l.mesh.positions.size());
                      for (const Vec3& x : {Vec3{5, 0, 0}, Vec3{6, 0, 0}, Vec3{5, 1, 0}, Vec3{5, 0, 1}})
                        l.mesh.positions.push_back(x);
                      l.mesh.tetrahedra.push_back({n, n + 1, n + 2, n + 3});
                      l.parts.interior.insert(l.parts.interior.end(), {n, n + 1, n + 2, n + 3});
                      l.examples = l.mesh.positions;
                    })
                .find("no vertex on the boundary"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
