// Makes a clip of a walk through a motion graph, and measures how evenly motion goes over from clip to clip.
#pragma once

#include <string>

#include "sinew/kinematics/graph/point_cloud.h"
#include "sinew/kinematics/graph/walk_graph.h"

namespace sinew {

// The walk's poses as linear keys. Joints that transitions blend begin along the shorter arc; place and heading of the
// body are blended in the world.
Clip walk_clip(const GraphBody& body, std::span<const FramedClip> clips, const Walk& walk, double frames_per_second,
               const std::string& name);

// Positions of a cloud in frames of a clip, frames x points, metres, with cycles and without travel.
std::vector<Vec3> cloud_frames(const PointCloud& cloud, const FramedClip& clip, int frames);

// Mean speed of the cloud's points relative to where the body stands, metres per second.
double liveliness_of(const PointCloud& cloud, const FramedClip& clip);

// Root of the weighted mean over points of the squared third difference over four frames in a row, metres per second
// cubed; one entry for each frame that has three more after it.
std::vector<double> jerk_of(std::span<const Vec3> positions, std::span<const double> weights, double frames_per_second);

// Jerk of a transition of `window` frames between poses that rest a metre apart: the largest third difference of its
// weight. A transition over a distance d adds d times this to the motion of its clips.
double transition_jerk(int window, double frames_per_second);

}  // namespace sinew
