#include "sinew/jobs/motion/graph/find_motion_graph.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/character/choose_clip.h"
#include "sinew/jobs/motion/graph/blend_nodes.h"
#include "sinew/jobs/motion/graph/chosen_clips.h"
#include "sinew/kinematics/graph/framed_clip.h"
#include "sinew/kinematics/graph/standing_soles.h"
#include "sinew/kinematics/graph/walk_clip.h"
#include "sinew/kinematics/graph/walk_poser.h"

namespace sinew {
namespace {

constexpr int most_frames = 100000;
// Largest distance of a transition whose clips are lively, as a share of the body's longest side.
constexpr double most_of_size = 0.12;
constexpr double least_of_size = 0.02;  // distances below that are taken for alike, however still the clips are

std::string metres_text(double metres) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g m", metres);
  return text;
}

// The clips as the graph has them, with what is said about them.
class ChosenClips {
 public:
  ChosenClips(const MotionGraphOptions& options, const Character& source, const GraphCharacter& character,
              std::deque<Clip>& blends, std::vector<std::string>& notes)
      : window_(std::max(1, static_cast<int>(std::lround(options.window * options.frames_per_second)))) {
    std::vector<std::string> too_short, treading;
    int all = 0;
    for (const int place : chosen_clips(source, options.clips, notes)) {
      const Clip& clip = source.clips[index(place)];
      if ((clip.end - clip.start) * options.frames_per_second > most_frames) all = most_frames + 1;
      if (all > most_frames) break;
      FramedClip framed = framed_clip(character, source, clip, options.frames_per_second, options.travel_from_feet);
      if (!framed.loops() && framed.frames() <= window_) {
        too_short.push_back("'" + clip.name + "'");
        continue;
      }
      if (norm(framed.travel()) > 0) treading.push_back(clip_with_speed(framed));
      all += framed.frames();
      graph.clips.push_back({clip.name, framed.loops(), framed.frames(), framed.travel()});
      places.push_back(place);
      framed_.push_back(std::move(framed));
    }
    if (all > most_frames)
      throw usage_error("--clips: the clips have more than " + std::to_string(most_frames) +
                        " frames; name some of them, or ask for fewer frames a second with --fps.");
    if (!too_short.empty())
      notes.push_back("clips that are shorter than a transition are left out: " + some_of(too_short) + ".");
    for (const std::vector<int>& members : nodes_of(options, source, character, notes))
      add_node(options, source, character, members, blends, notes);
    if (!treading.empty())
      notes.push_back("these clips step in place, and go as fast as their feet tread: " + some_of(treading) + ".");
    graph.frames_per_second = options.frames_per_second;
    graph.window = window_;
  }

  MotionGraph graph;  // without transitions
  std::vector<int> places;
  const std::vector<FramedClip>& framed() const { return framed_; }

  std::vector<WindowRun> add_to(WindowDistances& distances, const GraphCharacter& character) {
    std::vector<WindowRun> runs;
    for (const FramedClip& clip : framed_) {
      // A window after the last one in which a transition begins must exist too, to be arrived in.
      const int windows = clip.loops() ? clip.frames() : clip.frames() - window_;
      runs.push_back({distances.frames(), index(windows), clip.loops()});
      const int frames = clip.loops() ? clip.frames() + window_ + 3 : clip.frames();
      clouds_.push_back(cloud_frames(character.cloud, clip, frames));
      soles_.push_back(cloud_frames(character.soles, clip, frames));
      standing_.push_back(
          standing_soles(soles_.back(), character.soles.points.size(), character.height, graph.frames_per_second));
      distances.add_run(clouds_.back(), index(windows));
      std::vector<double> jerk = jerk_of(clouds_.back(), character.cloud.weights(), graph.frames_per_second);
      if (jerk.empty()) jerk.push_back(0);
      const auto middle = jerk.begin() + static_cast<std::ptrdiff_t>(jerk.size() / 2);
      std::nth_element(jerk.begin(), middle, jerk.end());
      usual_jerk_.push_back(*middle);
      most_jerk_.push_back(*std::max_element(jerk.begin(), jerk.end()));
    }
    return runs;
  }

  // The motion that brings a window of the second clip to one of the first.
  GroundAlignment alignment(const GraphCharacter& character, std::size_t first, int first_frame, std::size_t second,
                            int second_frame) const {
    const auto points = [&](std::size_t clip, int frame) {
      const auto part = [&](const auto& of_clips, std::size_t count) {
        return std::span(of_clips[clip]).subspan(index(frame) * count, index(window_) * count);
      };
      const std::size_t cloud = character.cloud.points.size(), soles = character.soles.points.size();
      return WindowPoints{part(clouds_, cloud), part(soles_, soles), part(standing_, soles)};
    };
    return align_windows(points(first, first_frame), points(second, second_frame), character.cloud.weights());
  }

