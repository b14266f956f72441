// The solid as the mesher samples it: the lattice cubes that it occupies and, in cubes that the surface passes through,
// a fine grid of samples of the winding number and all crossings of the grid's lines with the surface. A point is solid
// where the winding number is above 1/2.
//
// Samples are at multiples of cell / `subdivisions` from each cube's lower corner. The fine edge of sample s along an
// axis runs to the next sample and belongs to the same cube. A chord is a part of a fine edge, between neighbouring
// crossings, that is inside the solid.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/winding_number.h"
#include "sinew/mesh/topology.h"
#include "sinew/mesh/volume/body_centred_lattice.h"

namespace sinew {

inline constexpr int subdivisions = 4;
inline constexpr int samples_per_cube = subdivisions * subdivisions * subdivisions;

// The surface as the mesher uses it: welded, cleaned and oriented, with search structures.
struct SolidSurface {
  explicit SolidSurface(TriangleMesh cleaned);
  SolidSurface(const SolidSurface&) = delete;
  SolidSurface& operator=(const SolidSurface&) = delete;

  std::array<Vec3, 3> corners(int triangle) const {
    const Triangle& v = mesh.triangles[static_cast<std::size_t>(triangle)];
    return {mesh.positions[static_cast<std::size_t>(v[0])], mesh.positions[static_cast<std::size_t>(v[1])],
            mesh.positions[static_cast<std::size_t>(v[2])]};
  }

  TriangleMesh mesh;
  MeshEdges edges;
  std::vector<Box> boxes;  // per triangle
  BoundingVolumeHierarchy tree;
  WindingNumber winding_number;
  // Caps that close the surface: cones over its open boundary, each from the middle of a connected part, and triangles
  // that first shorten long parts. The winding number of surface and caps together is an integer, which can be counted
  // along lines; that of the caps alone is then subtracted.
  TriangleMesh caps;
  BoundingVolumeHierarchy caps_tree;
  WindingNumber caps_winding_number;
};

// A crossing of a fine edge with the surface.
struct Crossing {
  double coordinate = 0;  // along the axis of its fine edge
  int triangle = -1;
  int sign = 0;  // +1 into the solid, -1 out of it, in the direction of the axis
};

// A chord; its ends are graph nodes: samples, whole deep cubes, or triangles (see node numbers below).
struct Chord {
  double from = 0, to = 0;  // coordinates along the axis
  int first = -1, last = -1;
};

// All samples and crossings of a solid in a grid.
class SolidSampling {
 public:
  // Cubes have the size grid.cell; all positions of the surface must be in cubes with coordinates in [1,
  // max_lattice_coordinate - 1].
  SolidSampling(const SolidSurface& surface, const CubeGrid& grid);

  const SolidSurface& surface() const { return *surface_; }
  const CubeGrid& grid() const { return grid_; }
  double fine() const { return grid_.cell / subdivisions; }

  // Cubes that the surface meets, then cubes entirely inside; both groups are sorted by key.
  std::span<const CubeIndex> cubes() const { return cubes_; }
  int near_count() const { return near_count_; }
  int find(const CubeIndex& cube) const { return map_.find(lattice_key(cube)); }
  bool is_near(int cube) const { return cube < near_count_; }
  std::span<const int> triangles_in(int near_cube) const { return triangles_[static_cast<std::size_t>(near_cube)]; }

  // Node numbers of the graph of the solid.
  int sample_node(int near_cube, int sample) const { return near_cube * samples_per_cube + sample; }
  int deep_node(int deep_cube) const { return near_count_ * samples_per_cube + deep_cube - near_count_; }
  int triangle_node(int triangle) const { return first_triangle_node_ + triangle; }
  // Node of sample `u` of a cube, u in [-1, subdivisions] per axis (samples of a neighbour at the ends); -1 where the
  // sample is outside the solid.
  int inside_node(const CubeIndex& cube, std::array<int, 3> u) const;

  static int sample_index(const std::array<int, 3>& u) { return (u[2] * subdivisions + u[1]) * subdivisions + u[0]; }
  bool inside(int near_cube, int sample) const {
    return winding_[static_cast<std::size_t>(sample_node(near_cube, sample))] > 0.5f;
  }
  Vec3 sample_position(const CubeIndex& cube, const std::array<int, 3>& u) const {
    return grid_.corner(cube) + fine() * Vec3{double(u[0]), double(u[1]), double(u[2])};
  }
  std::span<const Crossing> crossings(int near_cube, int sample, std::size_t axis) const {
    return {crossings_.data() + offset(near_cube, sample, axis),
            offset(near_cube, sample, axis + 1) - offset(near_cube, sample, axis)};
  }

  // Calls visit(const Chord&) for the chords of one fine edge of a near cube, in order.
  template <class Visit>
  void for_each_chord(int near_cube, const std::array<int, 3>& u, std::size_t axis, const Visit& visit) const;

 private:
  void find_near_cubes();
  void find_crossings();
  void sample_winding_number();
  void find_deep_cubes();
  std::size_t offset(int near_cube, int sample, std::size_t axis) const {
    return crossing_offsets_[3 * static_cast<std::size_t>(sample_node(near_cube, sample)) + axis];
  }

  const SolidSurface* surface_;
  CubeGrid grid_;
  std::vector<CubeIndex> cubes_;
  int near_count_ = 0, first_triangle_node_ = 0;
  LatticeMap map_;
  Rows triangles_;                             // per near cube
  std::vector<float> winding_;                 // per near cube and sample
  std::vector<std::size_t> crossing_offsets_;  // per near cube, sample and axis
  std::vector<Crossing> crossings_;
};

template <class Visit>
void SolidSampling::for_each_chord(int near_cube, const std::array<int, 3>& u, std::size_t axis,
                                   const Visit& visit) const {
  const int sample = sample_index(u);
  const CubeIndex& cube = cubes_[static_cast<std::size_t>(near_cube)];
  std::array<int, 3> next = u;
  ++next[axis];
  const int last = inside_node(cube, next);
  const double from = sample_position(cube, u)[axis], to = from + fine();
  const int node = sample_node(near_cube, sample);
  double w = static_cast<double>(winding_[static_cast<std::size_t>(node)]);
  const std::span<const Crossing> list = crossings(near_cube, sample, axis);
  if (list.empty()) {
    if (w > 0.5 && last >= 0) visit(Chord{from, to, node, last});
    return;
  }
  // An open surface's winding number also drifts between samples; the drift is spread evenly.
  double w_last = w, drift = 0;
  for (const Crossing& c : list) w_last += c.sign;
  if (last >= 0 && w_last <= 0.5) drift = 1 - w_last;
  if (last < 0 && w_last > 0.5) drift = -w_last;
  double begin = from;
  int begin_node = node;
  for (std::size_t k = 0; k <= list.size(); ++k) {
    const double end = k < list.size() ? std::fmin(std::fmax(list[k].coordinate, begin), to) : to;
    const int end_node = k < list.size() ? triangle_node(list[k].triangle) : last;
    const double middle = 0.5 * (begin + end);
    const double level = w + drift * (middle - from) / (to - from);
    if (level > 0.5 && begin_node >= 0 && end_node >= 0) visit(Chord{begin, end, begin_node, end_node});
    if (k == list.size()) break;
    w += list[k].sign;
    begin = end;
    begin_node = end_node;
  }
}

}  // namespace sinew
