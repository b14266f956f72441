// Fast generalised winding number of a triangle soup (Barill, Dickson, Schmidt, Levin, Jacobson 2018, "Fast Winding
// Numbers for Soups and Clouds"): the number of times the surface wraps around a point. For a closed surface it is 1
// inside and 0 outside. For open, self-intersecting or non-manifold surfaces it is harmonic away from the surface and
// jumps by 1 across it.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sinew/mesh/bounding_volume_hierarchy.h"

namespace sinew {

// Clusters are efficient where their triangles have similar sizes. If slivers (long thin triangles, such as polygons
// with many corners are divided into) make up much of a surface, triangles of different lengths lie in the same places:
// they are then divided into layers of similar length.
class WindingNumber {
 public:
  // `tree` must outlive this object. `accuracy` is beta of section 3: a cluster is replaced by its second-order Taylor
  // expansion at points farther from its centre than beta times its radius. The error falls as beta^-3: about 0.002 on
  // closed characters for 2. HUGE_VAL sums all triangles exactly.
  explicit WindingNumber(const BoundingVolumeHierarchy& tree, double accuracy = 2);
  ~WindingNumber();
  WindingNumber(WindingNumber&&) noexcept;

  double operator()(const Vec3& p) const;

 private:
  // Moments of one cluster about its area-weighted centre c, over its triangles with normal n:
  // m0_a = int n_a, m1_ab = int n_a (x - c)_b, m2_abc = int n_a (x - c)_b (x - c)_c, kept in the
  // combinations that the expansion contracts with r = c - p.
  struct Moments {
    Vec3 center;
    double far = 0;                   // (beta * radius)^2
    Vec3 order0;                      // m0
    std::array<double, 6> order1{};   // symmetric part of m1: xx, yy, zz, xy + yx, xz + zx, yz + zy
    Vec3 order2_linear;               // 2 sum_a m2_aac + sum_b m2_cbb
    std::array<double, 10> order2{};  // cubic form sum m2_abc r_a r_b r_c: xxx yyy zzz xxy xxz xyy yyz xzz yzz xyz
  };
  static double expansion(const Moments& moments, const Vec3& r);
  struct HalfAngleSum {
    double real = 1, imaginary = 0;
    int turns = 0;
  };
  struct Layer;
  WindingNumber(const BoundingVolumeHierarchy& tree, double accuracy, std::nullptr_t without_layers);
  void find_moments(double accuracy);
  double in_tree(const Vec3& p) const;
  void add_exact(int first, int count, const Vec3& p, HalfAngleSum& sum) const;

  std::vector<std::unique_ptr<const Layer>> layers_;  // used instead of the tree if not empty
  const BoundingVolumeHierarchy* tree_;
  std::vector<Moments> moments_;              // per node of the tree
  std::vector<std::array<Vec3, 3>> corners_;  // in tree order
};

}  // namespace sinew
