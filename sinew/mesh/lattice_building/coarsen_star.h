// The tetrahedra around one vertex, tried with that vertex in other places before anything is changed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sinew/mesh/lattice_building/coarsen_complex.h"

namespace sinew {

// Shape, volume and coverage of the tetrahedra around a moving vertex, the apex, for as many trial positions of the
// apex as are wanted. Everything that no position changes is computed once, and nothing is allocated per trial.
//
// Decisions agree with those of smallest_mean_ratio() and distribute_points() on the replacement that moved_vertex() or
// collapsed_edge() plans: what rounding could decide otherwise is computed as they do.
class TrialStar {
 public:
  explicit TrialStar(const TetrahedralComplex& complex) : complex_(complex) {}

  // Begins with the tetrahedra around `vertex`, in the order of moved_vertex().
  void around_vertex(int vertex);
  // Begins with those that remain when `gone` merges into `kept`, in the order of collapsed_edge().
  void around_collapsed_edge(int kept, int gone);

  // Least mean ratio with the apex at `p`; 0 if it is not positive, or coarse() of it is below that of `floor`.
  double mean_ratio_from(const Vec3& p, double floor) const;
  // Volume of the tetrahedra with the apex at `p`.
  double volume_at(const Vec3& p) const;
  // Volume of the tetrahedra that are replaced.
  double volume_before() const { return volume_before_; }
  // Volume that the apex adds per unit of its displacement along `direction`.
  double volume_slope(const Vec3& direction) const;
  // Sum of (1 / mean ratio)^2 and `volume_weight` times the volume, with the apex at `p`; infinite if a tetrahedron is
  // flat or inverted, or if the sum exceeds `limit`.
  double energy(const Vec3& p, double volume_weight, double limit) const;
  // True if the tetrahedra with the apex at `p` contain every point that the replaced ones carry, as
  // distribute_points() decides. `hint` is a point to try first, and receives the one that failed.
  bool covers(const Vec3& p, int& hint);

 private:
  // A tetrahedron as its face opposite the apex.
  struct Face {
    std::array<Vec3, 3> corners;  // counter-clockwise seen from outside
    std::array<Vec3, 4> all;      // the tetrahedron's corners in its order, the apex where it is now
    std::size_t apex = 0;         // index of the apex in `all`
    Vec3 area;                    // inward normal times twice the area
    double squares = 0;           // sum of the face's squared edges
    Vec3 low, high;               // corners of the face's bounding box

    // True if a box meets that of the tetrahedron with the apex at `p`.
    bool meets(const Vec3& from, const Vec3& to, const Vec3& p) const {
      return from.x <= std::max(high.x, p.x) && to.x >= std::min(low.x, p.x) && from.y <= std::max(high.y, p.y) &&
             to.y >= std::min(low.y, p.y) && from.z <= std::max(high.z, p.z) && to.z >= std::min(low.z, p.z);
    }
  };
  // Inward planes of a tetrahedron that are not normalized. A point is inside beyond doubt where normal . x > inside
  // for all four.
  struct LoosePlanes {
    std::array<double, 4> x, y, z, offset, inside;
    std::array<double, 4> length;  // no less than the normal's, for allowances
    std::uint32_t trial = 0;       // for which these are valid
  };
  // Points side by side; the arrays may be longer than `count`.
  struct Points {
    std::vector<double> x, y, z;
    std::vector<int> number;  // in the complex, or in another list
    std::size_t count = 0;

    // Makes room for so many.
    void reserve(std::size_t most) {
      if (most <= number.size()) return;
      for (std::vector<double>* list : {&x, &y, &z}) list->resize(2 * most);
      number.resize(2 * most);
    }
    // Copies a point; it counts only if `counts`, else the next one replaces it.
    void copy(const Points& from, std::size_t i, int which, bool counts) {
      x[count] = from.x[i];
      y[count] = from.y[i];
      z[count] = from.z[i];
      number[count] = which;
      count += counts ? 1 : 0;
    }
  };
  // The points of one replaced tetrahedron: [begin, end) of points_.
  struct Group {
    std::size_t begin = 0, end = 0;
    int face = 0;  // the face to try first
  };

  // Height of each of `count` points over that plane of the four below which it is farthest, less what rounding may
  // decide: points with a positive one are inside. In lengths of the planes' normals.
  static void heights_over(const LoosePlanes& planes, const Points& points, std::size_t begin, std::size_t count,
                           double* heights);

  void begin();
  void add_face(int tetrahedron, int apex);
  // Notes that a tetrahedron is replaced. `stays`: by one on the face that was added last.
  void remove(int tetrahedron, bool stays);
  // The cube of the tetrahedron's mean ratio over 432, with its sign.
  double cube_at(const Face& face, const Vec3& p) const;
  void gather_points();
  const LoosePlanes& planes_at(std::size_t face, const Vec3& p);
  bool contains(std::size_t face, std::size_t point, const Vec3& p);
  bool is_covered(std::size_t point, const Vec3& p);
  bool is_group_covered(const Group& group, const Vec3& p, std::size_t& failed);

  const TetrahedralComplex& complex_;
  std::vector<Face> faces_;
  std::vector<std::array<int, 2>> removed_;  // replaced tetrahedra, each with the face that remains of it, or -1
  std::vector<LoosePlanes> planes_;          // per face
  Points points_, left_;                     // all, and those of a group that no tetrahedron is known to contain
  std::vector<double> heights_;              // of the points of a group, over the nearest plane
  std::vector<Group> groups_;
  bool has_points_ = false;
  std::size_t last_failed_ = 0;           // index into points_
  double volume_before_ = 0, doubt_ = 0;  // the latter: distance below which rounding may decide, cubes
  std::uint32_t trial_ = 0;
};

}  // namespace sinew
