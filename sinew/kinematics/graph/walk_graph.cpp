#include "sinew/kinematics/graph/walk_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <queue>
#include <random>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/smooth_step.h"

namespace sinew {
namespace {

// The motion that turns the world about a place.
Standing turn_about(const Vec3& place, double angle) { return {angle, place - turned(angle, place)}; }

}  // namespace

double transition_weight(int t, int window) { return smooth_step(static_cast<double>(t) / window); }

GraphWalker::GraphWalker(const MotionGraph& graph, std::span<const FramedClip> clips, const WalkGuide* guide)
    : graph_(graph), clips_(clips), guide_(guide) {
  for (std::size_t c = 0; c < clips.size(); ++c) {
    std::vector<int> frames;
    for (const GraphTransition& each : transitions_from(graph, static_cast<int>(c)))
      if (frames.empty() || frames.back() != each.from_frame) frames.push_back(each.from_frame);
    choice_frames_.push_back(std::move(frames));
    calm_headings_.push_back(calm_headings(clips[c], graph.window));
  }
}

// Heading of a clip in a frame on the whole. Steps sway about it.
double GraphWalker::calm_heading(int clip, int frame) const {
  return calm_heading_of(clips_[index(clip)], calm_headings_[index(clip)], frame);
}

bool GraphWalker::begin(int clip, const Standing& body, WalkState& state) const {
  const std::vector<int>& frames = choice_frames_[index(clip)];
  if (frames.empty() && !graph_.transitions.empty()) return false;
  state = begin_in(clip, frames.empty() ? 0 : frames.front(), body);
  return true;
}

WalkState GraphWalker::begin_in(int clip, int frame, const Standing& body) const {
  WalkState state;
  state.clip = clip;
  state.frame = frame;
  const Standing own{calm_heading(clip, frame), this->clip(clip).standing(frame).place};
  state.ground = after(body, inverse(own));
  state.body = after(state.ground, this->clip(clip).standing(frame));
  state.facing = body.heading;
  return state;
}

// Frames from this one on until one has transitions, 0 if it has; -1 if there is none.
int GraphWalker::frames_to_choice(int clip, int frame) const {
  const std::vector<int>& frames = choice_frames_[index(clip)];
  if (frames.empty()) return -1;
  const auto at = std::lower_bound(frames.begin(), frames.end(), frame);
  if (at != frames.end()) return *at - frame;
  return clips_[index(clip)].loops() ? frames.front() + clips_[index(clip)].frames() - frame : -1;
}

std::vector<int> GraphWalker::choices(const WalkState& state) const {
  std::vector<int> result;
  const FramedClip& own = clip(state.clip);
  if (own.loops() || (own.has(state.frame + 1) && frames_to_choice(state.clip, state.frame + 1) >= 0))
    result.push_back(go_on);
  const std::span<const GraphTransition> from = transitions_from(graph_, state.clip);
  for (const GraphTransition& each : from)
    if (each.from_frame == state.frame) result.push_back(static_cast<int>(&each - graph_.transitions.data()));
  return result;
}

void GraphWalker::take(int choice, int most, WalkState& state, Walk* walk) const {
  RunningTransition running = begin(choice, state, walk);
  do step(state, running, walk);
  while (running.transition != go_on);
  const int ahead = frames_to_choice(state.clip, state.frame);
  const auto goes_on = [&](int k) { return ahead < 0 ? clip(state.clip).has(state.frame + 1) : k < ahead; };
  for (int k = 0; goes_on(k) && state.frames < most && !(guide_ && guide_->arrived(state)); ++k) play(state, walk);
}

RunningTransition GraphWalker::begin(int choice, const WalkState& state, Walk* walk) const {
  if (choice == go_on) return {};
  if (walk) walk->transitions.push_back({choice, static_cast<int>(walk->frames.size()) - 1});
  const GraphTransition& transition = graph_.transitions[index(choice)];
  Standing next_ground = after(state.ground, transition.motion);
  // The body's facing goes on, where motions of transitions leave out full turns that clips make.
  const double facing = next_ground.heading + calm_heading(transition.to, transition.to_frame);
  constexpr double full_turn = 2 * std::numbers::pi;
  next_ground.heading -= full_turn * std::round((facing - state.facing) / full_turn);
  return {choice, state.frame, 0, next_ground};
}

void GraphWalker::step(WalkState& state, RunningTransition& running, Walk* walk) const {
  if (running.transition == go_on)
    play(state, walk);
  else
    blend(running, state, walk);
}

void GraphWalker::wrap(WalkState& state) const {
  const FramedClip& own = clip(state.clip);
  while (own.loops() && state.frame >= own.frames()) {
    state.frame -= own.frames();
    state.ground = after(state.ground, own.cycle());
  }
}

void GraphWalker::guide(const Vec3& before, std::span<Standing* const> grounds, WalkState& state) const {
  ++state.frames;
  if (!guide_) return;
  const double turn = guide_->follow(state, before);
  if (turn == 0) return;
  const Standing about = turn_about(state.body.place, turn);
  for (Standing* ground : grounds) *ground = after(about, *ground);
  state.body = after(about, state.body);
}

void GraphWalker::play(WalkState& state, Walk* walk) const {
  const Vec3 before = state.body.place;
  const double facing = state.facing + state.turn;
  state.ground.place += turned(state.ground.heading, clip(state.clip).travel_step());
  ++state.frame;
  wrap(state);
  state.body = after(state.ground, clip(state.clip).standing(state.frame));
  state.facing = state.ground.heading + calm_heading(state.clip, state.frame);
  state.own_turn = nearest_heading(state.facing - facing, 0);
  guide(before, std::array{&state.ground}, state);
  if (walk) walk->frames.push_back({state.clip, state.frame, state.ground, -1, 0, {}, 0});
}

void GraphWalker::blend(RunningTransition& running, WalkState& state, Walk* walk) const {
  const GraphTransition& transition = graph_.transitions[index(running.transition)];
  const FramedClip &from = clip(transition.from), &to = clip(transition.to);
  Standing& next_ground = running.next_ground;
  const int t = ++running.frame, frame = running.begin + t, next_frame = transition.to_frame + t;
  const double weight = transition_weight(t, graph_.window);
  const Vec3 before = state.body.place;
  const double facing_before = state.facing + state.turn;
  // Travel goes over by its velocity.
  const double share = (weight + transition_weight(t - 1, graph_.window)) / 2;
  const Vec3 travel = (1 - share) * turned(state.ground.heading, from.travel_step()) +
                      share * turned(next_ground.heading, to.travel_step());
  state.ground.place += travel;
  next_ground.place += travel;
  const Standing second = after(next_ground, to.standing(next_frame));
  const double facing = next_ground.heading + calm_heading(transition.to, next_frame);
  state.body = second;
  state.facing = facing;
  if (from.has(frame)) {
    Standing first = after(state.ground, from.standing(frame));
    first.heading = nearest_heading(first.heading, second.heading);
    state.body = mixed(first, second, weight);
    const double before_it = state.ground.heading + calm_heading(transition.from, frame);
    state.facing = std::lerp(nearest_heading(before_it, facing), facing, weight);
  }
  state.own_turn = nearest_heading(state.facing - facing_before, 0);
  // A guide that looks at the clip is told of the one that the body goes to.
  state.clip = transition.to;
  guide(before, std::array{&state.ground, &next_ground}, state);
  if (t < graph_.window) {
    if (walk)
      walk->frames.push_back({transition.from, frame, state.ground, transition.to, next_frame, next_ground, weight});
    return;
  }
  // The last frame of the blend is the second clip alone.
  state.frame = next_frame;
  state.ground = next_ground;
  wrap(state);
  if (walk) walk->frames.push_back({state.clip, state.frame, state.ground, -1, 0, {}, 0});
  running = {};
}

Walk wander(const GraphWalker& walker, std::uint64_t seed, int frames) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  std::vector<WalkState> starts;
  for (std::size_t c = 0; c < walker.graph().clips.size(); ++c)
    if (WalkState state; walker.begin(static_cast<int>(c), {}, state)) starts.push_back(state);
  WalkState state = starts[below(starts.size())];
  Walk walk;
  walk.frames.push_back({state.clip, state.frame, state.ground, -1, 0, {}, 0});
  while (state.frames < frames) {
    const std::vector<int> choices = walker.choices(state);
    // Half of the time the clip goes on, where it can.
    const bool goes_on = choices.front() == GraphWalker::go_on;
    int choice = choices[below(choices.size())];
    if (goes_on && below(2) == 0) choice = GraphWalker::go_on;
    walker.take(choice, frames, state, &walk);
  }
  return walk;
}

