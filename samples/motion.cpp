#include "motion.h"

#include <algorithm>
#include <cmath>

#include "exact_math.h"

namespace sinew::samples {

Curve::Curve(std::initializer_list<Key> keys) : keys_(keys) {
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i].slope < Key::no_slope) continue;
    keys_[i].slope = 0;
    if (i == 0 || i + 1 == keys_.size()) continue;
    const double before = (keys_[i].value - keys_[i - 1].value) / (keys_[i].time - keys_[i - 1].time);
    const double after = (keys_[i + 1].value - keys_[i].value) / (keys_[i + 1].time - keys_[i].time);
    // Harmonic mean, which keeps the curve monotone between keys (Fritsch and Butland 1984).
    if (before * after > 0) keys_[i].slope = 2 * before * after / (before + after);
  }
}

double Curve::operator()(double time) const {
  if (time <= keys_.front().time) return keys_.front().value;
  if (time >= keys_.back().time) return keys_.back().value;
  std::size_t i = 0;
  while (keys_[i + 1].time < time) ++i;
  const Key &a = keys_[i], &b = keys_[i + 1];
  const double h = b.time - a.time, t = (time - a.time) / h, s = 1 - t;
  return a.value * s * s * (1 + 2 * t) + b.value * t * t * (1 + 2 * s) + h * t * s * (a.slope * s - b.slope * t);
}

namespace {

double deviation(const Vec3& a, const Vec3& b, double t, const Vec3& value) { return distance(mix(a, b, t), value); }
double deviation(const Quat& a, const Quat& b, double t, const Quat& value) {
  const Quat between = blend(a, b, t);
  const double sign = dot(between, value) < 0 ? -1 : 1;
  const Quat error{between.x - sign * value.x, between.y - sign * value.y, between.z - sign * value.z,
                   between.w - sign * value.w};
  return 2 * std::sqrt(dot(error, error));  // radians
}

bool far_apart(const Vec3&, const Vec3&) { return false; }
// More than 10 degrees between keys: there the chord and the arc move at visibly different speeds.
bool far_apart(const Quat& a, const Quat& b) { return std::fabs(dot(a, b)) < 0.99619; }

// Marks the samples that linear interpolation needs (Douglas and Peucker 1973).
template <class Value>
void mark_keys(const std::vector<Value>& samples, std::size_t first, std::size_t last, double tolerance,
               std::vector<char>& keep) {
  if (last - first < 2) return;
  std::size_t worst = first + (last - first) / 2;
  double largest = far_apart(samples[first], samples[last]) ? tolerance : 0;
  bool split = largest > 0;
  for (std::size_t i = first + 1; i < last; ++i) {
    const double t = static_cast<double>(i - first) / static_cast<double>(last - first);
    const double error = deviation(samples[first], samples[last], t, samples[i]);
    if (error <= largest) continue;
    largest = error;
    worst = i;
    split |= error > tolerance;
  }
  if (!split) return;
  keep[worst] = true;
  mark_keys(samples, first, worst, tolerance, keep);
  mark_keys(samples, worst, last, tolerance, keep);
}

template <class Value>
std::vector<char> keys_of(const std::vector<Value>& samples, double tolerance) {
  std::vector<char> keep(samples.size(), false);
  keep.front() = keep.back() = true;
  mark_keys(samples, 0, samples.size() - 1, tolerance, keep);
  return keep;
}

template <class Value>
void keep_keys(const std::vector<Value>& samples, double tolerance, std::vector<double>& time,
               std::vector<Value>& values) {
  const std::vector<char> keep = keys_of(samples, tolerance);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!keep[i]) continue;
    time.push_back(static_cast<double>(i) / frame_rate);
    values.push_back(samples[i]);
  }
}

}  // namespace

Clip sample_clip(const std::string& name, const Skeleton& skeleton, int frames,
                 const std::vector<std::string>& animated, const std::function<void(double, Pose&)>& pose) {
  const std::size_t joints = skeleton.joints.size();
  std::vector<std::vector<Quat>> rotation(joints);
  std::vector<Vec3> translation;
  for (int frame = 0; frame <= frames; ++frame) {
    Pose posed(skeleton);
    pose(frame / frame_rate, posed);
    translation.push_back(skeleton.joints[0].position + posed.root_offset);
    for (std::size_t j = 0; j < joints; ++j) {
      // One sign all along, so that players need not choose the shorter arc.
      Quat q = posed.rotation[j];
      if (dot(q, frame > 0 ? rotation[j].back() : Quat{}) < 0) q = {-q.x, -q.y, -q.z, -q.w};
      rotation[j].push_back(q);
    }
  }

  Clip clip{name, {}};
  Channel root{0, true, {}, {}, {}};
  keep_keys(translation, 3e-5, root.time, root.translation);
  clip.channels.push_back(root);
  for (Index j = 0; j < joints; ++j) {
    if (std::find(animated.begin(), animated.end(), skeleton.joints[j].name) == animated.end()) continue;
    Channel channel{j, false, {}, {}, {}};
    keep_keys(rotation[j], 1.7e-4, channel.time, channel.rotation);
    clip.channels.push_back(channel);
  }
  return clip;
}

}  // namespace sinew::samples
