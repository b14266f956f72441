// A second body of the same character, in step with the one in the player so that both can be compared: in the same
// pose at the same time, and what is done to the one is done to the other where its method can.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/wall_clock.h"
#include "sinew/jobs/open_character.h"
#include "sinew/session/session.h"
#include "studio/server/web/frame.h"

namespace sinew::studio {

// One at a time, on the player's thread.
class Comparison {
 public:
  // Throws usage_error for methods that move a rig's own controls, which nothing else can follow.
  Comparison(std::shared_ptr<const OpenedCharacter> opened, std::shared_ptr<const Scene> scene, WallClock clock);

  const Scene& scene() const { return *scene_; }

  // As Session has them.
  void play(const Playback& playback, double from);
  void pose(const Pose& pose) { session_.pose(pose); }
  void unpose(double played) { session_.unpose(played); }

  // To where the other session is shown, which began to play when this did; what was done to it since the last time, as
  // far as this method can. Throws what steps throw.
  void follow(const Session& leader);

  std::span<const Vec3> surface();
  // Of what surface() had last; `by_rig`: where the rig alone has it.
  FrameMeasures measures(std::span<const Vec3> by_rig);

 private:
  void copy_actions(const Take& take);
  void choose_step(const Session& leader);

  std::shared_ptr<const OpenedCharacter> opened_;
  std::shared_ptr<const Scene> scene_;
  WallClock clock_;
  Session session_;
  std::vector<Vec3> positions_;
  std::size_t copied_ = 0;   // of the leader's take
  double step_seconds_ = 0;  // of computing, smoothed
  double counted_since_ = 0, steps_per_second_ = 0;
  int counted_ = 0;
};

}  // namespace sinew::studio