  // Largest distances of transitions between two clips, metres. A transition may be as rough as the livelier of its
  // clips usually is: the jerk that it adds is at most the median of that clip's. Lively clips could hide any distance
  // by that; poses that differ by more than a share of the body look like others.
  DenseMatrix limits(double size) const {
    const double least = least_of_size * size, most = size > 0 ? most_of_size * size : HUGE_VAL;
    const double added = transition_jerk(window_, graph.frames_per_second);
    DenseMatrix result(framed_.size(), framed_.size());
    for (std::size_t i = 0; i < framed_.size(); ++i)
      for (std::size_t j = 0; j < framed_.size(); ++j)
        result(i, j) = std::clamp(std::max(usual_jerk_[i], usual_jerk_[j]) / added, least, most);
    return result;
  }

  // Whether the points of the cloud, blended from one clip to the other with the way that both travel, have no more
  // jerk than they have anywhere in the rougher of the two, or than a transition that is too short to be seen.
  bool is_smooth(const GraphCharacter& character, std::size_t first, int first_frame, std::size_t second,
                 int second_frame, const Standing& motion) const {
    const std::size_t points = character.cloud.points.size();
    const FramedClip& from = framed_[first];
    const Affine moved = to_affine(motion), cycle_before = to_affine(inverse(from.cycle()));
    const Vec3 first_step = from.travel_step(), second_step = turned(motion.heading, framed_[second].travel_step());
    const int begin = from.loops() ? -2 : -std::min(2, first_frame);
    Vec3 way = begin * first_step;  // of the travel
    std::vector<Vec3> blended;
    for (int t = begin; t <= window_ + 2; ++t) {
      const double weight = weight_at(t), share = (weight_at(t) + weight_at(t - 1)) / 2;
      if (t > begin) way += (1 - share) * first_step + share * second_step;
      const bool is_before = first_frame + t < 0;  // in the cycle before
      const std::size_t a = index(first_frame + t + (is_before ? from.frames() : 0)) * points,
                        b = t < 0 ? 0 : index(second_frame + t) * points;
      if ((weight < 1 && a >= clouds_[first].size()) || (weight > 0 && b >= clouds_[second].size())) break;
      for (std::size_t k = 0; k < points; ++k) {
        Vec3 at = way;
        if (weight < 1) at += (1 - weight) * (is_before ? cycle_before * clouds_[first][a + k] : clouds_[first][a + k]);
        if (weight > 0) at += weight * (moved * clouds_[second][b + k]);
        blended.push_back(at);
      }
    }
    const double unseen = least_of_size * character.size * transition_jerk(window_, graph.frames_per_second);
    const double most = std::max({most_jerk_[first], most_jerk_[second], unseen});
    const std::vector<double> jerk = jerk_of(blended, character.cloud.weights(), graph.frames_per_second);
    // Frames beside the blend are those of the clips, but for rounding.
    constexpr double rounding = 1e-9, clearly = 0.95;
    const auto below = [](const std::vector<double>& all, double limit) {
      return std::all_of(all.begin(), all.end(), [&](double each) { return each <= limit; });
    };
    if (below(jerk, clearly * most)) return true;
    return below(jerk, (1 + rounding) * most) &&
           below(jerk_in_poses(character, first, second, {0, 1, first_frame, second_frame, motion, 0}),
                 (1 + rounding) * most);
  }

 private:
  // Jerk of a transition between two clips as a walk has it, where joints turn from pose to pose, with two frames
  // before and behind it.
  std::vector<double> jerk_in_poses(const GraphCharacter& character, std::size_t first, std::size_t second,
                                    const GraphTransition& transition) const {
    MotionGraph two;
    two.frames_per_second = graph.frames_per_second;
    two.window = window_;
    two.clips = {graph.clips[first], graph.clips[second]};
    two.transitions = {transition};
    const std::vector<FramedClip> clips{framed_[first], framed_[second]};
    const GraphWalker walker(two, clips);
    const int from = transition.from_frame, cycle = clips[0].loops() && from < 2 ? clips[0].frames() : 0;
    WalkState state = walker.begin_in(0, std::max(0, from + cycle - 2), {});
    Walk walk;
    walk.frames.push_back({state.clip, state.frame, state.ground, -1, 0, {}, 0});
    RunningTransition running;
    while (state.frame != from) walker.step(state, running, &walk);
    running = walker.begin(0, state, &walk);
    do walker.step(state, running, &walk);
    while (running.transition != GraphWalker::go_on);
    for (int k = 0; k < 2 && clips[1].has(state.frame + 1); ++k) walker.step(state, running, &walk);
    WalkPoser poser(character.body, clips);
    const std::size_t points = character.cloud.points.size();
    std::vector<Vec3> positions(walk.frames.size() * points);
    Pose pose;
    for (std::size_t f = 0; f < walk.frames.size(); ++f) {
      const WalkPose& own = poser(walk.frames[f]);
      pose_between(*character.body.skeleton, poser.moved(), own, own, 1, pose);
      character.cloud.place(pose, std::span(positions).subspan(f * points, points));
    }
    return jerk_of(positions, character.cloud.weights(), graph.frames_per_second);
  }

