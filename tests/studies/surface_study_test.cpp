#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "studies/surface/dancing_tube.h"
#include "studies/surface/tables.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

TEST(SurfaceStudy, TheTubeIsClosedAndRound) {
  const SurfaceTube tube = make_surface_tube({.rings = 21, .columns = 64, .bones = 2});
  const double circle =
      32 * std::sin(2 * std::numbers::pi / 64);  // of the polygon with 64 corners, over the radius squared
  EXPECT_NEAR(enclosed_volume(tube.rest.positions, tube.rest.triangles), circle * 0.15 * 0.15, 1e-12);
  for (const Influences& influences : tube.model.influences) {
    double sum = 0;
    for (int k = 0; k < influences.count; ++k) sum += influences.weight[static_cast<std::size_t>(k)];
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  EXPECT_EQ(tube.model.segments.size(), 2u);
}

// Figure 3: without spokes the flesh slides through its bone, with them it stays around it and bulges.
TEST(SurfaceStudy, SpokesKeepTheBoneInTheFlesh) {
  const FallingTube experiment = falling_tube_experiment();
  ASSERT_EQ(experiment.runs.size(), 2u);
  const auto nearest = [](const FallingTubeRun& run) {
    double least = 1;
    for (const FallingTubeFrame& f : run.frames) least = std::min({least, f.below, f.above});
    return least;
  };
  EXPECT_LT(nearest(experiment.runs[0]), 0.5);
  EXPECT_GT(nearest(experiment.runs[1]), 0.8);
  // Nothing but the bone's place is different at first, and the tube is round again at last, if not quite calm.
  for (const FallingTubeRun& run : experiment.runs) {
    EXPECT_NEAR(run.frames.front().volume, 1, 1e-12);
    EXPECT_NEAR(run.frames.back().volume, 1, 0.06);
    ASSERT_EQ(run.shown.size(), experiment.shown_times.size());
  }
  EXPECT_EQ(falling_tube_table(experiment).rows.size(), 2u);
  EXPECT_NE(markdown(falling_tube_frames_table(experiment)).find("with spokes"), std::string::npos);
}

// Figure 6c, and nothing travels faster than from neighbour to neighbour in a step.
TEST(SurfaceStudy, ALocalDragStaysLocal) {
  const LocalDragOptions options;
  const std::vector<LocalDragRun> runs = local_drag_experiment(options);
  for (const LocalDragRun& run : runs) {
    ASSERT_EQ(run.displacement.size(), options.steps.size());
    for (std::size_t bin = 1; bin < run.displacement[0].size(); ++bin) EXPECT_EQ(run.displacement[0][bin], 0);
    const std::vector<double>& settled = run.displacement.back();
    EXPECT_GT(settled[0], 0.1);
    EXPECT_LT(settled[2], 0.02);       // a radius away
    EXPECT_LT(settled.back(), 0.005);  // three of them
  }
  EXPECT_EQ(local_drag_table(runs).rows.size(), runs.size() * static_cast<std::size_t>(options.bins));
}

TEST(SurfaceStudy, ParametersComeBack) {
  const std::vector<RecoveryRow> rows = recovery_experiment({.rings = 9, .columns = 8, .frames = 90});
  for (const RecoveryRow& row : rows) {
    if (row.scheme == "gradient") {
      EXPECT_GE(row.share, 0.95);
      EXPECT_LT(row.error, 1e-3);
    }
    EXPECT_LT(row.error, 0.3);
  }
  EXPECT_FALSE(markdown(recovery_table(rows)).empty());
}

TEST(SurfaceStudy, SchemesNeedAClip) {
  Character still;
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { schemes_experiment(still, "still"); }).find("no clip"),
            std::string::npos);
}

// The whole way of an example: finite elements, fit, file, run-time, another clip.
TEST(SurfaceStudy, FleshLearnedFromOneClipServesAnother) {
  LearningOptions options;
  options.flesh.tetrahedra = 1000;
  options.frames_per_second = 60;
  const Character tube = dancing_tube();
  const LearningExperiment experiment = learning_experiment(tube, "tube", options);
  ASSERT_EQ(experiment.clips.size(), 2u);
  EXPECT_EQ(experiment.clips[0].name, "sway");
  EXPECT_TRUE(experiment.clips[0].seen);
  EXPECT_GT(experiment.clips[0].removed(), 0.7);
  EXPECT_FALSE(experiment.clips[1].seen);
  EXPECT_GT(experiment.clips[1].removed(), 0.5);
  EXPECT_EQ(experiment.clips[1].frames, 121u);
  EXPECT_EQ(experiment.flesh.parts.at(0).displacement.size(), experiment.learned.parts.at(0).displacement.size());
  EXPECT_EQ(learning_table({experiment}).rows.size(), 2u);

  options.unseen = "walk";
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { learning_experiment(tube, "tube", options); }).find("walk"),
            std::string::npos);
}

// Figure 4, in numbers: restoration falls where the material is soft, and stays where it is not.
TEST(SurfaceStudy, ASoftPartShowsInTheParameters) {
  const SoftPart experiment = soft_part_experiment({.tetrahedra = 1500});
  ASSERT_EQ(experiment.rows.size(), 2u);
  const SoftPartRow &soft = experiment.rows[0], &stiff = experiment.rows[1];
  EXPECT_GT(soft.moves_painted, 2 * soft.moves);
  EXPECT_LT(soft.found, 0.5 * soft.uniform);
  EXPECT_NEAR(stiff.found, stiff.uniform, 0.2 * stiff.uniform);
  EXPECT_EQ(soft_part_table(experiment).rows.size(), 2u);
}

// Errors of all iterations are shares of the goal's: they begin alike, and what is reached is no worse than any of
// them.
TEST(SurfaceStudy, SchemesAreMeasuredAlike) {
  SchemesOptions options;
  options.seconds = 0.5;
  options.tetrahedra = 600;
  options.alternating_iterations = 10;
  options.gradient_iterations = 10;
  const SchemesExperiment experiment = schemes_experiment(dancing_tube(), "tube", options);
  ASSERT_EQ(experiment.runs.size(), 6u);
  EXPECT_EQ(experiment.frames, 31u);
  for (const SchemeRun& run : experiment.runs) {
    EXPECT_GT(run.best, 0);
    if (run.error.empty()) continue;
    EXPECT_NEAR(run.error.front(), experiment.runs[0].error.front(), 1e-9);  // one start
    const double least = *std::min_element(run.error.begin(), run.error.end());
    EXPECT_LE(run.best, least + 1e-9);
    EXPECT_GT(run.best, 0.9 * least);
  }
}

}  // namespace
}  // namespace sinew
