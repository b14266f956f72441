#include "sinew/jobs/motion/graph/measure_walk.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/kinematics/graph/walk_clip.h"

namespace sinew {
namespace {

// Positions of the cloud in the frames of a finished clip.
std::vector<Vec3> cloud_of_clip(const GraphCharacter& character, const Clip& clip, std::size_t frames,
                                double frames_per_second) {
  const std::size_t points = character.cloud.points.size();
  std::vector<Vec3> positions(frames * points);
  SamplingSpace space;
  Pose pose;
  for (std::size_t f = 0; f < frames; ++f) {
    sample(*character.body.skeleton, &clip, static_cast<double>(f) / frames_per_second, space, pose);
    character.cloud.place(pose, std::span(positions).subspan(f * points, points));
  }
  return positions;
}

}  // namespace

Standing body_standing(std::span<const FramedClip> clips, const WalkFrame& frame) {
  Standing body = after(frame.ground, clips[index(frame.clip)].standing(frame.frame));
  if (frame.next < 0) return body;
  Standing next = after(frame.next_ground, clips[index(frame.next)].standing(frame.next_frame));
  next.heading = nearest_heading(next.heading, body.heading);
  return mixed(body, next, frame.weight);
}

void measure_way(std::span<const FramedClip> clips, const Walk& walk, const std::optional<GroundPath>& path,
                 WalkReport& report) {
  double sum = 0, most = 0, way = 0, away = 0;
  Vec3 before = path ? path->at(0) : Vec3{};
  for (std::size_t f = 0; f < walk.frames.size(); ++f) {
    const Vec3 place = body_standing(clips, walk.frames[f]).place;
    const double step = distance(place, before);
    if (f > 0) report.metres += step;
    before = place;
    if (!path) continue;
    // The nearest point is looked for about that of the frame before, so that crossings are not mixed up. No point
    // farther along a straight path than this can be nearer; curves may take twice as much.
    way = path->nearest_way(place, way, 2 * (step + away));
    away = distance({place.x, 0, place.z}, path->at(way));
    sum += away;
    most = std::max(most, away);
  }
  if (!path) return;
  report.mean_away = sum / static_cast<double>(walk.frames.size());
  report.most_away = most;
}

void measure_jerk(const GraphCharacter& character, const MotionGraph& graph, std::span<const FramedClip> clips,
                  const Walk& walk, const Clip& clip, WalkReport& report) {
  report.jerk = report.own_jerk = 0;
  report.rougher = 0;
  const std::vector<double> weights = character.cloud.weights();
  const double rate = graph.frames_per_second;
  std::vector<char> played(clips.size(), 0);
  for (const WalkFrame& frame : walk.frames) played[index(frame.clip)] = 1;
  std::vector<double> own(clips.size(), 0.0);
  for (std::size_t c = 0; c < clips.size(); ++c) {
    if (!played[c]) continue;
    const int frames = clips[c].loops() ? clips[c].frames() + 3 : clips[c].frames();
    for (const double jerk : jerk_of(cloud_frames(character.cloud, clips[c], frames), weights, rate))
      own[c] = std::max(own[c], jerk);
    report.own_jerk = std::max(report.own_jerk, own[c]);
  }
  const std::vector<double> jerk = jerk_of(cloud_of_clip(character, clip, walk.frames.size(), rate), weights, rate);
  for (const TakenTransition& taken : walk.transitions) {
    const GraphTransition& transition = graph.transitions[index(taken.transition)];
    const int begin = std::max(0, taken.begin - 2),
              end = std::min(static_cast<int>(jerk.size()), taken.begin + graph.window);
    double most = 0;
    for (int f = begin; f < end; ++f) most = std::max(most, jerk[index(f)]);
    report.jerk = std::max(report.jerk, most);
    report.rougher += most > std::max(own[index(transition.from)], own[index(transition.to)]);
  }
}

}  // namespace sinew
