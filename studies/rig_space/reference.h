// Rig-space physics as in Hahn et al. (2012), the reference for the fast method (Hahn 2013, section 3): at each step
//
//   H(p, q) = h^2/2 (a_s^t M_s a_s + a_q^t M_q a_q) + W(s(p), q)                                    (3)
//
// is minimised over the free parameters and the interior vertices by Newton's method, with finite-difference first and
// second derivatives of the rig at each iteration. Nothing is linearised, and the interior has its own inertia. Slow
// and exact.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/character/rig.h"
#include "sinew/deform/rig_space/rig_space_body.h"
#include "sinew/deform/rig_space/tetrahedral_energy.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/rig/rig_differences.h"

namespace sinew {

struct RigSpaceReferenceOptions {
  Vec3 gravity;  // m/s^2, world
  int max_iterations = 30;
  double tolerance = 1e-6;  // stop where an iteration moves vertices by less, root mean square, relative to the height
  bool second_derivatives = true;  // otherwise Gauss-Newton: fewer evaluations, more iterations
};

struct RigSpaceReferenceStatistics {
  int iterations = 0;                                               // Newton iterations of the last step
  std::int64_t steps = 0, all_iterations = 0, rig_evaluations = 0;  // since reset()
};

class RigSpaceReference {
 public:
  // `free`: indices of the rig's parameters that physics moves. The rig must outlive this.
  RigSpaceReference(std::shared_ptr<const RigSpaceBody> body, Rig& rig, std::vector<int> free,
                    const RigSpaceReferenceOptions& options = {});
  ~RigSpaceReference();

  // See RigSpaceMotion::reset(). The mesh as drawn is free of stress; the interior starts in equilibrium.
  void reset(std::span<const double> p, std::span<const double> p_next, double h);
  void advance(std::span<const double> p, double h);

  std::span<const double> free_values() const { return free_values_; }
  std::span<const Vec3> positions() const { return x_; }  // per vertex of the body, world, metres
  const RigSpaceReferenceStatistics& statistics() const { return statistics_; }

 private:
  struct Step;
  double value(const Step& step) const;
  void derivatives(Step& step);
  bool direction(Step& step, HyperelasticTangent form);
  std::vector<double> with_free(std::span<const double> p, std::span<const double> values) const;

  std::shared_ptr<const RigSpaceBody> body_;
  std::unique_ptr<Rig> boundary_rig_;  // maps parameters to boundary vertices
  std::vector<int> free_;
  RigSpaceReferenceOptions options_;
  TetrahedralEnergy energy_;
  std::unique_ptr<RigDifferences> differences_;
  RigSpaceReferenceStatistics statistics_;
  std::vector<double> free_values_;
  std::vector<Vec3> x_, velocity_, gradient_;
  std::vector<int> interior_number_;
  BlockMatrix hessian_;
  BlockCholesky cholesky_;
  bool analysed_ = false;
};

}  // namespace sinew
