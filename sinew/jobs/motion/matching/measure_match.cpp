#include "sinew/jobs/motion/matching/measure_match.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/jobs/motion/graph/chosen_clips.h"
#include "sinew/jobs/motion/graph/measure_walk.h"
#include "sinew/kinematics/graph/path_guide.h"
#include "sinew/kinematics/graph/walk_clip.h"

namespace sinew {
namespace {

double lowest(std::span<const Vec3> positions) {
  double ground = HUGE_VAL;
  for (const Vec3& p : positions) ground = std::min(ground, p.y);
  return ground;
}

// Mean speed along the ground of the slowest point of the soles that is low, metres per second, over the frames in
// which there is one: 0 where something of the body always stands. `positions`: frames x points; `grounds`: per frame,
// the height that is the ground; `travel`: of the body beyond them, from frame to frame.
double skating(std::span<const Vec3> positions, std::size_t points, std::span<const double> grounds, const Vec3& travel,
               double height, double rate) {
  constexpr double low = 0.03;  // of the height
  double sum = 0;
  int count = 0;
  for (std::size_t f = 0; points > 0 && (f + 2) * points <= positions.size(); ++f) {
    double slowest = HUGE_VAL;
    for (std::size_t k = 0; k < points; ++k) {
      const Vec3 &a = positions[f * points + k], &b = positions[(f + 1) * points + k], way = b - a + travel;
      if (std::max(a.y, b.y) < grounds[f] + low * height) slowest = std::min(slowest, std::hypot(way.x, way.z));
    }
    if (std::isfinite(slowest)) sum += slowest * rate, ++count;
  }
  return count > 0 ? sum / count : 0;
}

// Positions of the soles in the frames of a clip, and the lowest height of them.
struct ClipSoles {
  std::vector<Vec3> positions;
  double ground = 0;
};
ClipSoles soles_of(const GraphCharacter& character, const FramedClip& clip) {
  ClipSoles soles{cloud_frames(character.soles, clip, clip.frames() + (clip.loops() ? 1 : 0)), 0};
  soles.ground = lowest(soles.positions);
  return soles;
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

}  // namespace

void measure_clips(const GraphCharacter& character, std::span<const FramedClip> clips, const MatchedWalk& walk,
                   MatchReport& report) {
  std::vector<int> played(clips.size(), 0);
  for (const MatchedFrame& frame : walk.frames) {
    ++played[index(frame.place.clip)];
    report.changes += frame.went_over;
  }
  for (std::size_t c = 0; c < clips.size(); ++c) {
    if (played[c] == 0) continue;
    report.played.emplace_back(clips[c].clip().name, played[c] / static_cast<double>(walk.frames.size()));
    report.own_jerk = std::max(report.own_jerk, jerk_of_clip(character, clips[c]));
    if (const std::optional<double> slide = slide_on_its_way(character, clips[c]))
      report.own_slide = std::max(report.own_slide.value_or(0), *slide);
    const ClipSoles soles = soles_of(character, clips[c]);
    report.own_skating += skating(soles.positions, character.soles.points.size(),
                                  std::vector<double>(soles.positions.size(), soles.ground), clips[c].travel_step(),
                                  character.height, clips[c].frames_per_second()) *
                          played[c] / static_cast<double>(walk.frames.size());
  }
  std::stable_sort(report.played.begin(), report.played.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
}

void measure_motion(const GraphCharacter& character, std::span<const FramedClip> clips, const MatchedWalk& walk,
                    const Clip& clip, MatchReport& report) {
  const std::size_t frames = walk.frames.size();
  const double rate = static_cast<double>(frames - 1) / clip.end;
  report.jerk =
      largest(jerk_of(cloud_of_clip(character, character.cloud, clip, frames, rate), character.cloud.weights(), rate));
  // Clips may stand at different heights.
  std::vector<double> ground_of(clips.size(), HUGE_VAL), grounds;
  for (const MatchedFrame& frame : walk.frames) {
    double& ground = ground_of[index(frame.place.clip)];
    if (ground == HUGE_VAL) ground = soles_of(character, clips[index(frame.place.clip)]).ground;
    grounds.push_back(ground);
  }
  report.skating = skating(cloud_of_clip(character, character.soles, clip, frames, rate), character.soles.points.size(),
                           grounds, {}, character.height, rate);
}

void measure_path(const GraphBody& body, const MatchedWalk& walk, const GroundPath& path, MatchReport& report) {
  std::vector<Vec3> places;
  for (const MatchedFrame& frame : walk.frames) places.push_back(frame.body.place);
  const MeasuredWay way = measure_way(places, &path);
  report.metres = way.metres;
  report.mean_away = *way.mean_away;
  report.most_away = *way.most_away;
  double sum = 0;
  for (std::size_t f = 0; f < walk.frames.size(); ++f) {
    const Vec3 looks = turned(walk.frames[f].body.heading, body.forward);
    const double turn = std::abs(turn_between(looks, path.direction(way.ways[f]))) * 180 / std::numbers::pi;
    sum += turn;
    report.most_turned = std::max(report.most_turned, turn);
  }
  report.mean_turned = sum / static_cast<double>(walk.frames.size());
}

}  // namespace sinew
