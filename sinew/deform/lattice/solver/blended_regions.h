// Blended local linearisation (Capell 2004, section 5.2.1, algorithm 5.1): the body is divided among the bones into
// regions that overlap; each is solved with linear strain in its own bone's frame, where its system is constant, and
// the solutions are blended by the regions' weights.
//
// The weights W(b, i) of a region are those that were painted (LatticeDescription::regions), else the skin weights of
// the functions. Cells whose functions share no bone would be in no region and carry no elasticity (5.7); they are
// assigned to the bone with the largest total weight.
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

  // Terms of a step's right-hand side, per function, world.
  struct Load {
    std::span<const Vec3> position;  // p, metres
    std::span<const Vec3> rate;      // added to p for elasticity and bone displacement energy, metres
    std::span<const Vec3> inertia;   // multiplied by M, m/s^2
    std::span<const Vec3> gravity;   // multiplied by int rho phi dV, m/s^2
    double force_factor = 1;         // factor of all terms but inertia
  };

  // Computes the change of every function's coefficient, world, metres; zero for functions that are not free. `bones`:
  // rest space to world.
  void solve(const LatticePose& pose, std::span<const Affine> bones, const Load& load, std::span<Vec3> change) const;

  // Computes the change of the solution by a change of load.inertia alone.
  void answer_inertia(std::span<const Affine> bones, std::span<const Vec3> inertia, std::span<Vec3> change) const;

  // Approximates the response to forces (per function, newtons, world) by sum_b W_b^1/2 R_b A_b^-1 R_b^T W_b^1/2, which
  // is symmetric and positive definite; the exact response of the blend is not.
  void answer_forces(std::span<const Affine> bones, std::span<const Vec3> force, std::span<Vec3> change) const;

 private:
  struct Region;
  // Writes the right-hand side of a region, per function of it and in its frame, to `residual`.
  using RegionLoad = std::function<void(const Region& region, const Mat3& rotation, std::span<Vec3> residual)>;
  void blend(std::span<const Affine> bones, const RegionLoad& load, std::vector<double> Region::*share,
             std::span<Vec3> change) const;

  const LatticeBody& body_;
  std::vector<Region> regions_;
};

}  // namespace sinew
