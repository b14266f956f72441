#include "sinew/kinematics/matching/match_path.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/kinematics/graph/path_guide.h"
#include "sinew/kinematics/key_recorder.h"

namespace sinew {
namespace {

// A speed along a path that changes evenly, and is 0 at its end.
class PlannedSpeed {
 public:
  PlannedSpeed(const MatchPathOptions& options, double step)
      : options_(options), step_(step), change_(options.speed / options.speed_up_seconds) {
    if (!options.stands) speed_ = options.speed;
  }

  double speed() const { return speed_; }
  // Goes on by a frame in which the body has so much of the path left; returns the way of the frame.
  double next(double left) {
    if (!options_.stands) return speed_ * step_;
    const double wanted = std::min(options_.speed, std::sqrt(2 * change_ * std::max(0.0, left)));
    speed_ += std::clamp(wanted - speed_, -change_ * step_, change_ * step_);
    return std::min(speed_ * step_, std::max(0.0, left));
  }

 private:
  const MatchPathOptions& options_;
  double step_, change_, speed_ = 0;
};

std::vector<PlaceAhead> places_ahead(const GroundPath& path, double way, PlannedSpeed speed, const Standing& body,
                                     std::span<const double> times, double step) {
  std::vector<PlaceAhead> places;
  double reached = way, elapsed = 0;
  for (const double time : times) {
    for (; elapsed + step / 2 < time; elapsed += step) reached += speed.next(path.length() - reached);
    places.push_back({turned(-body.heading, path.at(reached) - body.place),
                      turned(-body.heading, path.direction(std::min(reached, path.length())))});
  }
  return places;
}

}  // namespace

MatchedWalk match_path(const GraphBody& body, std::span<const FramedClip> clips, const MotionDatabase& database,
                       const GroundPath& path, const MatchPathOptions& options, const std::string& name,
                       const Progress& progress) {
  const double rate = clips.front().frames_per_second(), step = 1 / rate;
  constexpr double most_time = 4, spare_seconds = 10, most_frames = 200'000;
  const double frames = (most_time * path.length() / options.speed + spare_seconds) * rate;
  if (!(frames <= most_frames))
    throw usage_error("A walk of " + std::to_string(std::lround(path.length())) + " m at " +
                      std::to_string(std::lround(rate)) +
                      " frames a second has too many frames; shorten the path, or ask for fewer with --fps.");
  const std::vector<double>& times = database.options().ahead;
  const PathGuide guide(clips, path, body.forward, options.steer, step, false);
  MotionMatcher matcher(body, clips, database, options.matcher);
  KeyRecorder recorder(*body.skeleton, matcher.moved());
  PlannedSpeed speed(options, step);

  WalkState state;
  state.body = {turn_between(body.forward, path.direction(0)), path.at(0)};
  // A body that is to stand first looks for a frame in which it stands, not one in which it is about to go.
  std::vector<PlaceAhead> begin = places_ahead(path, 0, speed, state.body, times, step);
  if (options.stands)
    for (PlaceAhead& place : begin) place = {{}, body.forward};
  matcher.begin(database.row_for(begin), state.body);

  MatchedWalk walk;
  const auto record = [&] {
    const WalkPose& pose = matcher.pose();
    recorder.add_frame(static_cast<double>(walk.frames.size()) * step, pose.local, pose.weights);
    walk.frames.push_back({matcher.place(), matcher.went_over(), matcher.body()});
  };
  record();
  const auto most = static_cast<std::size_t>(frames);
  const auto few = static_cast<std::size_t>(std::lround(options.standing_seconds * rate));
  bool stands = false;
  while (walk.frames.size() < most && !stands) {
    const double left = path.length() - state.way;
    if (walk.frames.size() % 100 == 0) report_or_stop(progress, "walking", state.way / path.length());
    if (!options.stands && !(left > 0)) break;
    matcher.next(places_ahead(path, state.way, speed, matcher.body(), times, step));
    speed.next(left);
    const Vec3 before = state.body.place;
    state.clip = matcher.place().clip;
    state.frame = matcher.place().frame;
    state.body = matcher.body();
    state.facing = matcher.body().heading;
    ++state.frames;
    matcher.turn(guide.follow(state, before));
    state.body = matcher.body();
    record();
    // A body that has not set out yet stands, too.
    const bool has_come = left < options.speed * options.speed_up_seconds && left < path.length() / 2;
    stands = has_come && walk.frames.size() > few &&
             distance(state.body.place, walk.frames[walk.frames.size() - 1 - few].body.place) <
                 options.still * options.standing_seconds;
  }
  walk.left = std::max(0.0, path.length() - state.way);
  walk.clip = recorder.take(name);
  return walk;
}

}  // namespace sinew
