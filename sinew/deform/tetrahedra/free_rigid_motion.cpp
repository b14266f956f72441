#include "sinew/deform/tetrahedra/free_rigid_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include "sinew/linalg/symmetric_eigen.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

// Least mean square motion of the held vertices, relative to the part's own, in a motion that counts as held.
constexpr double least_held = 1e-9;

const char* nearest_axis(const Vec3& v) {
  const Vec3 a{std::abs(v.x), std::abs(v.y), std::abs(v.z)};
  return a.x >= a.y && a.x >= a.z ? "x" : a.y >= a.z ? "y" : "z";
}

// Motions of a point under the six rigid motions about `centre`: translations along the axes, then rotations.
std::array<Vec3, 6> rigid_motions(const Vec3& point, const Vec3& centre, double size) {
  const Vec3 arm = (point - centre) / size;
  return {Vec3{1, 0, 0},          Vec3{0, 1, 0},          Vec3{0, 0, 1},
          Vec3{0, -arm.z, arm.y}, Vec3{arm.z, 0, -arm.x}, Vec3{-arm.y, arm.x, 0}};
}

std::string describe(const std::vector<int>& part, const Vec3& centre, std::span<const double> motion) {
  const Vec3 slide{motion[0], motion[1], motion[2]}, turn{motion[3], motion[4], motion[5]};
  const bool slides = norm(slide) >= norm(turn);
  char place[96];
  std::snprintf(place, sizeof place, "(%.3g, %.3g, %.3g)", centre.x, centre.y, centre.z);
  return std::string("the part of the flesh around ") + place + " m, " + std::to_string(part.size()) +
         " vertices, is free to " + (slides ? "slide along " : "turn about an axis near ") +
         nearest_axis(slides ? slide : turn) + "; let bones hold it: raise `core` or `bone_hold`.";
}

std::string free_motion_of(const FleshBody& body, const std::vector<int>& part) {
  const std::vector<Vec3>& rest = body.description.mesh.positions;
  Vec3 centre;
  for (const int v : part) centre += rest[static_cast<std::size_t>(v)] / static_cast<double>(part.size());
  double size = 0;
  for (const int v : part) size = std::max(size, distance(rest[static_cast<std::size_t>(v)], centre));
  if (!(size > 0)) return {};
  std::array<double, 36> held{};
  for (const int v : part) {
    const auto vertex = static_cast<std::size_t>(v);
    if (body.free_index[vertex] >= 0 && !(body.bone_spring[vertex] > 0)) continue;
    const std::array<Vec3, 6> motions = rigid_motions(rest[vertex], centre, size);
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) held[6 * i + j] += dot(motions[i], motions[j]);
  }
  const SymmetricEigen eigen = symmetric_eigen(held, 6);
  return eigen.values[5] < least_held ? describe(part, centre, eigen.vector(5)) : std::string();
}

}  // namespace

std::string free_rigid_motion(const FleshBody& body) {
  const TetrahedralMesh& mesh = body.description.mesh;
  DisjointSets sets(mesh.positions.size());
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (std::size_t k = 1; k < 4; ++k) sets.unite(t[0], t[k]);
  std::map<int, std::vector<int>> parts;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    parts[sets.find(static_cast<int>(v))].push_back(static_cast<int>(v));
  for (const auto& [first, part] : parts)
    if (std::string free = free_motion_of(body, part); !free.empty()) return free;
  return {};
}

}  // namespace sinew
