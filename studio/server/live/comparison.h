// A second body of the same character for A/B comparison. It has the same pose and time as the one in the player, and
// receives the same actions as far as its method supports them.
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

// Used one at a time, on the player's thread.
class Comparison {
 public:
  // Throws usage_error for methods that move the rig's own controls, which another body cannot follow.
  Comparison(std::shared_ptr<const OpenedCharacter> opened, std::shared_ptr<const Scene> scene, WallClock clock);

  const Scene& scene() const { return *scene_; }

  // See Session.
  void play(const Playback& playback, double from);
  void stand(double played) { session_.stand(played); }
  void go_on() { session_.go_on(); }

  // Steps to the time at which the other session, which began to play at the same moment, is displayed, and copies new
  // actions as far as this method supports them. Throws what steps throw.
  void follow(const Session& leader);

  std::span<const Vec3> surface();
  // Measures of the last surface(); `by_rig` is the surface as the rig alone poses it.
  FrameMeasures measures(std::span<const Vec3> by_rig);

 private:
  void copy_actions(const Take& take);
  void choose_step(const Session& leader);

  std::shared_ptr<const OpenedCharacter> opened_;
  std::shared_ptr<const Scene> scene_;
  WallClock clock_;
  Session session_;
  std::vector<Vec3> positions_;
  std::size_t copied_ = 0;   // number of the leader's actions already copied
  double step_seconds_ = 0;  // wall time per step, smoothed
  double counted_since_ = 0, steps_per_second_ = 0;
  int counted_ = 0;
};

}  // namespace sinew::studio
