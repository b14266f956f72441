#include "sinew/cook/flesh/decide_step.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/cook/flesh/material_preset.h"

namespace sinew {
namespace {

// Least numbers of steps in a period of the whole flesh, and of its visible swings where clips are played: with these
// steps flesh is within 5 % of its converged motion (docs/truth.md). Longer steps than the usual one resolve clips
// themselves less, and need more.
constexpr double fewest_of_whole = 20, fewest_of_visible = 22, fewest_of_slow = 28;
constexpr double longest_step = 2 * usual_step, shortest_step = usual_step / 4;

bool is_acted_on(const FleshSettings& settings) {
  return !ActingSettings{settings.ground, settings.colliders, settings.grabs, settings.belts, settings.loads}.empty();
}

// The usual step, or what is left of it when it is halved until a period of the whole flesh has enough steps.
double step_for_whole(double frequency) {
  double step = usual_step;
  while (step > shortest_step && step * frequency * fewest_of_whole > 1) step /= 2;
  return step;
}

}  // namespace

double visible_frequency(std::span<const Swing> swings) {
  double sum = 0, squares = 0;
  for (const Swing& swing : swings) {
    sum += swing.sag;
    squares += swing.sag * swing.sag;
  }
  return squares > 0 ? std::sqrt(standard_gravity * sum / squares) / (2 * std::numbers::pi) : 0;
}

double decide_step(const FleshSettings& settings, double frequency, std::span<const Swing> swings, SteppedFor what) {
  if (settings.step) return *settings.step;
  if (!stiffens(settings)) return usual_step;
  if (what == SteppedFor::sessions || is_acted_on(settings)) return step_for_whole(frequency);
  const double visible = visible_frequency(swings);
  if (longest_step * visible * fewest_of_slow <= 1) return longest_step;
  const double step = step_for_whole(frequency);
  // Visible swings halve the step once: shorter steps add up what each leaves unsolved, and come no nearer.
  return usual_step * visible * fewest_of_visible > 1 ? std::min(step, usual_step / 2) : step;
}

}  // namespace sinew
