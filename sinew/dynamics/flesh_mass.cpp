#include "sinew/dynamics/flesh_mass.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/surface/winding_number.h"

namespace sinew {
namespace {

constexpr std::size_t first_points = 10000;
constexpr double points_in_flesh = 25000, most_points = 600000;

TriangleMesh main_figure(const SimulationSurface& surface) {
  TriangleMesh mesh{surface.rest.positions, {}};
  for (const Triangle& triangle : surface.rest.triangles)
    if (surface.figure.empty() || surface.figure[index(triangle[0])] == 0) mesh.triangles.push_back(triangle);
  return mesh;
}

Box box_of(const TriangleMesh& mesh) {
  Box box;
  for (const Triangle& triangle : mesh.triangles)
    for (const int v : triangle) box.include(mesh.positions[index(v)]);
  return box;
}

// Shares of bones at a point of the skin.
void add_shares(const SimulationSurface& surface, const ClosestPoint& at, const Triangle& triangle,
                std::vector<double>& share) {
  std::fill(share.begin(), share.end(), 0.0);
  double sum = 0;
  for (std::size_t corner = 0; corner < 3; ++corner) {
    const Influences& influences = surface.influences[index(triangle[corner])];
    for (int i = 0; i < influences.count; ++i) {
      const double weight = at.barycentric[corner] * influences.weight[index(i)];
      share[index(influences.joint[index(i)])] += weight;
      sum += weight;
    }
  }
  for (double& each : share) each = sum > 0 ? each / sum : 0;
}

}  // namespace

MassMoments& MassMoments::operator+=(const MassMoments& other) {
  mass += other.mass;
  first += other.first;
  second += other.second;
  return *this;
}

Mat3 MassMoments::spread() const {
  if (!(mass > 0)) return Mat3::zero();
  const Vec3 c = centre();
  return second * (1 / mass) - outer(c, c);
}

Mat3 MassMoments::inertia() const {
  const Mat3 s = spread() * mass;
  return Mat3::identity() * trace(s) - s;
}

std::vector<MassMoments> flesh_of_bones(const SimulationSurface& surface, double density) {
  std::vector<MassMoments> moments(surface.bones.size());
  const TriangleMesh mesh = main_figure(surface);
  const BoundingVolumeHierarchy tree(mesh);
  const WindingNumber winding_number(tree);
  const Box box = box_of(mesh);
  const Vec3 size = box.upper - box.lower;
  // A sequence of points that covers the box evenly and lines up with nothing (Roberts 2018).
  constexpr double root = 1.2207440846057594754;  // of x^4 = x + 1
  const auto place = [&](std::size_t n) {
    const double k = static_cast<double>(n) + 0.5;
    const auto part = [k](double step) { return k * step - std::floor(k * step); };
    return box.lower +
           Vec3{size.x * part(1 / root), size.y * part(1 / (root * root)), size.z * part(1 / (root * root * root))};
  };
  const auto inside = [&](std::size_t n) { return winding_number(place(n)) > 0.5; };
  std::vector<char> sampled(first_points);
  parallel_for(first_points, 256, [&](std::size_t n) { sampled[n] = inside(n) ? 1 : 0; });
  const double filled = static_cast<double>(std::count(sampled.begin(), sampled.end(), 1)) / first_points;
  const auto points =
      static_cast<std::size_t>(std::clamp(points_in_flesh / std::max(filled, 1e-6), double{first_points}, most_points));
  std::vector<ClosestPoint> skin(points);  // per point inside
  parallel_for(points, 256, [&](std::size_t n) {
    if (inside(n)) skin[n] = tree.closest_point(place(n));
  });
  const double each = density * size.x * size.y * size.z / static_cast<double>(points);
  std::vector<double> share(surface.bones.size());
  double whole = 0;
  for (std::size_t n = 0; n < points; ++n) {
    if (skin[n].triangle < 0) continue;
    add_shares(surface, skin[n], mesh.triangles[index(skin[n].triangle)], share);
    const Vec3 p = place(n);
    const Mat3 second = outer(p, p);
    for (std::size_t b = 0; b < share.size(); ++b)
      if (share[b] > 0) {
        const double mass = share[b] * each;
        moments[b] += {mass, p * mass, second * mass};
        whole += mass;
      }
  }
  if (!(whole > 0))
    throw input_error(
        "The skin encloses no flesh, so that the character has no mass; close its surface, or check with "
        "`sinew check`.");
  return moments;
}

}  // namespace sinew
