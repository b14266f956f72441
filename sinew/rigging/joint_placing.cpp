#include "sinew/rigging/joint_placing.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"

namespace sinew {
namespace {

// Crossings nearer than this multiple of the line's reach are one: a line through an edge meets two triangles.
constexpr double same_crossing = 1e-9;

struct LineCrossing {
  double t = 0;
  bool enters = false;  // through a front face
};

std::vector<LineCrossing> crossings(const TriangleMesh& mesh, const LineOfSight& line) {
  std::vector<LineCrossing> found;
  for (const Triangle& triangle : mesh.triangles) {
    const Vec3& a = mesh.positions[index(triangle[0])];
    const Vec3 e = mesh.positions[index(triangle[1])] - a, f = mesh.positions[index(triangle[2])] - a;
    const Vec3 normal = cross(e, f), from = line.origin - a;
    const double facing = -dot(line.direction, normal);
    if (!(std::abs(facing) > 0)) continue;
    const Vec3 moment = cross(from, line.direction);
    const double u = dot(f, moment) / facing, v = -dot(e, moment) / facing, t = dot(from, normal) / facing;
    if (u >= 0 && v >= 0 && u + v <= 1 && t >= 0) found.push_back({t, facing > 0});
  }
  std::sort(found.begin(), found.end(), [](const LineCrossing& a, const LineCrossing& b) { return a.t < b.t; });
  const double near = found.empty() ? 0 : same_crossing * found.back().t;
  const auto last = std::unique(found.begin(), found.end(), [&](const LineCrossing& a, const LineCrossing& b) {
    return a.enters == b.enters && b.t - a.t <= near;
  });
  found.erase(last, found.end());
  return found;
}

}  // namespace

std::vector<Inside> inside_along(const TriangleMesh& mesh, const LineOfSight& line) {
  const std::vector<LineCrossing> found = crossings(mesh, line);
  std::vector<Inside> shells, pairs;
  int depth = 0;
  bool sound = true;
  for (const LineCrossing& crossing : found) {
    if (depth == 0) shells.push_back({crossing.t, crossing.t});
    depth += crossing.enters ? 1 : -1;
    shells.back().leave = crossing.t;
    sound = sound && depth >= 0;
  }
  if (sound && depth == 0) return shells;
  for (std::size_t k = 0; k + 1 < found.size(); k += 2) pairs.push_back({found[k].t, found[k + 1].t});
  return pairs;
}

std::optional<Vec3> middle_along(const TriangleMesh& mesh, const LineOfSight& line) {
  const std::vector<Inside> parts = inside_along(mesh, line);
  if (parts.empty()) return std::nullopt;
  return line.at(parts.front().middle());
}

std::optional<Vec3> dragged_to(const TriangleMesh& mesh, const Vec3& from, const LineOfSight& line, const Vec3& normal,
                               bool snap) {
  const double along = dot(line.direction, normal);
  const double t = dot(from - line.origin, normal) / along;
  if (!(std::abs(along) > 0) || !(t > 0) || !std::isfinite(t)) return std::nullopt;
  const std::vector<Inside> parts = snap ? inside_along(mesh, line) : std::vector<Inside>{};
  const auto away = [&](const Inside& part) { return std::max({part.enter - t, t - part.leave, 0.0}); };
  const auto nearest =
      std::min_element(parts.begin(), parts.end(), [&](const Inside& a, const Inside& b) { return away(a) < away(b); });
  return line.at(nearest == parts.end() ? t : nearest->middle());
}

}  // namespace sinew
