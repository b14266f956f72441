// Stiffness, damping and gravity over the time of clips: the setting `keys` (docs/environment.md; files/keys_json.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "sinew/deform/environment.h"
#include "sinew/linalg/small.h"

namespace sinew {

// A value on the way between two, `share` from 0 to 1: multipliers in the logarithm, gravity on a line.
inline double on_the_way(double from, double to, double share) {
  return share >= 1 ? to : from * std::pow(to / from, share);
}
inline Vec3 on_the_way(const Vec3& from, const Vec3& to, double share) {
  return share >= 1 ? to : from + share * (to - from);
}

// Values at ascending times, seconds; on the way between them, constant before the first and after the last.
template <class Value>
struct KeyedValue {
  struct Key {
    double time = 0;  // seconds on the clip's time line
    Value value{};
  };
  std::vector<Key> keys;  // empty: not keyed

  // True if any value between two times is not `usual`.
  bool leaves(const Value& usual, double begin, double end) const {
    if (keys.empty()) return false;
    const auto differs = [&](const Key& key) { return key.time > begin && key.time < end && key.value != usual; };
    return at(begin) != usual || at(end) != usual || std::any_of(keys.begin(), keys.end(), differs);
  }

  Value at(double time) const {
    const auto next = std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.time > time; });
    if (next == keys.begin()) return next->value;
    const Key& from = *(next - 1);
    return next == keys.end() ? from.value
                              : on_the_way(from.value, next->value, (time - from.time) / (next->time - from.time));
  }
};

// The keys of one clip.
struct ClipKeys {
  KeyedValue<double> stiffness, damping;  // Environment::stiffness and damping
  KeyedValue<Vec3> gravity;               // m/s^2, world

  // True if they change anything between two times, `own_gravity` as below.
  bool act_between(double begin, double end, const Vec3& own_gravity) const;
  // Sets what is keyed. `own_gravity`: the scene's, m/s^2; where keys equal it, the environment has none of its own.
  void apply(double time, const Vec3& own_gravity, Environment& environment) const;
};

// The keys of a character's clips.
struct TissueKeys {
  std::map<std::string, ClipKeys> clips;  // by the clip's name; any_clip: all that have no entry of their own

  const ClipKeys* of(const std::string& clip) const;  // null: nothing is keyed
  // All that is ever keyed, for check_capabilities().
  Environment everything() const;
};
inline constexpr const char* any_clip = "*";

}  // namespace sinew
