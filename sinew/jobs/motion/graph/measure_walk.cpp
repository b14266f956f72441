#include "sinew/jobs/motion/graph/measure_walk.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/kinematics/graph/walk_clip.h"

namespace sinew {
std::vector<Vec3> cloud_of_clip(const GraphCharacter& character, const PointCloud& cloud, const Clip& clip,
                                std::size_t frames, double frames_per_second) {
  const std::size_t points = cloud.points.size();
  std::vector<Vec3> positions(frames * points);
  SamplingSpace space;
  Pose pose;
  for (std::size_t f = 0; f < frames; ++f) {
    sample(*character.body.skeleton, &clip, static_cast<double>(f) / frames_per_second, space, pose);
    cloud.place(pose, std::span(positions).subspan(f * points, points));
  }
  return positions;
}

double jerk_of_clip(const GraphCharacter& character, const FramedClip& clip) {
  const int frames = clip.loops() ? clip.frames() + 3 : clip.frames();
  double most = 0;
  for (const double jerk :
       jerk_of(cloud_frames(character.cloud, clip, frames), character.cloud.weights(), clip.frames_per_second()))
    most = std::max(most, jerk);
  return most;
}

Standing body_standing(std::span<const FramedClip> clips, const WalkFrame& frame) {
  Standing body = after(frame.ground, clips[index(frame.clip)].standing(frame.frame));
  if (frame.next < 0) return body;
  Standing next = after(frame.next_ground, clips[index(frame.next)].standing(frame.next_frame));
  next.heading = nearest_heading(next.heading, body.heading);
  return mixed(body, next, frame.weight);
}

MeasuredWay measure_way(std::span<const Vec3> places, const GroundPath* path) {
  MeasuredWay measured;
  double sum = 0, most = 0, way = 0, away = 0;
  Vec3 before = path ? path->at(0) : Vec3{};
  for (std::size_t f = 0; f < places.size(); ++f) {
    const Vec3 place = places[f];
    const double step = distance(place, before);
    if (f > 0) measured.metres += step;
    before = place;
    if (!path) continue;
    // The nearest point is looked for about that of the frame before, so that crossings are not mixed up. No point
    // farther along a straight path than this can be nearer; curves may take twice as much.
    way = path->nearest_way(place, way, 2 * (step + away));
    away = distance({place.x, 0, place.z}, path->at(way));
    measured.ways.push_back(way);
    sum += away;
    most = std::max(most, away);
  }
  if (!path) return measured;
  measured.mean_away = sum / static_cast<double>(places.size());
  measured.most_away = most;
  return measured;
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
    own[c] = jerk_of_clip(character, clips[c]);
    report.own_jerk = std::max(report.own_jerk, own[c]);
  }
  const std::vector<double> jerk =
      jerk_of(cloud_of_clip(character, character.cloud, clip, walk.frames.size(), rate), weights, rate);
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