namespace {

// Choices that lead to another clip in the fewest frames; distances of transitions count as frames too, and so do
// frames of a clip without a cycle that are passed over.
std::vector<int> quickest_way(const GraphWalker& walker, const WalkState& from, int target) {
  struct Reached {
    double cost = HUGE_VAL;
    std::pair<int, int> before;
    int choice = GraphWalker::go_on;
  };
  using Place = std::pair<int, int>;
  const MotionGraph& graph = walker.graph();
  std::map<Place, Reached> reached;
  std::priority_queue<std::pair<double, Place>, std::vector<std::pair<double, Place>>, std::greater<>> open;
  const Place start{from.clip, from.frame};
  reached[start].cost = 0;
  open.push({0, start});
  double best = HUGE_VAL;
  Place last;
  int last_choice = GraphWalker::go_on;
  while (!open.empty()) {
    const auto [cost, place] = open.top();
    open.pop();
    if (cost >= best) break;
    if (cost > reached[place].cost) continue;
    WalkState state;
    state.clip = place.first;
    state.frame = place.second;
    for (const int choice : walker.choices(state)) {
      WalkState next = state;
      walker.take(choice, std::numeric_limits<int>::max(), next, nullptr);
      double sum = cost + next.frames;
      if (choice != GraphWalker::go_on) {
        const GraphTransition& transition = graph.transitions[index(choice)];
        if (graph.threshold > 0) sum += graph.window * transition.distance / graph.threshold;
        if (transition.to == target) {
          if (!graph.clips[index(target)].loops) sum += transition.to_frame;
          if (sum < best) best = sum, last = place, last_choice = choice;
          continue;
        }
      }
      const Place to{next.clip, next.frame};
      if (Reached& entry = reached[to]; sum < entry.cost) {
        entry = {sum, place, choice};
        open.push({sum, to});
      }
    }
  }
  std::vector<int> choices;
  if (best == HUGE_VAL) return choices;
  choices.push_back(last_choice);
  for (Place at = last; at != start; at = reached[at].before) choices.push_back(reached[at].choice);
  std::reverse(choices.begin(), choices.end());
  return choices;
}

}  // namespace

