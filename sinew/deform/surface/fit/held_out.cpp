#include "sinew/deform/surface/fit/held_out.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr std::size_t least_frames = 8;
constexpr int last_iterations = 6;     // with everything, from what was learned without
constexpr double share_without = 0.8;  // of the time

using Weights = std::vector<float>;

// `of_held_out`: frames that are held out, or all others of that example.
Weights weights_of(const SurfaceModel& model, const SurfaceExample& example, std::size_t begin, bool of_held_out) {
  const std::size_t n = model.rest.size(), frames = example.motion.bones.size();
  Weights weights = example.weight.empty() ? Weights(frames * n, 1.0f) : example.weight;
  const auto border = weights.begin() + static_cast<std::ptrdiff_t>(begin * n);
  if (of_held_out)
    std::fill(weights.begin(), border, 0.0f);
  else
    std::fill(border, weights.end(), 0.0f);
  return weights;
}

}  // namespace

HeldOut choose_held_out(std::span<const SurfaceExample> examples, std::size_t performances) {
  HeldOut held_out;
  if (performances == 0) return held_out;
  held_out.example = performances - 1;
  const std::size_t frames = examples[held_out.example].motion.bones.size();
  held_out.whole = performances > 1;
  held_out.begin = held_out.whole ? 0 : frames - frames / 4;
  held_out.any = frames - held_out.begin >= least_frames;
  return held_out;
}

SurfaceFitResult fit_with_held_out(SurfaceModel& model, std::span<SurfaceExample> examples,
                                   const SurfaceFitOptions& options, HeldOut& held_out, const Progress& progress) {
  SurfaceExample& example = examples[held_out.example];
  const Weights own = example.weight;
  Weights without = weights_of(model, example, held_out.begin, false),
          alone = weights_of(model, example, held_out.begin, true);
  example.weight = std::move(without);
  const Progress first = part_of(progress, 0, share_without);
  SurfaceFitResult learned;
  try {
    learned = fit_surface(model, examples, options, first);
  } catch (...) {
    example.weight = own;
    throw;
  }
  example.weight = std::move(alone);
  if (learned.complete) held_out.error = surface_error(model, {&example, 1}, {});
  example.weight = own;
  if (!learned.complete) return learned;
  SurfaceFitOptions rest = options;
  rest.iterations = options.iterations > 0 ? std::min(options.iterations, last_iterations) : last_iterations;
  SurfaceFitResult all = continue_fit(model, examples, rest, part_of(progress, share_without, 1));
  all.stages.insert(all.stages.begin(), learned.stages.begin(), learned.stages.end());
  all.iterations += learned.iterations;
  all.converged = learned.converged;
  return all;
}

}  // namespace sinew
