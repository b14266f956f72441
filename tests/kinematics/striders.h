// A body that strides, with clips that go straight on or in a curve, and their graph.
#pragma once

#include <cmath>
#include <initializer_list>
#include <numbers>
#include <string>
#include <vector>

#include "sinew/kinematics/graph/walk_graph.h"
#include "tests/kinematics/bare_skeleton.h"

namespace sinew::test {

inline constexpr double half_circle = std::numbers::pi;

// A body of hips that bob and a leg that swings, and clips of it that go straight on or in a curve.
struct Striders {
  Skeleton skeleton;
  std::vector<Clip> clips;
  GraphBody body;
  std::vector<FramedClip> framed;
  MotionGraph graph;

  Striders() : skeleton(bare_skeleton({{-1, {0, 1, 0}}, {0, {0.1, 0, 0}}, {1, {0, -0.9, 0}}})) {}

  void add_clip(const std::string& name, double stride, double turn, double seconds = 1) {
    Clip clip{name, {}, 0, seconds};
    Channel way{0, ChannelPath::translation, Interpolation::linear, {}, 3, {}};
    Channel heading{0, ChannelPath::rotation, Interpolation::linear, {}, 4, {}};
    Channel swing{1, ChannelPath::rotation, Interpolation::linear, {}, 4, {}};
    const int keys = static_cast<int>(30 * seconds);
    Vec3 place{0, 1, 0};
    for (int k = 0; k <= keys; ++k) {
      const double share = static_cast<double>(k) / keys, angle = turn * share;
      const auto put = [&](Channel& channel, std::initializer_list<double> values) {
        channel.times.push_back(share * seconds);
        channel.values.insert(channel.values.end(), values);
      };
      put(way, {place.x, 1 + 0.03 * std::cos(4 * half_circle * share), place.z});
      const double middle = angle + turn / keys / 2;
      place += Vec3{std::sin(middle), 0, std::cos(middle)} * (stride / keys);
      const Quat q = axis_angle({0, 1, 0}, angle), s = axis_angle({1, 0, 0}, 0.5 * std::sin(2 * half_circle * share));
      put(heading, {q.x, q.y, q.z, q.w});
      put(swing, {s.x, s.y, s.z, s.w});
    }
    clip.channels = {way, heading, swing};
    clips.push_back(clip);
  }

  // Clips of a second: left, straight and right at 1.2 m/s, a run, and one that stands.
  void add_usual_clips() {
    add_clip("left", 1.2, 0.8);
    add_clip("straight", 1.2, 0);
    add_clip("right", 1.2, -0.8);
    add_clip("run", 3, 0);
    add_clip("stand", 0, 0);
  }

  // Transitions between all clips at the same phase.
  void connect() {
    body = graph_body(skeleton, clips, {}, 0, 1);
    for (const Clip& clip : clips) framed.emplace_back(body, clip, true, 30.0);
    graph.frames_per_second = 30;
    graph.window = 6;
    graph.threshold = 0.1;
    for (std::size_t a = 0; a < clips.size(); ++a) {
      graph.clips.push_back({clips[a].name, true, framed[a].frames(), {}});
      for (std::size_t b = 0; b < clips.size(); ++b)
        for (const int frame : {0, 15})
          if (a != b) {
            const Standing to = framed[a].standing(frame);
            graph.transitions.push_back({static_cast<int>(a), static_cast<int>(b), frame, frame,
                                         after(to, inverse(framed[b].standing(frame))), 0.01});
          }
    }
    keep_strongest_part(graph);
  }
};

}  // namespace sinew::test
