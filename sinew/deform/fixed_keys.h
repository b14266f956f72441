// Keys by which an animator fixes controls that a method computes, such as the free parameters of rig-space physics:
// the setting `keys` of `rigspace` (docs/rig_space.md; files/fixed_keys_json.h).
//
// A stretch of keys holds its control from its first key to its last one. Before the first key the control is led there
// from where physics has it, and after the last one physics goes on from its value and rate.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/deform/deformer.h"

namespace sinew {

struct FixedKey {
  double time = 0;                // seconds on the clip's time line
  double value = 0;               // in the control's own unit
  std::optional<double> in, out;  // slopes before and after the key, per second; empty: of the line between neighbours

  bool operator==(const FixedKey&) const = default;
};

// Keys without a gap in which physics moves the control.
struct FixedStretch {
  std::string parameter;       // name of the control
  double ease = 0.1;           // seconds over which the control is led to the first key; 0: it jumps there
  std::vector<FixedKey> keys;  // ascending by time; not empty

  double begin() const { return keys.front().time - ease; }
  double end() const { return keys.back().time; }
};

// The stretches of a character's clips, by the clip's name.
struct FixedKeys {
  std::map<std::string, std::vector<FixedStretch>> clips;

  std::span<const FixedStretch> of(const std::string& clip) const;  // empty: nothing is fixed
};

// A point of a curve.
struct CurvePoint {
  double value = 0, slope = 0;  // in the control's own unit, and per second
};

// Evaluates cubic polynomials between the keys, with the keys' slopes, and straight lines before and after them.
CurvePoint curve_at(std::span<const FixedKey> keys, double time);
// Slopes before and after a key, with those that it leaves open filled in; per second.
struct KeySlopes {
  double in = 0, out = 0;

  bool operator==(const KeySlopes&) const = default;
};
KeySlopes slopes_of(std::span<const FixedKey> keys, std::size_t key);
// The cubic that leads from one point to another in `length` seconds, `seconds` after its beginning.
CurvePoint cubic_at(const CurvePoint& from, const CurvePoint& to, double length, double seconds);
// Smallest interval that is certain to contain the curve between its first and last key.
struct CurveBounds {
  double low = 0, high = 0;
};
CurveBounds bounds_of(std::span<const FixedKey> keys);

// Finds what is fixed at a time of the clip, ascending by control. `controls`: the computed ones, in the order of
// DeformerTraits::curves; stretches of others are left out. `step`: seconds, length of a step that ends at this time.
void fixed_at(std::span<const FixedStretch> stretches, std::span<const ControlRange> controls, double clip_time,
              double step, std::vector<FixedControl>& fixed);

// The first time at which two sets of keys differ in what they do, seconds; empty: they do the same.
std::optional<double> first_difference(std::span<const FixedStretch> a, std::span<const FixedStretch> b);

// Returns a complaint about stretches of one clip, with the parameter's name and the remedy, or an empty text: a
// control that the method does not compute, stretches that overlap, values out of range.
std::string complaint_about(std::span<const FixedStretch> stretches, std::span<const ControlRange> controls);

}  // namespace sinew