  // Clips that are blended with each other.
  std::vector<std::vector<int>> nodes_of(const MotionGraphOptions& options, const Character& source,
                                         const GraphCharacter& character, std::vector<std::string>& notes) const {
    if (options.blend.empty()) return {};
    if (options.blend != std::vector<std::string>{"found"}) {
      std::vector<int> members;
      for (const std::string& name : options.blend) members.push_back(choose_clip(source, checked_clip(name)));
      if (members.size() < 2 || std::set<int>(members.begin(), members.end()).size() < members.size())
        throw usage_error("--blend: name two or more different clips, as in Walk,Run, or found.");
      return {members};
    }
    const std::vector<int> found = clips_of_one_gait(character, source, places, options.travel_from_feet);
    if (!found.empty()) return {found};
    notes.push_back("no clips were found that step alike at different speeds, so that none are blended.");
    return {};
  }

  void add_node(const MotionGraphOptions& options, const Character& source, const GraphCharacter& character,
                const std::vector<int>& members, std::deque<Clip>& blends, std::vector<std::string>& notes) {
    const BlendSpace space =
        blend_space_of(character, source, members, options.frames_per_second, options.travel_from_feet);
    const std::size_t first = graph.clips.size(), first_blend = blends.size();
    const GraphNode node = add_blends(space, source, members, blends, graph.clips);
    std::optional<double> slide;
    for (std::size_t k = first_blend; k < blends.size(); ++k) {
      GraphClip& own = graph.clips[first + k - first_blend];
      framed_.emplace_back(character.body, blends[k], true, options.frames_per_second, own.travel);
      own.frames = framed_.back().frames();
      places.push_back(static_cast<int>(source.clips.size() + k));
      if (const std::optional<double> own_slide = slide_on_its_way(character, framed_.back()))
        slide = std::max(slide.value_or(0), *own_slide);
    }
    char text[96], feet[64] = "";
    std::snprintf(text, sizeof(text), "%.3g to %.3g %s, %zu blends", space.least(), space.most(),
                  space.by_turn() ? "rad/s" : "m/s", blends.size() - first_blend);
    if (slide) std::snprintf(feet, sizeof(feet), " whose feet slide by %.1f %% of the leg at most", 100 * *slide);
    notes.push_back("blended are " + some_of(node.clips) + ": " + text + feet + ".");
    graph.nodes.push_back(node);
  }

  double weight_at(int t) const { return t <= 0 ? 0 : t >= window_ ? 1 : transition_weight(t, window_); }

  int window_;
  std::vector<FramedClip> framed_;
  // Per clip: frames x points of the cloud, of the soles, and whether these stand.
  std::vector<std::vector<Vec3>> clouds_, soles_;
  std::vector<std::vector<char>> standing_;
  std::vector<double> usual_jerk_, most_jerk_;  // per clip: median and largest, metres per second cubed
};

// Both directions of each pair of windows, where they are smooth; of each two clips the nearest pairs.
void add_transitions(const SimilarWindows& similar, const std::vector<WindowRun>& runs, const ChosenClips& chosen,
                     const GraphCharacter& character, MotionGraph& graph) {
  constexpr std::size_t most = 6;
  const auto run_of = [&](std::size_t frame) {
    std::size_t r = 0;
    while (r + 1 < runs.size() && runs[r + 1].begin <= frame) ++r;
    return r;
  };
  std::map<std::pair<std::size_t, std::size_t>, std::vector<WindowPair>> by_clips;
  for (const WindowPair& pair : similar.pairs) by_clips[{run_of(pair.first), run_of(pair.second)}].push_back(pair);
  for (auto& [clips, pairs] : by_clips) {
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const WindowPair& x, const WindowPair& y) { return x.distance < y.distance; });
    const auto [a, b] = clips;
    std::size_t added = 0;
    const auto add = [&](std::size_t from, int from_frame, std::size_t to, int to_frame,
                         const GroundAlignment& aligned) {
      if (!chosen.is_smooth(character, from, from_frame, to, to_frame, aligned.motion)) return false;
      graph.transitions.push_back(
          {static_cast<int>(from), static_cast<int>(to), from_frame, to_frame, aligned.motion, aligned.distance});
      return true;
    };
    for (const WindowPair& pair : pairs) {
      const int first = static_cast<int>(pair.first - runs[a].begin),
                second = static_cast<int>(pair.second - runs[b].begin);
      GroundAlignment aligned = chosen.alignment(character, a, first, b, second);
      const bool there = add(a, first, b, second, aligned);
      aligned.motion = inverse(aligned.motion);
      const bool back = add(b, second, a, first, aligned);
      added += there || back;
      if (added == most) break;
    }
  }
}

