// Poses set by the user on top of a clip's: rotated joints, and a displaced character.
#pragma once

#include <map>

#include "sinew/character/character.h"

namespace sinew::studio {

struct HandPose {
  std::map<int, Quat> joints;  // local rotations that replace the clip's
  Vec3 carried;                // metres, world: offset from the clip's position
  bool empty() const { return joints.empty() && carried == Vec3{}; }
  bool operator==(const HandPose&) const = default;
};

// Moves the character smoothly from one user pose to the next, and back to the clip. Pointer input and undo jump
// otherwise.
class PosedCharacter {
 public:
  // The character must outlive this.
  explicit PosedCharacter(const Character& character) : character_(character) {}

  void lead_to(const HandPose& pose) { wanted_ = pose; }
  // Resets to the clip's pose.
  void begin_again() { shown_ = {}; }
  // True if the character is, and is to stay, in the clip's pose.
  bool follows_clip() const { return wanted_.empty() && shown_.empty(); }
  // True if a user pose is wanted; false on the way back to the clip.
  bool is_posed() const { return !wanted_.empty(); }
  bool arrived() const { return wanted_ == shown_; }

  // The pose `seconds` after the previous one, over the clip (null: the rest pose) at `clip_time`.
  const Pose& at(const Clip* clip, double clip_time, double seconds);

 private:
  const Character& character_;
  HandPose wanted_, shown_;
  SamplingSpace sampling_;
  Pose pose_;
};

}  // namespace sinew::studio
