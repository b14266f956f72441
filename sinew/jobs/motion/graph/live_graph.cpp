#include "sinew/jobs/motion/graph/live_graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/kinematics/graph/walk_clip.h"

namespace sinew {
std::shared_ptr<const LiveGraph> make_live_graph(std::shared_ptr<const OpenedCharacter> opened,
                                                 const Progress& progress) {
  const StopInLoops stop(progress);
  report_or_stop(progress, "finding transitions", 0);
  const auto graph = std::make_shared<LiveGraph>();
  graph->opened = std::move(opened);
  const Character& source = graph->opened->character;
  graph->character = graph_character(*graph->opened);
  const std::string cannot = "The character cannot be steered: " + source.file + ": ";
  FoundMotionGraph found;
  try {
    MotionGraphOptions with_blends;
    with_blends.blend = {"found"};
    found = find_motion_graph(source, graph->character, with_blends, 0, progress);
  } catch (const Error& error) {
    // The remedies of the search are settings that steering does not have.
    throw Error(error.kind(), cannot + (error.kind() == ErrorKind::usage
                                            ? "its clips are too long to be searched together; leave some of them out."
                                            : "its clips do not lead into each other; add motions that do."));
  }
  graph->graph = std::move(found.graph);
  graph->blends = std::move(found.blends);
  graph->notes = std::move(found.notes);
  graph->clips = framed_clips(graph->character, source, graph->blends, graph->graph, found.places);
  graph->speeds = steer_speeds(graph->clips, graph->character.body.forward, graph->character.height);
  if (!(graph->speeds.run > 0))
    throw input_error(cannot + "none of its clips that lead into each other travels; add one that does.");
  if (!some_clip_stands(graph->clips, graph->character.height))
    throw input_error(cannot +
                      "none of its clips that lead into each other stands, so that it could not stop; add one that "
                      "does.");
  SteerOptions& options = graph->options;
  options.forward = graph->character.body.forward;
  options.horizon_seconds = 2;
  options.most_ways = 6;
  if (graph->character.height > 0) options.arm = graph->character.height / 2;
  for (const FramedClip& clip : graph->clips) options.liveliness.push_back(liveliness_of(graph->character.cloud, clip));
  graph->start = steer_start(graph->graph, graph->clips, options);
  return graph;
}

SteerWish steer_wish(const LiveGraph& graph, double turn, double pace) {
  const double walk = graph.speeds.walk, run = graph.speeds.run;
  return {turn * graph.options.help, pace <= 1 ? pace * walk : std::lerp(walk, run, std::min(pace, 2.0) - 1)};
}

SteeredCharacter::SteeredCharacter(std::shared_ptr<const LiveGraph> graph)
    : graph_(std::move(graph)),
      steering_(graph_->graph, graph_->clips, graph_->options, graph_->start.clip, graph_->start.frame),
      poser_(graph_->character.body, graph_->clips) {
  first_ = second_ = poser_(steering_.frame());
}

const Clip& SteeredCharacter::first_clip() const { return graph_->clips[index(graph_->start.clip)].clip(); }

double SteeredCharacter::first_time() const {
  return graph_->clips[index(graph_->start.clip)].seconds(graph_->start.frame);
}

const Pose& SteeredCharacter::pose(double seconds, const SteerWish& wish) {
  const double frame = std::max(0.0, seconds) * graph_->graph.frames_per_second;
  while (frames_ < frame) {
    steering_.next(wish);
    std::swap(first_, second_);
    second_ = poser_(steering_.frame());
    ++frames_;
  }
  const double weight = frames_ == 0 ? 1 : std::clamp(frame - (frames_ - 1), 0.0, 1.0);
  pose_between(*graph_->character.body.skeleton, poser_.moved(), first_, second_, weight, pose_);
  return pose_;
}

}  // namespace sinew