// Says how far the clips that fell out are from others.
void note_left_out(const std::vector<std::string>& left_out, const MotionGraph& all, const DenseMatrix& nearest,
                   std::vector<std::string>& notes) {
  if (left_out.empty()) return;
  std::vector<std::string> each;
  for (const std::string& name : left_out) {
    std::size_t c = 0, near = 0;
    while (all.clips[c].name != name) ++c;
    if (near == c && all.clips.size() > 1) near = 1;
    for (std::size_t k = 0; k < all.clips.size(); ++k)
      if (k != c && nearest(c, k) < nearest(c, near)) near = k;
    const bool has_other = near != c && std::isfinite(nearest(c, near));
    each.push_back("'" + name + "'" +
                   (has_other ? " (" + metres_text(nearest(c, near)) + " from " + all.clips[near].name + ")" : ""));
  }
  notes.push_back("no way leads into these clips and out again, so that they are left out: " + some_of(each) +
                  "; a larger --threshold may take more of them in.");
}

// Says why there is no transition, by the nearest windows of two clips, or of the only one.
std::string without_transitions(const DenseMatrix& nearest, const DenseMatrix& limits) {
  double least = HUGE_VAL, limit = 0;
  for (std::size_t i = 0; i < nearest.rows; ++i)
    for (std::size_t j = 0; j < nearest.columns; ++j)
      if ((i != j || nearest.rows == 1) && nearest(i, j) < least) least = nearest(i, j), limit = limits(i, j);
  if (!std::isfinite(least))
    return "its clip is too short for two stretches apart; choose others, or a shorter --window";
  const std::string differ = "the nearest differ by " + metres_text(least) + ", and the threshold is ";
  if (least > limit)
    return "no stretches of its clips are alike enough for a transition: " + differ + metres_text(limit) +
           "; raise it with --threshold";
  return "no transitions of its clips lead on: " + differ + metres_text(limit) +
         ", but there they would be rougher than the clips, or none leads back; choose other clips, or a longer "
         "--window";
}
}  // namespace

FoundMotionGraph find_motion_graph(const Character& source, const GraphCharacter& character,
                                   const MotionGraphOptions& options, std::size_t map_size, const Progress& progress) {
  if (options.threshold && !(*options.threshold > 0)) throw usage_error("--threshold: must be more than 0 metres.");
  FoundMotionGraph found;
  ChosenClips chosen(options, source, character, found.blends, found.notes);
  if (chosen.graph.clips.empty())
    throw input_error(source.file +
                      ": has no clip that is longer than a transition; a motion graph needs some, or a shorter "
                      "--window.");

  report_or_stop(progress, "comparing poses", 0.1);
  WindowDistances distances(character.cloud.weights(), chosen.graph.window);
  found.runs = chosen.add_to(distances, character);
  DenseMatrix limits = chosen.limits(character.size);
  if (options.threshold) std::fill(limits.value.begin(), limits.value.end(), *options.threshold);
  found.similar = find_similar_windows(distances, found.runs, limits, map_size);
  found.graph = chosen.graph;
  found.graph.threshold = *std::max_element(limits.value.begin(), limits.value.end());
  add_transitions(found.similar, found.runs, chosen, character, found.graph);
  found.all = found.graph;
  const std::vector<std::string> left_out = keep_strongest_part(found.graph);
  if (found.graph.transitions.empty() && (found.all.clips.size() > 1 || !found.all.clips.front().loops))
    throw input_error(source.file + ": " + without_transitions(found.similar.nearest, limits) + ".");
  note_left_out(left_out, found.all, found.similar.nearest, found.notes);
  for (const GraphClip& clip : found.graph.clips) {
    std::size_t c = 0;
    while (found.all.clips[c].name != clip.name) ++c;
    found.places.push_back(chosen.places[c]);
  }
  return found;
}

}  // namespace sinew
