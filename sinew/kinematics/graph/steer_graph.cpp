#include "sinew/kinematics/graph/steer_graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr double help_ease_seconds = 0.1;          // in which turning beyond the clips changes
constexpr double standing_share_of_fastest = 0.1;  // of the fastest clip's speed; slower bodies do not turn so
constexpr double help_seconds = 0.05;              // a turn beyond the clips counts like so much of it off the arc
constexpr double lively_seconds = 0.1;             // liveliness counts like its way in this time

double squared(double x) { return x * x; }

// Way along an arc in `seconds`, for a body that looks along `direction` in the middle of it.
Vec3 way_on_arc(const SteerWish& wish, const Vec3& direction, double seconds) {
  const double half = wish.turn * seconds / 2;
  constexpr double straight = 1e-6;
  return direction * (wish.speed * seconds * (std::abs(half) < straight ? 1 : std::sin(half) / half));
}

}  // namespace

SteerGuide::SteerGuide(const MotionGraph& graph, std::span<const FramedClip> clips, SteerOptions options)
    : options_(std::move(options)), step_(1 / graph.frames_per_second) {
  for (const FramedClip& clip : clips) speeds_.push_back(clip.speed());
  fastest_ = *std::max_element(speeds_.begin(), speeds_.end());
}

int SteerGuide::horizon_frames() const {
  return std::max(1, static_cast<int>(std::lround(options_.horizon_seconds / step_)));
}

double SteerGuide::follow(WalkState& state, const Vec3&) const {
  const double seconds = (state.frames - from_.frames) * step_;
  const double middle = from_.facing + wish_.turn * seconds / 2;
  const Vec3 wanted = from_.body.place + way_on_arc(wish_, turned(middle, options_.forward), seconds);
  const bool counts = state.frames - from_.frames <= horizon_frames();
  if (counts)
    state.error += squared_norm(state.body.place - wanted) +
                   squared(options_.arm * (state.facing - from_.facing - wish_.turn * seconds));
  if (counts && !options_.liveliness.empty())
    state.error += squared(lively_seconds * options_.liveliness[index(state.clip)]);
  double help = 0;
  if (speeds_[index(state.clip)] > standing_share_of_fastest * fastest_)
    help = step_ * std::clamp(wish_.turn - state.own_turn / step_, -options_.help, options_.help);
  state.turn += (help - state.turn) * (1 - std::exp(-step_ / help_ease_seconds));
  if (counts) state.error += squared(help_seconds * options_.arm * state.turn / step_);
  return state.turn;
}

int steer_choice(const GraphWalker& walker, const SteerGuide& guide, const WalkState& state) {
  const std::vector<int> first = walker.choices(state);
  if (first.size() < 2) return first.empty() ? GraphWalker::go_on : first.front();
  // Ways in the order of time: those that have gone equally far are compared, and the best few go on.
  struct Way {
    WalkState state;
    int first = 0;  // choice
  };
  const int horizon = guide.horizon_frames(), end = state.frames + horizon;
  std::vector<std::vector<Way>> ways(index(horizon) + 1);
  const auto go = [&](const WalkState& from, int choice, int begun_with) {
    Way way{from, begun_with};
    if (choice != GraphWalker::go_on) {
      const double distance = walker.graph().transitions[index(choice)].distance;
      way.state.error += squared(distance) * std::min(walker.graph().window, end - from.frames);
    }
    walker.take(choice, end, way.state, nullptr);
    ways[index(std::min(way.state.frames - state.frames, horizon))].push_back(way);
  };
  WalkState begin = state;
  begin.error = 0;
  for (const int choice : first) go(begin, choice, choice);
  const auto better = [](const Way& a, const Way& b) { return a.state.error < b.state.error; };
  for (int t = 0; t < horizon; ++t) {
    std::vector<Way>& now = ways[index(t)];
    std::stable_sort(now.begin(), now.end(), better);
    int gone = 0;
    for (std::size_t k = 0; k < now.size() && gone < guide.options().most_ways; ++k) {
      const Way way = now[k];
      // The best of the ways that lead to the same frame of a clip goes on.
      const auto same = [&](const Way& other) {
        return other.state.clip == way.state.clip && other.state.frame == way.state.frame;
      };
      if (std::any_of(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(k), same)) continue;
      ++gone;
      for (const int choice : walker.choices(way.state)) go(way.state, choice, way.first);
    }
  }
  const std::vector<Way>& last = ways.back();
  return last.empty() ? first.front() : std::min_element(last.begin(), last.end(), better)->first;
}

GraphSteering::GraphSteering(const MotionGraph& graph, std::span<const FramedClip> clips, SteerOptions options,
                             int clip, int frame)
    : guide_(graph, clips, std::move(options)), walker_(graph, clips, &guide_) {
  const Standing here = clips[index(clip)].standing(frame);
  // Where the clip has it: the space of the clip is the world.
  state_ = walker_.begin_in(clip, frame, here);
  state_ = walker_.begin_in(clip, frame, {state_.facing - state_.ground.heading, here.place});
  frame_ = {state_.clip, state_.frame, state_.ground, -1, 0, {}, 0};
}

void GraphSteering::next(const SteerWish& wish) {
  guide_.wish(wish);
  Walk walk;
  if (running_.transition == GraphWalker::go_on) {
    guide_.begin_at(state_);
    running_ = walker_.begin(steer_choice(walker_, guide_, state_), state_, nullptr);
  }
  walker_.step(state_, running_, &walk);
  frame_ = walk.frames.back();
}

namespace {

constexpr double travelling = 0.1;  // heights per second

// Mean speed the way that the body faces, metres per second.
double forward_speed(const FramedClip& clip, const Vec3& forward) {
  double way = 0;
  int steps = 0;
  for (int f = 0; f < clip.frames() && clip.has(f + 1); ++f, ++steps) {
    const Standing now = clip.standing(f), next = clip.standing(f + 1);
    way += dot(next.place - now.place + clip.travel_step(), turned((now.heading + next.heading) / 2, forward));
  }
  return steps > 0 ? way * clip.frames_per_second() / steps : 0;
}

}  // namespace

SteerSpeeds steer_speeds(std::span<const FramedClip> clips, const Vec3& forward, double height) {
  SteerSpeeds speeds;
  for (const bool loops : {true, false}) {
    for (const FramedClip& clip : clips) {
      const double speed = forward_speed(clip, forward);
      // Clips that go aside or backward do not count.
      if (clip.loops() != loops || !(speed > travelling * height) || speed < 0.7 * clip.speed()) continue;
      speeds.walk = speeds.walk > 0 ? std::min(speeds.walk, speed) : speed;
      speeds.run = std::max(speeds.run, speed);
    }
    if (speeds.run > 0) break;
  }
  return speeds;
}

bool some_clip_stands(std::span<const FramedClip> clips, double height) {
  return std::any_of(clips.begin(), clips.end(),
                     [&](const FramedClip& clip) { return !(clip.speed() > travelling * height); });
}

SteerStart steer_start(const MotionGraph& graph, std::span<const FramedClip> clips, const SteerOptions& options) {
  SteerStart best;
  double least = HUGE_VAL;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const std::span<const GraphTransition> out = transitions_from(graph, static_cast<int>(c));
    if (out.empty() && !graph.transitions.empty()) continue;
    const double moves = clips[c].speed() + (options.liveliness.empty() ? 0 : options.liveliness[c]);
    // Clips that do not loop come last.
    const double order = clips[c].loops() ? moves : moves + 1e6;
    if (order < least) least = order, best = {static_cast<int>(c), 0};
  }
  return best;
}

}  // namespace sinew
