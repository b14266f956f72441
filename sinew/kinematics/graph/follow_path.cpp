#include "sinew/kinematics/graph/follow_path.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/index.h"

namespace sinew {
namespace {

constexpr double least_progress = 0.1;  // share of the fastest clip's speed by which the point goes on
constexpr double look_ahead = 0.6;      // seconds that a body looks ahead to steer
constexpr double turn_seconds = 0.4;    // in which it would look there
constexpr double ease_seconds = 0.15;   // in which its turning changes
constexpr double standing_share = 0.2;  // of the fastest clip's speed; slower bodies do not turn

// Angle about y from one direction to another, radians.
double turn_between(const Vec3& from, const Vec3& to) {
  return std::atan2(from.z * to.x - from.x * to.z, from.x * to.x + from.z * to.z);
}

class PathGuide : public WalkGuide {
 public:
  PathGuide(const MotionGraph& graph, std::span<const FramedClip> clips, const GroundPath& path, const Vec3& forward,
            const FollowOptions& options)
      : path_(path), forward_(forward), options_(options), step_(1 / graph.frames_per_second) {
    for (const FramedClip& clip : clips) speeds_.push_back(clip.speed());
    fastest_ = *std::max_element(speeds_.begin(), speeds_.end());
  }

  // Errors of later frames are not counted.
  void count_until(int frame) { counted_ = frame; }

  double follow(WalkState& state, const Vec3& before) const override {
    const Vec3 place = state.body.place;
    const double along = dot(place - path_.at(state.way), path_.direction(state.way));
    state.way += std::clamp(along, least_progress * fastest_ * step_, 2 * distance(place, before) + fastest_ * step_);
    if (state.frames <= counted_) state.error += squared_norm(place - path_.at(state.way));
    const double speed = speeds_[index(state.clip)];
    double wanted = 0;
    if (options_.steer > 0 && speed > standing_share * fastest_) {
      const Vec3 goal = path_.at(state.way + look_ahead * speed) - place;
      wanted = std::clamp(turn_between(turned(state.facing, forward_), goal) / turn_seconds, -options_.steer,
                          options_.steer) *
               step_;
    }
    state.turn += (wanted - state.turn) * (1 - std::exp(-step_ / ease_seconds));
    return state.turn;
  }

  bool arrived(const WalkState& state) const override { return state.way >= path_.length(); }

 private:
  const GroundPath& path_;
  Vec3 forward_;
  FollowOptions options_;
  double step_;
  std::vector<double> speeds_;
  double fastest_ = 0;
  int counted_ = 0;
};

// The best choices from a state on.
class PathSearch {
 public:
  PathSearch(const GraphWalker& walker, const GroundPath& path, int end, int most_choices)
      : walker_(walker), path_(path), end_(end), left_(most_choices) {}

  void explore(const WalkState& state, std::size_t start) {
    start_ = start;
    visit(state);
  }
  const std::vector<int>& best() const { return best_; }
  std::size_t best_start() const { return best_start_; }

 private:
  bool finished(const WalkState& state) const { return state.frames >= end_ || state.way >= path_.length(); }

  void visit(const WalkState& state) {
    if (state.error >= least_) return;
    if (finished(state)) {
      least_ = state.error;
      best_ = chosen_;
      best_start_ = start_;
      return;
    }
    // The first walk is always finished.
    if (left_ <= 0 && least_ < HUGE_VAL) return;
    std::vector<std::pair<WalkState, int>> next;
    for (const int choice : walker_.choices(state)) {
      WalkState after_choice = state;
      if (choice != GraphWalker::go_on) {
        const double distance = walker_.graph().transitions[index(choice)].distance;
        after_choice.error += distance * distance * std::min(walker_.graph().window, end_ - state.frames);
      }
      walker_.take(choice, end_, after_choice, nullptr);
      next.emplace_back(after_choice, choice);
      --left_;
    }
    std::stable_sort(next.begin(), next.end(),
                     [](const auto& a, const auto& b) { return a.first.error < b.first.error; });
    for (const auto& [after_choice, choice] : next) {
      chosen_.push_back(choice);
      visit(after_choice);
      chosen_.pop_back();
    }
  }

  const GraphWalker& walker_;
  const GroundPath& path_;
  int end_, left_;
  double least_ = HUGE_VAL;
  std::size_t start_ = 0, best_start_ = 0;
  std::vector<int> chosen_, best_;
};

}  // namespace

Walk follow_path(const MotionGraph& graph, std::span<const FramedClip> clips, const GroundPath& path,
                 const Vec3& forward, const FollowOptions& options) {
  PathGuide guide(graph, clips, path, forward, options);
  const GraphWalker walker(graph, clips, &guide);
  const auto frames_of = [&](double seconds) {
    return std::max(1, static_cast<int>(std::lround(seconds * graph.frames_per_second)));
  };
  const int horizon = frames_of(options.horizon_seconds), keep = frames_of(options.keep_seconds);
  std::vector<WalkState> starts;
  const Standing begin{turn_between(forward, path.direction(0)), path.at(0)};
  for (std::size_t c = 0; c < clips.size(); ++c)
    if (WalkState state; walker.begin(static_cast<int>(c), begin, state)) starts.push_back(state);

  Walk walk;
  while (walk.frames.empty() || starts.front().way < path.length()) {
    const int end = starts.front().frames + horizon, kept = starts.front().frames + keep;
    guide.count_until(end);
    PathSearch search(walker, path, end, options.most_choices);
    for (std::size_t k = 0; k < starts.size(); ++k) search.explore(starts[k], k);
    WalkState state = starts[search.best_start()];
    if (walk.frames.empty()) walk.frames.push_back({state.clip, state.frame, state.ground, -1, 0, {}, 0});
    for (const int choice : search.best()) {
      walker.take(choice, end, state, &walk);
      if (state.frames >= kept || state.way >= path.length()) break;
    }
    state.error = 0;
    starts = {state};
  }
  return walk;
}

}  // namespace sinew
