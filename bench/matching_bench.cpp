// Motion matching, one thread: the nearest of 10,000 and of 100,000 frames, with boxes and without, and a whole frame
// of a body of 60 joints that wishes steer.
#include <benchmark/benchmark.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "sinew/kinematics/matching/feature_table.h"

namespace {

using namespace sinew;

constexpr std::size_t width = 28;

// Features of limbs that swing at paces that change, in clips of 250 frames.
std::vector<float> features(std::size_t rows) {
  std::vector<float> values;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(0, 1);
  double pace = 1, speed = 0, turn = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    if (row % 250 == 0) pace = 0.5 + any(random), speed = 3 * any(random), turn = any(random) - 0.5;
    const double phase = 6 * pace * static_cast<double>(row % 250) / 30;
    for (std::size_t d = 0; d < width; ++d) {
      const double own = static_cast<double>(d);
      values.push_back(static_cast<float>(d < 16 ? std::sin(phase + 0.7 * own + std::sin(0.3 * phase + own))
                                                 : speed * std::cos(turn * own) + 0.2 * std::sin(phase + own)));
    }
  }
  return values;
}

template <bool with_boxes, bool goes_on>
void nearest_frame(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const std::vector<float> values = features(rows);
  const FeatureTable table(values, width, std::vector<float>(rows, 0.0F));
  // Each query has the pose of a frame, with wishes that are nearly its own or those of another frame.
  std::mt19937 random(4);
  std::vector<std::vector<float>> queries;
  std::vector<float> most;
  std::normal_distribution<float> noise(0, 0.1F);
  for (int k = 0; k < 256; ++k) {
    const std::size_t pose = random() % rows, wish = goes_on ? pose : random() % rows;
    std::vector<float> query;
    float now = 0;
    for (std::size_t d = 0; d < width; ++d) {
      query.push_back(values[(d < 16 ? pose : wish) * width + d]);
      if (d >= 16) query.back() += noise(random);
      const float away = values[pose * width + d] - query.back();
      now += away * away;
    }
    queries.push_back(query);
    most.push_back(now);
  }
  std::size_t at = 0;
  for (auto _ : state) {
    const std::size_t k = at++ % queries.size();
    benchmark::DoNotOptimize(with_boxes ? table.nearest(queries[k], most[k])
                                        : table.nearest_of_all(queries[k], most[k]));
  }
  state.counters["bytes"] = static_cast<double>(table.bytes());
}

constexpr auto microseconds = benchmark::kMicrosecond;
BENCHMARK(nearest_frame<true, true>)->Name("goes on, boxes")->Arg(10000)->Arg(100000)->Unit(microseconds);
BENCHMARK(nearest_frame<false, true>)->Name("goes on, all frames")->Arg(10000)->Arg(100000)->Unit(microseconds);
BENCHMARK(nearest_frame<true, false>)->Name("changes, boxes")->Arg(10000)->Arg(100000)->Unit(microseconds);
BENCHMARK(nearest_frame<false, false>)->Name("changes, all frames")->Arg(10000)->Arg(100000)->Unit(microseconds);

}  // namespace
