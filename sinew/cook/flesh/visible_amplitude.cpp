#include "sinew/cook/flesh/visible_amplitude.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/threads/parallel.h"
#include "sinew/cook/flesh/material_preset.h"
#include "sinew/rig/clip_motion.h"
#include "sinew/rig/sampled_surface.h"

namespace sinew {
namespace {

constexpr std::size_t most_vertices = 64, most_clips = 12;
constexpr double sampled_seconds = 2, longest_seconds = 30, sampling_interval = 1.0 / 60;
constexpr double quantile = 0.95, lively_quantile = 0.5;
constexpr double but_for_blows = 0.9;  // share of the times that is kept: footfalls and keys that jump take fewer
constexpr double moves =
    0.01;  // share of the wanted amplitude, or of the liveliest clip's: clips with less count as standing still
constexpr int bisections = 12;  // of the interval that contains the factor

// Acceleration of the motion that physics follows; zero across cuts, over which flesh is carried.
std::vector<Vec3> accelerations(const Character& character, const SimulationSurface& surface, const Clip& clip,
                                double begin, double seconds) {
  const ClipMotion motion = clip_motion(character, surface, clip);
  SampledSurface points(character, surface, most_vertices, SampledSurface::Of::main_figure);
  const auto times = static_cast<std::size_t>(seconds / sampling_interval) + 1;
  const std::size_t n = points.size();
  std::vector<Vec3> path(times * n);
  const auto time = [&](std::size_t t) { return begin + static_cast<double>(t) * sampling_interval; };
  for (std::size_t t = 0; t < times; ++t) points.at(motion.driving(clip), time(t), std::span(path).subspan(t * n, n));
  std::vector<Vec3> result;
  for (std::size_t t = 1; t + 1 < times; ++t) {
    const bool cut = motion.is_cut(time(t - 1), time(t + 1));
    for (std::size_t k = t * n; k < (t + 1) * n; ++k)
      result.push_back(cut ? Vec3{}
                           : (path[k - n] - 2.0 * path[k] + path[k + n]) / (sampling_interval * sampling_interval));
  }
  return result;
}

double quantile_of(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

// Amplitude that a point stays below in `but_for_blows` of the times: u'' + 2 zeta omega u' + omega^2 u = -a, by the
// trapezoidal rule, from rest.
double farthest(std::span<const Vec3> acceleration, std::size_t first, std::size_t stride, const Swing& swing,
                double damping_ratio, double interval, double share) {
  if (swing.sag <= 0) return 0;
  const double omega = std::sqrt(standard_gravity / swing.sag), h = interval;
  const double damping = 2 * damping_ratio * omega, stiffness = omega * omega;
  const double divisor = 1 + 0.5 * h * damping + 0.25 * h * h * stiffness;
  Vec3 u, v, a;
  std::vector<double> squared;
  for (std::size_t k = first; k < acceleration.size(); k += stride) {
    const Vec3 at = u + h * v + (0.25 * h * h) * a, speed = v + (0.5 * h) * a;
    a = (-1.0 * acceleration[k] - damping * speed - stiffness * at) / divisor;
    u = at + (0.25 * h * h) * a;
    v = speed + (0.5 * h) * a;
    squared.push_back(squared_norm(u));
  }
  return std::sqrt(quantile_of(std::move(squared), share));
}

double displayed(double displacement, double limit) {
  return displacement / std::sqrt(1 + displacement * displacement / (limit * limit));
}

// Amplitude in tissue that stiffens of a swing that would have this linear amplitude: the same forces move it by x with
// x (1 + (e - 1) x^2 / L^2) = linear, by Newton's method from above.
double stiffened(double linear, double length) {
  const double k = (std::numbers::e - 1) / (length * length);
  double x = linear;
  for (int step = 0; step < 40; ++step) {
    const double next = x - (x * (1 + k * x * x) - linear) / (1 + 3 * k * x * x);
    if (!(next < x * (1 - 1e-9))) break;
    x = next;
  }
  return x;
}

double visible(double linear, const Swing& swing) {
  return std::isfinite(swing.stiffening) ? stiffened(linear, swing.stiffening) : displayed(linear, swing.limit);
}

// Amplitudes of every vertex, per clip.
std::vector<std::vector<double>> farthest_in_clips(const SampledMotion& motion, std::span<const Swing> swings,
                                                   double damping_ratio, double share) {
  std::vector<std::vector<double>> most(motion.clips.size());
  parallel_for(motion.clips.size(), 1, [&](std::size_t c) {
    for (std::size_t p = 0; p < swings.size(); ++p)
      most[c].push_back(
          farthest(motion.clips[c].acceleration, p, swings.size(), swings[p], damping_ratio, motion.interval, share));
  });
  return most;
}

}  // namespace

double reach_of(double limit, double longest) {
  constexpr double plainly_seen = 0.01;
  return std::clamp(plainly_seen * longest / limit, 1.0, 2.0) * limit;
}

SampledMotion sample_motion(const Character& character, const SimulationSurface& surface) {
  SampledMotion motion;
  motion.vertices = SampledSurface(character, surface, most_vertices, SampledSurface::Of::main_figure).vertices();
  motion.interval = sampling_interval;
  const std::vector<int> chosen = spread_evenly(character.clips.size(), most_clips);
  motion.clips.resize(chosen.size());
  parallel_for(chosen.size(), 1, [&](std::size_t k) {
    const Clip& clip = character.clips[static_cast<std::size_t>(chosen[k])];
    motion.clips[k] = {clip.name, accelerations(character, surface, clip, clip.start,
                                                std::min(clip.end - clip.start, sampled_seconds))};
  });
  return motion;
}

SampledMotion sample_motion(const Character& character, const SimulationSurface& surface, int clip, double begin,
                            double end) {
  SampledMotion motion;
  motion.vertices = SampledSurface(character, surface, most_vertices, SampledSurface::Of::main_figure).vertices();
  motion.interval = sampling_interval;
  const Clip& played = character.clips[static_cast<std::size_t>(clip)];
  const double seconds = std::clamp(end - begin, 0.0, longest_seconds);
  motion.clips.push_back({played.name, accelerations(character, surface, played, begin, seconds)});
  return motion;
}

std::vector<double> visible_amplitudes(const SampledMotion& motion, std::span<const Swing> swings,
                                       double damping_ratio) {
  std::vector<double> seen;
  for (std::vector<double>& most : farthest_in_clips(motion, swings, damping_ratio, 1)) {
    for (std::size_t p = 0; p < most.size(); ++p) most[p] = visible(most[p], swings[p]);
    seen.push_back(quantile_of(std::move(most), quantile));
  }
  return seen;
}

std::vector<double> lively_swings(const SampledMotion& motion, std::span<const Swing> swings, double damping_ratio) {
  std::vector<std::vector<double>> clips = farthest_in_clips(motion, swings, damping_ratio, but_for_blows);
  double liveliest = 0;
  for (const std::vector<double>& clip : clips) liveliest = std::max(liveliest, quantile_of(clip, quantile));
  std::erase_if(clips,
                [&](const std::vector<double>& clip) { return quantile_of(clip, quantile) <= moves * liveliest; });
  std::vector<double> result(swings.size(), 0.0), of_clips(clips.size());
  for (std::size_t p = 0; p < result.size(); ++p) {
    for (std::size_t c = 0; c < clips.size(); ++c) of_clips[c] = clips[c][p];
    result[p] = quantile_of(of_clips, lively_quantile);
  }
  return result;
}

double sag_factor(const SampledMotion& motion, std::span<const Swing> swings, double damping_ratio,
                  const WantedAmplitude& wanted, double least, double most) {
  std::vector<Swing> scaled(swings.begin(), swings.end());
  double liveliest = 0;
  const auto median = [&](double factor) {
    for (std::size_t p = 0; p < scaled.size(); ++p) scaled[p].sag = factor * swings[p].sag;
    std::vector<double> amplitudes = visible_amplitudes(motion, scaled, damping_ratio);
    std::erase_if(amplitudes, [&](double clip) { return clip < moves * wanted.median; });
    if (amplitudes.empty()) return -1.0;
    std::sort(amplitudes.begin(), amplitudes.end());
    liveliest = amplitudes.back();
    return std::sqrt(amplitudes[(amplitudes.size() - 1) / 2] * amplitudes[amplitudes.size() / 2]);
  };
  // Swing over reach, median over the vertices. Uses `scaled` as scratch.
  const auto lively = [&] {
    std::vector<double> shares = lively_swings(motion, scaled, damping_ratio);
    for (std::size_t p = 0; p < shares.size(); ++p) shares[p] /= scaled[p].reach;
    return quantile_of(std::move(shares), 0.5);
  };
  if (median(most) < 0) return 1;
  const auto enough = [&](double factor) {
    return median(factor) >= wanted.median || liveliest >= wanted.largest || lively() >= 1;
  };
  if (!enough(most)) return most;
  if (enough(least)) return least;
  double low = std::log(least), high = std::log(most);
  for (int k = 0; k < bisections; ++k) {
    const double middle = 0.5 * (low + high);
    (enough(std::exp(middle)) ? high : low) = middle;
  }
  return std::exp(0.5 * (low + high));
}

}  // namespace sinew
