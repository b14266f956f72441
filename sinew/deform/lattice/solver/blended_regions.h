// Blended local linearisation (Capell 2004, section 5.2.1, algorithm 5.1): the body is divided among the bones into
// regions that overlap; each is solved with linear strain in its own bone's frame, where its system is constant, and
// the solutions are blended by the regions' weights.
//
// A region's weights W(b, i) are the skin weights of the functions. Cells whose functions no bone has in common would
// be in no region and carry no elasticity (5.7); the bone that they have most of takes them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/lattice/lattice_body.h"
#include "sinew/deform/lattice/lattice_pose.h"

namespace sinew {

class BlendedRegions {
 public:
  // Factorises the system mass_factor M + stiffness_factor (S + hold) of every region.
  BlendedRegions(const LatticeBody& body, double mass_factor, double stiffness_factor);
  ~BlendedRegions();
  BlendedRegions(BlendedRegions&&) noexcept;

  std::size_t count() const;

  // What a step asks of the body, per function, world.
  struct Load {
    std::span<const Vec3> position;  // p, metres
    std::span<const Vec3> rate;      // added to p for elasticity and bone displacement energy, metres
    std::span<const Vec3> inertia;   // multiplied by M, m/s^2
    std::span<const Vec3> gravity;   // multiplied by int rho phi dV, m/s^2
    double force_factor = 1;         // of all but inertia
  };

  // The change of every function's coefficient, world, metres: zero where not free. `bones`: rest space to world.
  void solve(const LatticePose& pose, std::span<const Affine> bones, const Load& load, std::span<Vec3> change) const;

  // What a change of load.inertia alone changes.
  void answer_inertia(std::span<const Affine> bones, std::span<const Vec3> inertia, std::span<Vec3> change) const;

  // Near to what forces (newtons, per function, world) change, and symmetric and positive definite, which the blend is
  // not: sum_b W_b^1/2 R_b A_b^-1 R_b^T W_b^1/2.
  void answer_forces(std::span<const Affine> bones, std::span<const Vec3> force, std::span<Vec3> change) const;

 private:
  struct Region;
  // Puts what a region is to balance, per function of it and in its frame, into `residual`.
  using RegionLoad = std::function<void(const Region& region, const Mat3& rotation, std::span<Vec3> residual)>;
  void blend(std::span<const Affine> bones, const RegionLoad& load, std::vector<double> Region::*share,
             std::span<Vec3> change) const;

  const LatticeBody& body_;
  std::vector<Region> regions_;
};

}  // namespace sinew
