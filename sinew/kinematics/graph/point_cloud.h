// Points that a skeleton carries, whose distances say how alike two poses look (Kovar 2002, section 3.1).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"

namespace sinew {

struct CarriedPoint {
  // The point is the sum of weight * (joint's world transform * place).
  struct Bond {
    int joint = -1;
    double weight = 1;
    Vec3 place;  // in the joint's space, file units
  };
  double weight = 0;  // share of the body that the point stands for; those of a cloud add up to 1
  std::vector<Bond> bonds;
};

struct PointCloud {
  std::vector<CarriedPoint> points;
  double metres_per_unit = 1;

  std::vector<double> weights() const;
  // World positions in a pose, metres.
  void place(const Pose& pose, std::span<Vec3> positions) const;
};

// Points spread over the skin: one after the other as far from all others as can be (farthest-point sampling), each
// with the area of the skin that it is nearest to. `wanted`: whether skin at this place at rest takes part; empty: all.
PointCloud cloud_of_skin(const SimulationSurface& surface, double metres_per_unit, std::size_t count = 64,
                         const std::function<bool(const Vec3&)>& wanted = {});

// The joints that move, each with half of the length of every bone that meets there.
PointCloud cloud_of_joints(const Skeleton& skeleton, std::span<const int> tops, double metres_per_unit);

}  // namespace sinew
