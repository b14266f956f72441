// Fast generalised winding number of a triangle soup (Barill, Dickson, Schmidt, Levin, Jacobson 2018,
// "Fast Winding Numbers for Soups and Clouds"): how often the surface wraps around a point. 1 inside
// and 0 outside a closed surface; for open, self-intersecting or non-manifold ones a graceful
// compromise, harmonic away from the surface, with a jump of 1 across it.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sinew/mesh/bounding_volume_hierarchy.h"

namespace sinew {

// Clusters are of use where their triangles are of one size. Where slivers, triangles far longer than wide as polygons
// of many corners are cut into, are a large part of a surface, long and short ones lie in the same places: they are
// kept in layers of one length each.
class WindingNumber {
 public:
  // `tree` must outlive this object. `accuracy` is beta of section 3: a cluster is replaced by its
  // second-order Taylor expansion at points farther from its centre than beta times its radius. The
  // error falls as beta^-3; 2 gives about 0.002 on closed characters, HUGE_VAL sums all triangles.
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
    double far = 0;                   // beta * radius, squared
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

  std::vector<std::unique_ptr<const Layer>> layers_;  // in place of the tree, where there are any
  const BoundingVolumeHierarchy* tree_;
  std::vector<Moments> moments_;              // per node of the tree
  std::vector<std::array<Vec3, 3>> corners_;  // in tree order
};

}  // namespace sinew
