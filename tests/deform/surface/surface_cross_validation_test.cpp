#include "sinew/deform/surface/fit/cross_validation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/base/refusal.h"
#include "tests/deform/surface/surface_motions.h"

namespace sinew {
namespace {

CrossValidationOptions few_trials() { return {.smoothness = {0, 0.05, 2.5}, .block = 0.25}; }

SurfaceFitOptions quick() {
  SurfaceFitOptions options;
  options.anisotropic = false;
  options.iterations = 40;
  return options;
}

double mean_distance(const SurfaceModel& a, const SurfaceModel& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.rest.size(); ++i) {
    const auto p = to_array(a.parameters[i]), q = to_array(b.parameters[i]);
    for (std::size_t k = 0; k < surface_parameters; ++k) sum += (p[k] - q[k]) * (p[k] - q[k]);
  }
  return std::sqrt(sum / static_cast<double>(a.rest.size()));
}

// What differs from vertex to vertex in such an example is noise, and to be left where it is.
TEST(CrossValidation, NoiseOnEqualFleshWantsSmoothing) {
  SurfaceModel truth = test::tube(9, 8);
  truth.parameters.assign(truth.rest.size(), {.alpha = 0.1, .beta = 0.1, .gamma = 0.02, .lambda = 0.03, .delta = 0.05});
  SurfaceExample example = test::example_of(truth, test::swinging_motion(truth, 90, 0, 0.5));
  double square = 0;
  for (const float d : example.offset) square += static_cast<double>(d) * static_cast<double>(d);
  std::mt19937 generator(3);
  std::normal_distribution<float> noise(
      0.0f, static_cast<float>(std::sqrt(square / static_cast<double>(example.offset.size()))));
  for (float& d : example.offset) d += noise(generator);
  const std::vector<SurfaceExample> examples{example};

  const CrossValidation found = choose_smoothness(truth, examples, quick(), few_trials());
  ASSERT_EQ(found.trials.size(), 3u);
  EXPECT_GT(found.smoothness, 0);
  // Learning by heart: nearer to what was seen, farther from what was not, farther from the truth.
  SurfaceModel by_heart = truth, smooth = truth;
  SurfaceFitOptions options = quick();
  options.smoothness = 0;
  fit_surface(by_heart, examples, options);
  options.smoothness = found.smoothness;
  fit_surface(smooth, examples, options);
  EXPECT_LT(mean_distance(smooth, truth), 0.7 * mean_distance(by_heart, truth)) << found.smoothness;
  for (const SmoothnessTrial& t : found.trials) {
    EXPECT_GE(t.learned, found.trials[0].learned) << t.smoothness << " " << t.unseen;
    EXPECT_GE(t.unseen, t.learned);
  }
}

// Flesh that does differ is not smoothed away.
TEST(CrossValidation, CleanExamplesOfVaryingFleshDoNot) {
  SurfaceModel truth = test::tube(9, 8);
  test::set_smooth_parameters(truth);
  const std::vector<SurfaceExample> examples{test::example_of(truth, test::swinging_motion(truth, 90, 0, 0.5))};
  const CrossValidation found = choose_smoothness(truth, examples, quick(), few_trials());
  EXPECT_LT(found.smoothness, 2.5);
  EXPECT_LT(found.trials[0].unseen, 0.5 * found.trials[2].unseen);
}

TEST(CrossValidation, NeedsSomethingToLeaveOutAndStopsWhenAsked) {
  SurfaceModel truth = test::tube(5, 6);
  test::set_smooth_parameters(truth);
  const std::vector<SurfaceExample> brief{test::example_of(truth, test::swinging_motion(truth, 20))};
  const std::string sentence =
      test::refusal(ErrorKind::usage, [&] { choose_smoothness(truth, brief, quick(), few_trials()); });
  EXPECT_NE(sentence.find("longer"), std::string::npos) << sentence;
  const std::vector<SurfaceExample> examples{test::example_of(truth, test::swinging_motion(truth, 60))};
  int calls = 0;
  const CrossValidation stopped =
      choose_smoothness(truth, examples, quick(), few_trials(), [&](const ProgressReport&) { return ++calls < 20; });
  EXPECT_FALSE(stopped.complete);
}

}  // namespace
}  // namespace sinew
