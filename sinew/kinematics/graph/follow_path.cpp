#include "sinew/kinematics/graph/follow_path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sinew/base/index.h"
#include "sinew/kinematics/graph/path_guide.h"

namespace sinew {
namespace {

// The best choices from a state on.
class PathSearch {
 public:
  // `cell`: places of ways that are alike differ by less, metres; 0: none are alike.
  PathSearch(const GraphWalker& walker, const GroundPath& path, int end, double cell)
      : walker_(walker), path_(path), end_(end), cell_(cell) {}

  // Searches from the start of this number, and tries at most so many choices once it has a way.
  void explore(const WalkState& state, std::size_t start, int most_choices) {
    start_ = start;
    left_ = most_choices;
    has_way_ = false;
    visit(state);
  }
  const std::vector<int>& best() const { return best_; }
  std::size_t best_start() const { return best_start_; }

 private:
  // Clip, frame, time, place and heading, the last three in cells.
  using Cell = std::array<long, 6>;

  bool finished(const WalkState& state) const { return state.frames >= end_ || state.way >= path_.length(); }

  bool worse_than_alike(const WalkState& state) {
    if (!(cell_ > 0)) return false;
    constexpr double heading_cell = 0.03;  // radians
    const Cell cell{state.clip,
                    state.frame,
                    state.frames,
                    std::lround(state.body.place.x / cell_),
                    std::lround(state.body.place.z / cell_),
                    std::lround(state.facing / heading_cell)};
    const auto [alike, is_new] = visited_.try_emplace(cell, state.error);
    if (!is_new && alike->second <= state.error) return true;
    alike->second = state.error;
    return false;
  }

  void visit(const WalkState& state) {
    if (finished(state)) has_way_ = true;
    if (state.error >= least_) {
      has_way_ = true;
      return;
    }
    if (finished(state)) {
      least_ = state.error;
      best_ = chosen_;
      best_start_ = start_;
      return;
    }
    // The first way is always followed to its end.
    if (left_ <= 0 && has_way_) return;
    if (worse_than_alike(state)) return;
    struct Choice {
      WalkState state;
      int choice = 0;
      double rate = 0;  // error per frame
    };
    std::vector<Choice> next;
    for (const int choice : walker_.choices(state)) {
      WalkState reached = state;
      if (choice != GraphWalker::go_on) {
        const double distance = walker_.graph().transitions[index(choice)].distance;
        reached.error += distance * distance * std::min(walker_.graph().window, end_ - state.frames);
      }
      walker_.take(choice, end_, reached, nullptr);
      const double rate = (reached.error - state.error) / std::max(1, std::min(end_, reached.frames) - state.frames);
      next.push_back({reached, choice, rate});
      --left_;
    }
    std::stable_sort(next.begin(), next.end(), [](const Choice& a, const Choice& b) { return a.rate < b.rate; });
    for (const Choice& each : next) {
      chosen_.push_back(each.choice);
      visit(each.state);
      chosen_.pop_back();
    }
  }

  const GraphWalker& walker_;
  const GroundPath& path_;
  int end_, left_ = 0;
  double cell_;
  bool has_way_ = false;  // one from this start was followed to its end, or was worse than another
  double least_ = HUGE_VAL;
  std::size_t start_ = 0, best_start_ = 0;
  std::vector<int> chosen_, best_;
  std::map<Cell, double> visited_;  // least error
};

}  // namespace

Walk follow_path(const MotionGraph& graph, std::span<const FramedClip> clips, const GroundPath& path,
                 const Vec3& forward, const FollowOptions& options) {
  PathGuide guide(clips, path, forward, options.steer, 1 / graph.frames_per_second);
  const GraphWalker walker(graph, clips, &guide);
  const auto frames_of = [&](double seconds) {
    return std::max(1, static_cast<int>(std::lround(seconds * graph.frames_per_second)));
  };
  const int horizon = frames_of(options.horizon_seconds), keep = frames_of(options.keep_seconds);
  std::vector<WalkState> starts;
  const Standing begin{turn_between(forward, path.direction(0)), path.at(0)};
  for (std::size_t c = 0; c < clips.size(); ++c)
    if (WalkState state; walker.begin(static_cast<int>(c), begin, state)) starts.push_back(state);

  double fastest = 0;
  for (const FramedClip& clip : clips) fastest = std::max(fastest, clip.speed());
  const double cell = options.alike * fastest / graph.frames_per_second;

  Walk walk;
  while (walk.frames.empty() || starts.front().way < path.length()) {
    const int end = starts.front().frames + horizon, kept = starts.front().frames + keep;
    guide.count_until(end);
    PathSearch search(walker, path, end, cell);
    const int most = options.most_choices / static_cast<int>(starts.size());
    for (std::size_t k = 0; k < starts.size(); ++k) search.explore(starts[k], k, most);
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
