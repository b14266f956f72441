#include "sinew/deform/surface/fit/seen_range.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/deform/surface/fit/example_frames.h"

namespace sinew {
namespace {

constexpr std::size_t trials = 10;
constexpr double trial_ratio = 0.85;  // of a range to the last one that was tried
constexpr int smoothing_passes = 2;

using TrialErrors = std::array<double, trials>;

// Adds what each vertex is off by in each frame, for every range that is tried.
void add_errors(const SurfaceModel& model, const SurfaceExample& example, std::span<const double> largest,
                std::vector<TrialErrors>& errors) {
  const ExampleFrames frames(model, example);
  if (frames.count() < 2) return;
  PoseTriple pose;
  frames.pose(0, pose.now);
  frames.pose(1, pose.next);
  SurfaceState state = frames.state(0, &pose.before, pose.now, pose.next), after;
  for (std::size_t t = 0; t + 1 < frames.count(); ++t) {
    frames.pose(t + 1, pose.next);
    step_surface(model, pose.now, pose.next, state, after);
    parallel_for(largest.size(), surface_grain, [&](std::size_t i) {
      const Vec3 away = after.position[i] - pose.next.goal[i], offset = frames.offset(t + 1, i);
      double range = std::max(largest[i], 1e-9);
      for (std::size_t k = 0; k < trials; ++k, range *= trial_ratio)
        errors[i][k] += frames.weight(t + 1, i) * squared_norm(shown_offset(away, 1 / (range * range)) - offset);
    });
    std::swap(state, after);
    pose.advance();
  }
}

// Flesh side by side stays together where it is at its range.
void smooth(const SurfaceModel& model, std::span<const double> largest, std::vector<double>& range) {
  for (int pass = 0; pass < smoothing_passes; ++pass) {
    const std::vector<double> before = range;
    for (std::size_t i = 0; i < range.size(); ++i) {
      double sum = before[i];
      for (int k = model.first_neighbour[i]; k < model.first_neighbour[i + 1]; ++k)
        sum += before[static_cast<std::size_t>(model.neighbours[static_cast<std::size_t>(k)])];
      range[i] = std::min(sum / (1 + model.first_neighbour[i + 1] - model.first_neighbour[i]), largest[i]);
    }
  }
}

}  // namespace

void set_seen_range(SurfaceModel& model, std::span<const SurfaceExample> examples, double margin) {
  std::vector<double> squared(model.rest.size());
  for (const SurfaceExample& example : examples) {
    const ExampleFrames frames(model, example);
    for (std::size_t t = 0; t < frames.count(); ++t)
      for (std::size_t i = 0; i < squared.size(); ++i)
        if (frames.weight(t, i) > 0) squared[i] = std::max(squared[i], squared_norm(frames.offset(t, i)));
  }
  model.range.clear();
  for (const double s : squared) model.range.push_back(std::min(margin * std::sqrt(s), model.reach));
}

void fit_range(SurfaceModel& model, std::span<const SurfaceExample> examples, double margin) {
  set_seen_range(model, examples, margin);
  const std::vector<double> largest = model.range;
  std::vector<TrialErrors> errors(largest.size());
  for (const SurfaceExample& example : examples) add_errors(model, example, largest, errors);
  for (std::size_t i = 0; i < largest.size(); ++i) {
    const auto best = std::min_element(errors[i].begin(), errors[i].end()) - errors[i].begin();
    model.range[i] = largest[i] * std::pow(trial_ratio, static_cast<double>(best));
  }
  smooth(model, largest, model.range);
}

}  // namespace sinew
