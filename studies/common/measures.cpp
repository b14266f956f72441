#include "studies/common/measures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/linalg/rotation.h"
#include "sinew/mesh/boundary_surface.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/surface/triangle_intersection.h"

namespace sinew {
namespace {

std::array<Vec3, 4> corners(const Tetrahedron& t, std::span<const Vec3> positions) {
  std::array<Vec3, 4> result;
  for (std::size_t c = 0; c < 4; ++c) result[c] = positions[static_cast<std::size_t>(t[c])];
  return result;
}

Mat3 edges(const std::array<Vec3, 4>& p) { return Mat3::from_columns(p[1] - p[0], p[2] - p[0], p[3] - p[0]); }

Box box_of(const std::array<Vec3, 4>& p) { return bounds(p); }

int count_overlapping(const TetrahedralMesh& mesh, std::span<const Vec3> positions, double size) {
  std::vector<Box> boxes;
  for (const Tetrahedron& t : mesh.tetrahedra) boxes.push_back(box_of(corners(t, positions)));
  const BoxTree tree(boxes);
  const double margin = 1e-9 * size;  // a vertex on a face does not overlap
  int count = 0;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    bool inside = false;
    tree.for_each_overlapping({positions[v], positions[v]}, [&](int k) {
      const Tetrahedron& t = mesh.tetrahedra[static_cast<std::size_t>(k)];
      if (inside || std::find(t.begin(), t.end(), static_cast<int>(v)) != t.end()) return;
      const std::array<Vec3, 4> p = corners(t, positions);
      inside = volume(p[0], p[1], p[2], p[3]) > 0 && distance_outside(p, positions[v]) < -margin;
    });
    count += inside;
  }
  return count;
}

int count_crossing(const TetrahedralMesh& mesh, std::span<const Vec3> positions) {
  const TriangleMesh surface{{positions.begin(), positions.end()}, boundary_surface(mesh).triangles};
  const std::vector<Box> boxes = triangle_boxes(surface);
  const BoxTree tree(boxes);
  std::vector<char> crosses(surface.triangles.size(), 0);
  for (std::size_t s = 0; s < boxes.size(); ++s)
    tree.for_each_overlapping(boxes[s], [&](int t) {
      const auto other = static_cast<std::size_t>(t);
      if (other <= s || (crosses[s] && crosses[other])) return;
      if (triangles_cross(surface, static_cast<int>(s), t)) crosses[s] = crosses[other] = 1;
    });
  return static_cast<int>(std::count(crosses.begin(), crosses.end(), 1));
}

}  // namespace

MeshMeasures measure_body(const TetrahedralMesh& mesh, std::span<const Vec3> positions) {
  MeshMeasures measures;
  double now = 0, rest = 0;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    const auto at_rest = corners(t, mesh.positions), here = corners(t, positions);
    const double volume_here = volume(here[0], here[1], here[2], here[3]);
    now += volume_here;
    rest += volume(at_rest[0], at_rest[1], at_rest[2], at_rest[3]);
    measures.inverted += volume_here < 0;
    const Vec3 sigma = signed_svd(edges(here) * inverse(edges(at_rest))).sigma;
    measures.smallest_stretch = std::min(measures.smallest_stretch, sigma.z);
    measures.largest_stretch = std::max(measures.largest_stretch, sigma.x);
  }
  measures.volume_ratio = now / rest;
  const Box box = bounds(mesh.positions);
  measures.overlapping = count_overlapping(mesh, positions, distance(box.lower, box.upper));
  measures.crossing = count_crossing(mesh, positions);
  return measures;
}

std::vector<double> vertex_volume_ratios(const TetrahedralMesh& mesh, std::span<const Vec3> positions) {
  std::vector<double> now(mesh.positions.size(), 0), rest(mesh.positions.size(), 0);
  for (const Tetrahedron& t : mesh.tetrahedra) {
    const auto at_rest = corners(t, mesh.positions), here = corners(t, positions);
    for (const int v : t) {
      now[static_cast<std::size_t>(v)] += volume(here[0], here[1], here[2], here[3]);
      rest[static_cast<std::size_t>(v)] += volume(at_rest[0], at_rest[1], at_rest[2], at_rest[3]);
    }
  }
  for (std::size_t v = 0; v < now.size(); ++v) now[v] = rest[v] > 0 ? now[v] / rest[v] : 1;
  return now;
}

double rms_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
  if (a.size() != b.size() || a.empty())
    throw usage_error("the distance of two shapes needs as many points in one as in the other, and at least one.");
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += squared_norm(a[k] - b[k]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace sinew
