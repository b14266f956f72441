#include "sinew/cook/amount.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/cook/look.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

constexpr std::size_t most_vertices = 64, most_clips = 12;
constexpr double sampled_seconds = 2, sampling_interval = 1.0 / 60;
constexpr double quantile = 0.95;
constexpr int bisections = 12;  // of the interval in which the factor is looked for

// Evenly from [0, count), at most `most`.
std::vector<int> evenly(std::size_t count, std::size_t most) {
  const std::size_t picked = std::min(count, most);
  std::vector<int> result;
  for (std::size_t k = 0; k < picked; ++k) result.push_back(static_cast<int>(k * count / picked));
  return result;
}

std::vector<Vec3> accelerations(const Character& character, const SimulationSurface& surface, const Clip& clip,
                                std::span<const int> vertices) {
  const auto times = static_cast<std::size_t>(std::min(clip.end - clip.start, sampled_seconds) / sampling_interval) + 1;
  std::vector<Vec3> rest;
  std::vector<Influences> influences;
  for (const int v : vertices) {
    rest.push_back(surface.rest.positions[static_cast<std::size_t>(v)]);
    influences.push_back(surface.influences[static_cast<std::size_t>(v)]);
  }
  SamplingSpace space;
  Pose pose;
  std::vector<Affine> bones(surface.bones.size());
  std::vector<Vec3> path(times * rest.size());
  for (std::size_t t = 0; t < times; ++t) {
    sample(character.skeleton, &clip, clip.start + static_cast<double>(t) * sampling_interval, space, pose);
    bone_transforms(character, surface.bones, pose, bones);
    linear_blend(rest, influences, bones, std::span(path).subspan(t * rest.size(), rest.size()));
  }
  std::vector<Vec3> result;
  for (std::size_t k = rest.size(); k + rest.size() < path.size(); ++k)
    result.push_back((path[k - rest.size()] - 2.0 * path[k] + path[k + rest.size()]) / (sampling_interval * sampling_interval));
  return result;
}

// The farthest that a point is shown: u'' + 2 zeta omega u' + omega^2 u = -a by the trapezoidal rule, from rest.
double farthest(std::span<const Vec3> acceleration, std::size_t first, std::size_t stride, const Swing& swing,
                double damping_ratio, double interval) {
  if (swing.sag <= 0) return 0;
  const double omega = std::sqrt(standard_gravity / swing.sag), h = interval;
  const double damping = 2 * damping_ratio * omega, stiffness = omega * omega;
  const double divisor = 1 + 0.5 * h * damping + 0.25 * h * h * stiffness;
  Vec3 u, v, a;
  double most = 0;
  for (std::size_t k = first; k < acceleration.size(); k += stride) {
    const Vec3 at = u + h * v + (0.25 * h * h) * a, speed = v + (0.5 * h) * a;
    a = (-1.0 * acceleration[k] - damping * speed - stiffness * at) / divisor;
    u = at + (0.25 * h * h) * a;
    v = speed + (0.5 * h) * a;
    most = std::max(most, squared_norm(u));
  }
  return std::sqrt(most / (1 + most / (swing.limit * swing.limit)));
}

}  // namespace

SampledMotion sample_motion(const Character& character, const SimulationSurface& surface) {
  SampledMotion motion;
  motion.vertices = evenly(surface.rest.positions.size(), most_vertices);
  motion.interval = sampling_interval;
  const std::vector<int> chosen = evenly(character.clips.size(), most_clips);
  motion.clips.resize(chosen.size());
  parallel_for(chosen.size(), 1, [&](std::size_t k) {
    const Clip& clip = character.clips[static_cast<std::size_t>(chosen[k])];
    motion.clips[k] = {clip.name, accelerations(character, surface, clip, motion.vertices)};
  });
  return motion;
}

std::vector<double> seen_in_clips(const SampledMotion& motion, std::span<const Swing> swings, double damping_ratio) {
  std::vector<double> seen(motion.clips.size(), 0.0);
  parallel_for(motion.clips.size(), 1, [&](std::size_t c) {
    std::vector<double> most;
    for (std::size_t p = 0; p < swings.size(); ++p)
      most.push_back(farthest(motion.clips[c].acceleration, p, swings.size(), swings[p], damping_ratio, motion.interval));
    if (most.empty()) return;
    const auto place = most.begin() + static_cast<std::ptrdiff_t>(quantile * static_cast<double>(most.size() - 1));
    std::nth_element(most.begin(), place, most.end());
    seen[c] = *place;
  });
  return seen;
}

double amount_factor(const SampledMotion& motion, std::span<const Swing> swings, double damping_ratio, double seen,
                     double least, double most) {
  constexpr double moves = 0.01;  // of what shall be seen: a clip with less in the softest flesh is a still
  std::vector<Swing> scaled(swings.begin(), swings.end());
  const auto median = [&](double factor) {
    for (std::size_t p = 0; p < scaled.size(); ++p) scaled[p].sag = factor * swings[p].sag;
    std::vector<double> shown = seen_in_clips(motion, scaled, damping_ratio);
    std::erase_if(shown, [&](double clip) { return clip < moves * seen; });
    if (shown.empty()) return -1.0;
    std::sort(shown.begin(), shown.end());
    return std::sqrt(shown[(shown.size() - 1) / 2] * shown[shown.size() / 2]);
  };
  const double softest = median(most);
  if (softest < 0) return 1;
  if (softest <= seen) return most;
  if (median(least) >= seen) return least;
  double low = std::log(least), high = std::log(most);
  for (int k = 0; k < bisections; ++k) {
    const double middle = 0.5 * (low + high);
    (median(std::exp(middle)) < seen ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

}  // namespace sinew
