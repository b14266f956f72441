// Poses by hand over those of a clip: joints turned otherwise, the whole character carried elsewhere.
#pragma once

#include <map>

#include "sinew/character/character.h"

namespace sinew::studio {

struct HandPose {
  std::map<int, Quat> joints;  // local rotations in place of the clip's
  Vec3 carried;                // metres, world: from where the clip has the character
  bool empty() const { return joints.empty() && carried == Vec3{}; }
  bool operator==(const HandPose&) const = default;
};

// Leads the character smoothly from one pose by hand to the next, and back to the clip: mice come in jumps, and undo
// too.
class PosedCharacter {
 public:
  // The character must outlive it.
  explicit PosedCharacter(const Character& character) : character_(character) {}

  void lead_to(const HandPose& pose) { wanted_ = pose; }
  // The character stands where the clip has it, and is led from there.
  void begin_again() { shown_ = {}; }
  // Whether the character is where the clip has it, and is to be there.
  bool follows_clip() const { return wanted_.empty() && shown_.empty(); }
  // Whether a hand holds it anywhere else than the clip; on its way back it is not.
  bool is_posed() const { return !wanted_.empty(); }
  bool arrived() const { return wanted_ == shown_; }

  // The pose `seconds` after the last one, over the clip (null: the rest pose) at `clip_time`.
  const Pose& at(const Clip* clip, double clip_time, double seconds);

 private:
  const Character& character_;
  HandPose wanted_, shown_;
  SamplingSpace sampling_;
  Pose pose_;
};

}  // namespace sinew::studio
