// Balance of a template's force: the flesh around it is pushed against,
//
//   f(x) + B(|x - c|, R) (a + b x (x - c)),
//
// with a and b for which no net force and no net torque are left on the flesh that can move. Where flesh hangs far from
// bone, as a muzzle does, such a force shapes it and does not carry it off.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/shape/shape_body.h"

namespace sinew {

// The ball that pushes against.
struct BalanceRegion {
  Vec3 centre;        // c, rest space, metres
  double radius = 0;  // R, metres
};

class ForceBalance {
 public:
  ForceBalance(const BalanceRegion& region, const ShapeBody& body);

  // The force and its counterforce. Motions that nothing in the region can make stay unbalanced.
  std::vector<PointForce> balanced(std::span<const PointForce> force) const;

  // The force density a + b x (x - c), to be added in the bell, that balances a force.
  struct Counter {
    Vec3 a, b;    // N/m^3, N/m^4
    Vec3 centre;  // c
    Vec3 at(const Vec3& x) const { return a + cross(b, x - centre); }
  };
  Counter counter(std::span<const PointForce> force) const;

  // Displacements along which a force does the work that its balanced form does along `displacements`.
  std::vector<Vec3> balanced_work(std::span<const Vec3> displacements) const;

 private:
  static constexpr std::size_t motions = 6;
  using Numbers = std::array<double, motions>;

  std::size_t points_;
  BalanceRegion region_;
  std::array<std::vector<Vec3>, motions> motion_;         // three shifts, and three turns about c, radians times R
  std::array<std::vector<PointForce>, motions> against_;  // forces of densities that are like the motions
  // Shares of against_ (rows) that do as much work along the motions as a force that does this much (columns).
  std::array<Numbers, motions> shares_{};
};

}  // namespace sinew
