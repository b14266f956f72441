#include "sinew/deform/surface/fit/cross_validation.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr int folds = 2;

std::size_t frames_of_block(const SurfaceModel& model, const CrossValidationOptions& how) {
  return std::max<std::size_t>(static_cast<std::size_t>(std::lround(how.block / model.step)), 2);
}

// Copies of the examples in which only frames of one fold count, or only all others.
std::vector<SurfaceExample> weighted(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                                     std::size_t block, int fold, bool inside) {
  std::vector<SurfaceExample> result(examples.begin(), examples.end());
  const std::size_t n = model.rest.size();
  for (SurfaceExample& example : result) {
    const std::size_t frames = example.motion.bones.size();
    if (example.weight.empty()) example.weight.assign(frames * n, 1.0f);
    for (std::size_t t = 0; t < frames; ++t) {
      const bool of_fold = static_cast<int>(t / block % folds) == fold;
      if (of_fold != inside) std::fill_n(example.weight.begin() + static_cast<std::ptrdiff_t>(t * n), n, 0.0f);
    }
    example.rig_sum = -1;  // which is that of all frames
  }
  return result;
}

// Sums over folds.
struct Sums {
  SurfaceError learned, unseen;
};

void add(SurfaceError& sum, const SurfaceError& e) {
  sum.sum += e.sum;
  sum.goal_sum += e.goal_sum;
}

double share_left(const SurfaceError& e) { return e.goal_sum > 0 ? std::sqrt(e.sum / e.goal_sum) : 0; }

}  // namespace

CrossValidation choose_smoothness(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                                  const SurfaceFitOptions& options, const CrossValidationOptions& how,
                                  const Progress& progress) {
  const std::size_t block = frames_of_block(model, how);
  if (std::none_of(examples.begin(), examples.end(),
                   [&](const SurfaceExample& e) { return e.motion.bones.size() > 2 * block; }))
    throw usage_error(
        "--cross-validate: no example is as long as two of the blocks that are left out, so that there is nothing to "
        "be left out; "
        "name a longer one, or choose with --smoothness.");
  CrossValidation result;
  result.trials.reserve(how.smoothness.size());
  std::vector<Sums> sums(how.smoothness.size());
  const double fits = static_cast<double>(folds * how.smoothness.size());
  for (int fold = 0; fold < folds; ++fold) {
    const std::vector<SurfaceExample> learned = weighted(model, examples, block, fold, false),
                                      unseen = weighted(model, examples, block, fold, true);
    for (std::size_t k = 0; k < how.smoothness.size(); ++k) {
      const double done = static_cast<double>(static_cast<std::size_t>(fold) * how.smoothness.size() + k);
      SurfaceFitOptions trial = options;
      trial.smoothness = how.smoothness[k];
      SurfaceModel tried = model;
      if (!fit_surface(tried, learned, trial, part_of(progress, done / fits, (done + 1) / fits)).complete) {
        result.complete = false;
        return result;
      }
      add(sums[k].learned, surface_error(tried, learned, {}));
      add(sums[k].unseen, surface_error(tried, unseen, {}));
    }
  }
  for (std::size_t k = 0; k < sums.size(); ++k)
    result.trials.push_back({how.smoothness[k], share_left(sums[k].learned), share_left(sums[k].unseen)});
  result.smoothness = std::min_element(result.trials.begin(), result.trials.end(), [](const auto& a, const auto& b) {
                        return a.unseen < b.unseen;
                      })->smoothness;
  return result;
}

}  // namespace sinew
