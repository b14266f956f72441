#include "sinew/kinematics/graph/point_cloud.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/kinematics/body_bones.h"

namespace sinew {
namespace {

std::vector<double> vertex_areas(const TriangleMesh& mesh) {
  std::vector<double> areas(mesh.positions.size(), 0.0);
  for (const auto& triangle : mesh.triangles) {
    const auto corner = [&](std::size_t k) { return mesh.positions[static_cast<std::size_t>(triangle[k])]; };
    const double area = norm(cross(corner(1) - corner(0), corner(2) - corner(0))) / 2;
    for (const auto vertex : triangle) areas[static_cast<std::size_t>(vertex)] += area / 3;
  }
  return areas;
}

// Vertices spread over those that have influences, and for each of all the number of the nearest one.
struct SpreadVertices {
  std::vector<std::size_t> vertices, nearest;
};

SpreadVertices spread_vertices(const SimulationSurface& surface, std::size_t count,
                               const std::function<bool(const Vec3&)>& wanted) {
  const std::vector<Vec3>& at = surface.rest.positions;
  SpreadVertices spread{{}, std::vector<std::size_t>(at.size(), 0)};
  std::vector<double> away(at.size(), HUGE_VAL);
  const auto takes_part = [&](std::size_t v) { return surface.influences[v].count > 0 && (!wanted || wanted(at[v])); };
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t farthest = at.size();
    for (std::size_t v = 0; v < at.size(); ++v)
      if (takes_part(v) && (farthest == at.size() || away[v] > away[farthest])) farthest = v;
    if (farthest == at.size() || !(away[farthest] > 0)) break;
    spread.vertices.push_back(farthest);
    for (std::size_t v = 0; v < at.size(); ++v)
      if (const double d = squared_norm(at[v] - at[farthest]); d < away[v]) away[v] = d, spread.nearest[v] = k;
  }
  return spread;
}

void make_weights_add_up_to_one(PointCloud& cloud) {
  double sum = 0;
  for (const CarriedPoint& point : cloud.points) sum += point.weight;
  for (CarriedPoint& point : cloud.points)
    point.weight = sum > 0 ? point.weight / sum : 1.0 / static_cast<double>(cloud.points.size());
}

}  // namespace

std::vector<double> PointCloud::weights() const {
  std::vector<double> result;
  for (const CarriedPoint& point : points) result.push_back(point.weight);
  return result;
}

void PointCloud::place(const Pose& pose, std::span<Vec3> positions) const {
  for (std::size_t k = 0; k < points.size(); ++k) {
    Vec3 sum;
    for (const CarriedPoint::Bond& bond : points[k].bonds)
      sum += bond.weight * (pose.world[index(bond.joint)] * bond.place);
    positions[k] = metres_per_unit * sum;
  }
}

PointCloud cloud_of_skin(const SimulationSurface& surface, double metres_per_unit, std::size_t count,
                         const std::function<bool(const Vec3&)>& wanted) {
  PointCloud cloud{{}, metres_per_unit};
  const SpreadVertices spread = spread_vertices(surface, count, wanted);
  for (const std::size_t vertex : spread.vertices) {
    CarriedPoint point;
    const Influences& own = surface.influences[vertex];
    for (std::size_t k = 0; k < index(own.count); ++k) {
      const Bone& bone = surface.bones[index(own.joint[k])];
      point.bonds.push_back({bone.joint, own.weight[k], bone.rest_to_joint * surface.rest.positions[vertex]});
    }
    cloud.points.push_back(std::move(point));
  }
  if (cloud.points.empty()) return cloud;
  const std::vector<double> areas = vertex_areas(surface.rest);
  for (std::size_t v = 0; v < areas.size(); ++v) cloud.points[spread.nearest[v]].weight += areas[v];
  make_weights_add_up_to_one(cloud);
  return cloud;
}

PointCloud cloud_of_joints(const Skeleton& skeleton, std::span<const int> tops, double metres_per_unit) {
  PointCloud cloud{{}, metres_per_unit};
  const Pose rest = sample(skeleton, nullptr, 0);
  std::vector<int> point_of(skeleton.joints.size(), -1);
  for (const int joint : skeleton.parents_first) {
    const int parent = skeleton.joints[index(joint)].parent;
    const bool is_top = std::find(tops.begin(), tops.end(), joint) != tops.end();
    const int above = parent >= 0 ? point_of[index(parent)] : -1;
    if (!is_top && above < 0) continue;
    point_of[index(joint)] = static_cast<int>(cloud.points.size());
    cloud.points.push_back({0, {{joint, 1, {}}}});
    if (above < 0) continue;
    const double length = distance(rest.world[index(joint)].translation, rest.world[index(parent)].translation);
    cloud.points.back().weight += length / 2;
    cloud.points[index(above)].weight += length / 2;
  }
  make_weights_add_up_to_one(cloud);
  return cloud;
}

}  // namespace sinew
