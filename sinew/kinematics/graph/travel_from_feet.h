// The way along the ground of a body that steps in place, as in many clips for games: feet that stand go backward as on
// a treadmill, and the body goes forward as fast.
#pragma once

#include "sinew/character/clip.h"
#include "sinew/kinematics/graph/point_cloud.h"

namespace sinew {

// Points of the skin that is lowest at rest, within 5 % of the height: soles, paws and hooves.
PointCloud cloud_of_soles(const SimulationSurface& surface, double metres_per_unit, std::size_t count = 96);

// Velocity, metres per second along the ground of the world, that lets the soles stand: the median over the clip of
// how fast those go backward that are lowest, while they are on the ground. Zero if they stand still or go in all
// directions, and for clips that travel by themselves. `height`: of the body, metres. The clip must loop.
Vec3 travel_from_feet(const Skeleton& skeleton, const PointCloud& soles, double height, const Clip& clip);

}  // namespace sinew