Walk play_in_turn(const GraphWalker& walker, std::span<const ClipTurn> turns) {
  constexpr int no_end = std::numeric_limits<int>::max();
  Walk walk;
  if (turns.empty()) return walk;
  WalkState state = walker.begin_in(turns.front().clip, 0, {});
  walk.frames.push_back({state.clip, state.frame, state.ground, -1, 0, {}, 0});
  for (std::size_t k = 0; k < turns.size(); ++k) {
    const bool is_here = state.clip == turns[k].clip && walker.clip(state.clip).loops();
    // The time of a clip begins where the transition into it ends.
    const std::vector<int> way = k > 0 && !is_here ? quickest_way(walker, state, turns[k].clip) : std::vector<int>{};
    for (std::size_t c = 0; c < way.size(); ++c)
      walker.take(way[c], c + 1 == way.size() ? state.frames + walker.graph().window : no_end, state, &walk);
    const bool loops = walker.clip(turns[k].clip).loops();
    const int wanted = turns[k].frames > 0 ? turns[k].frames : loops ? walker.clip(turns[k].clip).frames() : no_end;
    const int end = wanted == no_end ? no_end : state.frames + wanted;
    // The last clip ends in time or with its frames, the others at a transition.
    const bool to_end = k + 1 == turns.size() || walker.graph().transitions.empty();
    const auto goes_on = [&] {
      if (to_end) return walker.clip(state.clip).has(state.frame + 1);
      return walker.choices(state).front() == GraphWalker::go_on;
    };
    while (state.frames < end && goes_on()) walker.take(GraphWalker::go_on, to_end ? end : no_end, state, &walk);
  }
  return walk;
}

}  // namespace sinew
