#include "sinew/deform/fixed_keys.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/base/nearest_word.h"
#include "sinew/base/number_text.h"

namespace sinew {
namespace {

// Fraction of a step below which a difference of times is rounding.
constexpr double no_time = 1e-6;

// Index of a control of this name, or -1.
int control_of(std::span<const ControlRange> controls, const std::string& name) {
  const auto found =
      std::find_if(controls.begin(), controls.end(), [&](const ControlRange& each) { return each.name == name; });
  return found == controls.end() ? -1 : static_cast<int>(found - controls.begin());
}

bool same_curve(const FixedStretch& a, const FixedStretch& b) {
  if (a.parameter != b.parameter || a.ease != b.ease || a.keys.size() != b.keys.size()) return false;
  for (std::size_t k = 0; k < a.keys.size(); ++k) {
    if (a.keys[k].time != b.keys[k].time || a.keys[k].value != b.keys[k].value ||
        slopes_of(a.keys, k) != slopes_of(b.keys, k))
      return false;
  }
  return true;
}

// Beginning of the earliest stretch of `a` that `b` lacks, seconds.
double first_missing(std::span<const FixedStretch> a, std::span<const FixedStretch> b) {
  double first = std::numeric_limits<double>::infinity();
  for (const FixedStretch& stretch : a)
    if (std::none_of(b.begin(), b.end(), [&](const FixedStretch& other) { return same_curve(stretch, other); }))
      first = std::min(first, stretch.begin());
  return first;
}

}  // namespace

std::span<const FixedStretch> FixedKeys::of(const std::string& clip) const {
  const auto found = clips.find(clip);
  return found == clips.end() ? std::span<const FixedStretch>() : found->second;
}

CurvePoint cubic_at(const CurvePoint& from, const CurvePoint& to, double length, double seconds) {
  const double t = seconds / length, s = 1 - t;
  const double value = s * s * (1 + 2 * t) * from.value + t * t * (3 - 2 * t) * to.value +
                       length * (t * s * s * from.slope - t * t * s * to.slope);
  const double slope =
      6 * t * s * (to.value - from.value) / length + s * (1 - 3 * t) * from.slope + t * (3 * t - 2) * to.slope;
  return {value, slope};
}

KeySlopes slopes_of(std::span<const FixedKey> keys, std::size_t key) {
  double smooth = 0;  // of the line through the neighbours
  if (key > 0 && key + 1 < keys.size())
    smooth = (keys[key + 1].value - keys[key - 1].value) / (keys[key + 1].time - keys[key - 1].time);
  return {keys[key].in.value_or(smooth), keys[key].out.value_or(smooth)};
}

CurvePoint curve_at(std::span<const FixedKey> keys, double time) {
  const auto next = std::find_if(keys.begin(), keys.end(), [&](const FixedKey& key) { return key.time > time; });
  const auto at = static_cast<std::size_t>(next - keys.begin());
  if (at == 0) {
    const double slope = slopes_of(keys, 0).in;
    return {keys[0].value + slope * (time - keys[0].time), slope};
  }
  const FixedKey& from = keys[at - 1];
  const double out = slopes_of(keys, at - 1).out;
  if (at == keys.size() || from.time == time) return {from.value + out * (time - from.time), out};
  return cubic_at({from.value, out}, {next->value, slopes_of(keys, at).in}, next->time - from.time, time - from.time);
}

// A cubic lies within the values of its control points.
CurveBounds bounds_of(std::span<const FixedKey> keys) {
  CurveBounds bounds{keys[0].value, keys[0].value};
  const auto widen = [&](double value) {
    bounds.low = std::min(bounds.low, value);
    bounds.high = std::max(bounds.high, value);
  };
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const KeySlopes slopes = slopes_of(keys, k);
    widen(keys[k].value);
    if (k > 0) widen(keys[k].value - slopes.in * (keys[k].time - keys[k - 1].time) / 3);
    if (k + 1 < keys.size()) widen(keys[k].value + slopes.out * (keys[k + 1].time - keys[k].time) / 3);
  }
  return bounds;
}

void fixed_at(std::span<const FixedStretch> stretches, std::span<const ControlRange> controls, double clip_time,
              double step, std::vector<FixedControl>& fixed) {
  fixed.clear();
  for (const FixedStretch& stretch : stretches) {
    const double to_first = stretch.keys.front().time - clip_time, over = clip_time - stretch.end();
    if (to_first >= stretch.ease - no_time * step && to_first > no_time * step) continue;
    // A last key between two steps is met by the line through the step after it.
    if (over >= (1 - no_time) * step && over > no_time * step) continue;
    const int control = control_of(controls, stretch.parameter);
    if (control < 0) continue;
    const bool led = to_first > no_time * step;
    const CurvePoint point =
        led ? CurvePoint{stretch.keys.front().value, slopes_of(stretch.keys, 0).in} : curve_at(stretch.keys, clip_time);
    fixed.push_back({control, led ? to_first : 0, point.value, point.slope});
  }
  // A stretch that holds a control goes before one that leads to it.
  std::sort(fixed.begin(), fixed.end(), [](const FixedControl& a, const FixedControl& b) {
    return a.control != b.control ? a.control < b.control : a.in < b.in;
  });
  const auto again = std::unique(fixed.begin(), fixed.end(),
                                 [](const FixedControl& a, const FixedControl& b) { return a.control == b.control; });
  fixed.erase(again, fixed.end());
}

std::optional<double> first_difference(std::span<const FixedStretch> a, std::span<const FixedStretch> b) {
  const double first = std::min(first_missing(a, b), first_missing(b, a));
  return std::isfinite(first) ? std::optional(first) : std::nullopt;
}

std::string complaint_about(std::span<const FixedStretch> stretches, std::span<const ControlRange> controls) {
  std::vector<std::string> names;
  for (const ControlRange& control : controls) names.push_back(control.name);
  for (const FixedStretch& stretch : stretches) {
    const std::string where = "'" + stretch.parameter + "' ";
    const int control = control_of(controls, stretch.parameter);
    if (control < 0) {
      const std::string nearest = nearest_word(stretch.parameter, names);
      return where + "is not among the parameters that physics moves" +
             (nearest.empty() ? "; free it, or leave out its keys." : ": did you mean '" + nearest + "'?");
    }
    const ControlRange& range = controls[static_cast<std::size_t>(control)];
    const CurveBounds bounds = bounds_of(stretch.keys);
    if (!(bounds.low >= range.low && bounds.high <= range.high))
      return where + "has keys whose curve may leave the range from " + plain(range.low) + " to " + plain(range.high) +
             "; bring them nearer to it, or make their slopes less.";
    for (const FixedStretch& other : stretches)
      if (&other != &stretch && other.parameter == stretch.parameter && other.keys.front().time <= stretch.end() &&
          stretch.keys.front().time <= other.end())
        return where + "has two stretches of keys that overlap at " +
               plain(std::max(other.keys.front().time, stretch.keys.front().time)) + " s; join them, or move one.";
  }
  return "";
}

}  // namespace sinew
