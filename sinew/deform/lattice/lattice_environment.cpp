#include "sinew/deform/lattice/lattice_environment.h"

#include <map>

#include "sinew/base/error.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {

std::vector<HeldPoint> belt(const LatticeBody& body, std::span<const int> vertices, std::span<const double> share,
                            const Affine& before, const Affine& now, double step, const std::string& name,
                            int number) {
  std::vector<HeldPoint> held;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const int v = vertices[k];
    if (v < 0 || static_cast<std::size_t>(v) >= body.description.surface_rest.size())
      throw usage_error("belt '" + name + "' holds surface vertex " + std::to_string(v) + ", which does not exist.");
    const Vec3& rest = body.description.surface_rest[static_cast<std::size_t>(v)];
    const Vec3 target = now * rest;
    held.push_back({at_vertex(v), target, (target - before * rest) / step, name, number,
                    share.empty() ? 1 / static_cast<double>(vertices.size()) : share[k]});
  }
  return held;
}

void check_environment(const LatticeBody& body, const Environment& environment) {
  if (environment.held.empty() && !environment.touches()) return;
  const auto vertices = static_cast<int>(body.description.surface.rows());
  for (const HeldPoint& point : environment.held) {
    if (!is_finite(point.target) || !is_finite(point.velocity))
      throw usage_error("'" + point.name + "' is to be held at a place that is not finite.");
    for (std::size_t k = 0; k < 3; ++k)
      if (point.spot.vertex[k] >= vertices || (k == 0 && point.spot.vertex[k] < 0))
        throw usage_error("'" + point.name + "' holds surface vertex " + std::to_string(point.spot.vertex[k]) +
                          ", but the surface has " + std::to_string(vertices) + ".");
  }
  check_colliders(environment.colliders);
  check_colliders(environment.colliders_before);
  const Colliders &now = environment.colliders, &before = environment.colliders_before;
  if (!before.empty() && (now.planes.size() != before.planes.size() || now.capsules.size() != before.capsules.size()))
    throw usage_error("colliders: there are others as a step ends than as it begins; give the same ones, moved.");
}

std::vector<Vec3> forces_of(const LatticeBody& body, std::span<const Poke> pokes) {
  std::vector<Vec3> forces;
  if (pokes.empty()) return forces;
  const LatticeDescription& d = body.description;
  forces.resize(d.role.size());
  for (const Poke& poke : pokes) {
    const std::vector<double> share = poke_shares(d.surface_rest, poke);
    for (std::size_t s = 0; s < share.size(); ++s) {
      if (share[s] == 0) continue;
      for (auto e = static_cast<std::size_t>(d.surface.start[s]); e < static_cast<std::size_t>(d.surface.start[s + 1]); ++e)
        forces[static_cast<std::size_t>(d.surface.column[e])] += (share[s] * d.surface.value[e]) * poke.force;
    }
  }
  return forces;
}

SparseRows values_at_spots(const LatticeBody& body, std::span<const HeldPoint> held) {
  const SparseRows& surface = body.description.surface;
  SparseRows rows;
  rows.columns = surface.columns;
  for (const HeldPoint& point : held) {
    std::map<int, double> row;
    for (std::size_t k = 0; k < 3; ++k) {
      if (point.spot.vertex[k] < 0) continue;
      const auto s = static_cast<std::size_t>(point.spot.vertex[k]);
      for (auto e = static_cast<std::size_t>(surface.start[s]); e < static_cast<std::size_t>(surface.start[s + 1]); ++e)
        row[surface.column[e]] += point.spot.weight[k] * surface.value[e];
    }
    for (const auto& [function, value] : row) {
      rows.column.push_back(function);
      rows.value.push_back(value);
    }
    rows.start.push_back(static_cast<int>(rows.column.size()));
  }
  return rows;
}

void predict_surface_offsets(const LatticeBody& body, std::span<const Affine> bones, const LatticePose& pose,
                             std::vector<Vec3>& offset) {
  const LatticeDescription& d = body.description;
  offset.assign(d.surface.rows(), {});
  if (body.reference == LatticeReference::elastic) return;
  std::vector<Vec3> goal(offset.size());
  linear_blend(d.surface_rest, d.surface_influences, bones, goal);
  multiply(d.surface, pose.functions.goal, offset);
  for (std::size_t s = 0; s < offset.size(); ++s) offset[s] = goal[s] - offset[s];
}

Vec3 place_of_spot(const LatticeBody& body, const SurfaceSpot& spot, std::span<const Affine> bones,
                   std::span<const Vec3> position) {
  LatticePose pose;
  std::vector<Vec3> offset, place(1);
  predict_pose(body.description, bones, pose);
  predict_surface_offsets(body, bones, pose, offset);
  const HeldPoint point{spot, {}, {}, {}};
  multiply(values_at_spots(body, {&point, 1}), position, place);
  for (std::size_t k = 0; k < 3; ++k)
    if (spot.vertex[k] >= 0) place[0] += spot.weight[k] * offset[static_cast<std::size_t>(spot.vertex[k])];
  return place[0];
}

}  // namespace sinew
