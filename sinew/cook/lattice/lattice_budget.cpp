#include "sinew/cook/lattice/lattice_budget.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/base/stopwatch.h"
#include "sinew/deform/lattice/lattice_flesh.h"

namespace sinew {
namespace {

constexpr int warm_up = 4, measured_steps = 15, budget_halvings = 5;
constexpr double least_threshold = 1e-9;  // strain so small that all moving flesh asks for detail

// Median time of a step, milliseconds, that solves for the `functions` most strained functions. It steps the motion
// directly, because a deformer would need the scene that this body is still being cooked for.
double time_of_step(const std::shared_ptr<LatticeBody>& body, std::size_t bones, int functions) {
  const LatticeAdaptation kept = body->run.adaptation;
  std::fill(body->run.adaptation.threshold.begin(), body->run.adaptation.threshold.end(), least_threshold);
  body->run.adaptation.most_functions = functions;
  const std::unique_ptr<BodyMotion> flesh = lattice_flesh(body);
  const double h = flesh->step();
  double height = 0;
  for (const Vec3& place : body->description.place) height = std::max(height, norm(place - body->description.place[0]));
  const auto pose = [&](double time) {
    // The distance that a character's trunk moves in a brisk walking step, with rotation.
    constexpr double share = 0.03, rate = 20, angle = 0.2;
    Affine motion;
    const double turn = angle * std::sin(rate * time);
    motion.linear = Mat3{{std::cos(turn), 0, std::sin(turn), 0, 1, 0, -std::sin(turn), 0, std::cos(turn)}};
    motion.translation = {0, share * height * std::sin(rate * time), 0};
    return std::vector<Affine>(bones, motion);
  };
  const std::vector<Affine> first = pose(0), second = pose(h);
  flesh->reset({0, first}, {h, second});
  std::vector<double> times;
  for (int step = 1; step <= warm_up + measured_steps; ++step) {
    const std::vector<Affine> now = pose(step * h);
    Stopwatch watch;
    flesh->advance({step * h, now});
    if (step > warm_up) times.push_back(1e3 * watch.lap());
  }
  body->run.adaptation = kept;
  std::nth_element(times.begin(), times.begin() + measured_steps / 2, times.end());
  return times[measured_steps / 2];
}

}  // namespace

int functions_within(double milliseconds, const std::shared_ptr<LatticeBody>& body, std::size_t bones) {
  const LatticeDescription& d = body->description;
  int coarse = 0;
  for (std::size_t f = 0; f < static_cast<std::size_t>(d.coarse_functions); ++f)
    coarse += d.role[f] == FunctionRole::free;
  const auto all = static_cast<int>(body->free_functions());
  if (time_of_step(body, bones, all) <= milliseconds) return all;
  int low = std::max(coarse, 1), high = all;
  for (int round = 0; round < budget_halvings; ++round) {
    const int middle = low + (high - low) / 2;
    (time_of_step(body, bones, middle) <= milliseconds ? low : high) = middle;
  }
  return low;
}

}  // namespace sinew
