#include "studies/truth/performance.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/base/stopwatch.h"
#include "sinew/character/clip.h"
#include "sinew/rig/linear_blend.h"
#include "studies/common/measures.h"

namespace sinew {
namespace {

// Squared residual of the least-squares fit of e^(-d w t) (A cos + B sin) for one frequency and damping.
double left_over(std::span<const double> samples, double interval, double frequency, double damping) {
  const double w = 2 * std::numbers::pi * frequency, wd = w * std::sqrt(1 - damping * damping);
  double cc = 0, cs = 0, ss = 0, cx = 0, sx = 0, xx = 0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const double t = static_cast<double>(k) * interval, fade = std::exp(-damping * w * t), x = samples[k];
    const double c = fade * std::cos(wd * t), s = fade * std::sin(wd * t);
    cc += c * c, cs += c * s, ss += s * s, cx += c * x, sx += s * x, xx += x * x;
  }
  const double det = cc * ss - cs * cs;
  if (!(det > 1e-12 * cc * ss)) return xx;
  const double a = (ss * cx - cs * sx) / det, b = (cc * sx - cs * cx) / det;
  return std::max(0.0, xx - a * cx - b * sx);
}

}  // namespace

std::vector<Affine> RigMotion::at(double seconds) const {
  const double time = clip.start + std::min(seconds, stop);
  return bone_transforms(character, surface, sample(character.skeleton, &clip, time));
}

Performance perform(Deformer& deformer, const RigMotion& motion, double seconds, double frames_per_second,
                    const Progress& progress) {
  const double h = deformer.step() > 0 ? deformer.step() : 1 / frames_per_second;
  const auto steps = static_cast<int>(std::lround(1 / (h * frames_per_second)));
  const auto frames = static_cast<int>(std::lround(seconds * frames_per_second));
  const std::vector<Affine> first = motion.at(0), second = motion.at(h);
  Performance result;
  std::vector<double> step_times, show_times;
  std::vector<Vec3> shown(motion.surface.rest.positions.size());
  deformer.reset({0, first}, {h, second});
  for (int k = 1; k <= steps * frames; ++k) {
    const double time = k * h;
    const std::vector<Affine> bones = motion.at(time);
    const RigState rig{time, bones};
    Stopwatch watch;
    deformer.advance(rig, {});
    step_times.push_back(1e6 * watch.lap());
    if (k % steps != 0) continue;
    deformer.displacements(rig, 0, shown);
    show_times.push_back(1e6 * watch.lap());
    result.frames.push_back(shown);
    report_or_stop(progress, "playing", static_cast<double>(k) / (steps * frames));
  }
  result.step_microseconds = median(step_times);
  result.show_microseconds = median(show_times);
  return result;
}

double root_mean_square(const Displacements& frames) {
  double sum = 0, count = 0;
  for (const std::vector<Vec3>& frame : frames)
    for (const Vec3& d : frame) sum += dot(d, d), count += 1;
  return count > 0 ? std::sqrt(sum / count) : 0;
}

double largest(const Displacements& frames) {
  double result = 0;
  for (const std::vector<Vec3>& frame : frames)
    for (const Vec3& d : frame) result = std::max(result, norm(d));
  return result;
}

Displacements difference(const Displacements& a, const Displacements& b) {
  Displacements result = a;
  for (std::size_t f = 0; f < a.size(); ++f)
    for (std::size_t v = 0; v < a[f].size(); ++v) result[f][v] -= b.at(f).at(v);
  return result;
}

double fastest_moment(const RigMotion& motion, double seconds) {
  constexpr double interval = 1.0 / 60;
  const std::vector<Vec3>& rest = motion.surface.rest.positions;
  std::vector<Vec3> before(rest.size()), now(rest.size());
  double best = -1, moment = seconds;
  linear_blend(rest, motion.surface.influences, motion.at(0), before);
  for (int k = 1; k * interval <= seconds + 1e-9; ++k) {
    linear_blend(rest, motion.surface.influences, motion.at(k * interval), now);
    double sum = 0;
    for (std::size_t v = 0; v < rest.size(); ++v) sum += squared_norm(now[v] - before[v]);
    if (sum > best && k * interval >= seconds / 3) best = sum, moment = k * interval;
    before.swap(now);
  }
  return moment;
}

std::vector<Vec3> principal_motion(const Displacements& frames) {
  constexpr int iterations = 50;
  std::vector<Vec3> motion;
  double most = -1;
  for (const std::vector<Vec3>& frame : frames) {
    double sum = 0;
    for (const Vec3& d : frame) sum += dot(d, d);
    if (sum > most) most = sum, motion = frame;
  }
  for (int k = 0; k < iterations; ++k) {
    const std::vector<double> amounts = along(frames, motion);
    std::vector<Vec3> next(motion.size());
    double squared = 0;
    for (std::size_t f = 0; f < frames.size(); ++f)
      for (std::size_t v = 0; v < next.size(); ++v) next[v] += amounts[f] * frames[f][v];
    for (const Vec3& d : next) squared += dot(d, d);
    if (!(squared > 0)) break;
    for (Vec3& d : next) d *= 1 / std::sqrt(squared);
    motion = std::move(next);
  }
  return motion;
}

std::vector<double> along(const Displacements& frames, std::span<const Vec3> motion) {
  std::vector<double> result;
  for (const std::vector<Vec3>& frame : frames) {
    double sum = 0;
    for (std::size_t v = 0; v < frame.size(); ++v) sum += dot(frame[v], motion[v]);
    result.push_back(sum);
  }
  return result;
}

Ringing ringing(std::span<const double> samples, double interval, double about) {
  double best = HUGE_VAL, all = 0;
  Ringing result{about, 0.1, 1};
  for (const double x : samples) all += x * x;
  const auto attempt = [&](double frequency, double damping) {
    if (!(damping > 0 && damping < 0.95)) return;
    const double left = left_over(samples, interval, frequency, damping);
    if (left < best) best = left, result.frequency = frequency, result.damping = damping;
  };
  for (int k = -40; k <= 40; ++k)
    for (int d = 1; d <= 16; ++d) attempt(about * std::pow(4.0, k / 40.0), 0.04 * d);
  for (double reach = 0.03; reach > 1e-6; reach *= 0.7) {
    const Ringing at = result;
    for (int i = -2; i <= 2; ++i)
      for (int j = -2; j <= 2; ++j) attempt(at.frequency * (1 + i * reach), at.damping + j * reach);
  }
  result.left = all > 0 ? std::sqrt(std::max(0.0, best) / all) : 0;
  return result;
}

}  // namespace sinew
