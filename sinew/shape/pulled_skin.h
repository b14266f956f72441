// Flesh whose skin is pulled to other places by springs, in a pose of the skeleton.
//
// Forces and displacements of static equilibrium correspond (Capell 2004, equation 6.1), so that forces for a target
// need no search among forces (section 6.5.2): displacements q are found in which the elastic energy and that of the
// springs are least, where
//
//   A(alpha) q - b = S^T F,   F_s = k_s R_s^T (t_s - x_s(q)),
//
// S carries the skin, R_s is the frame of a skin vertex, x_s where it is and t_s its target. F are the forces sought:
// they act on the skin alone, whatever the tetrahedra, and under them the body is in equilibrium in q. Of all bodies
// with such a skin it is the least strained.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/sparse_rows.h"
#include "sinew/shape/static_flesh.h"

namespace sinew {

class PulledSkin {
 public:
  // `surface`: whose skin the flesh carries. Both must outlive this.
  PulledSkin(StaticFlesh& flesh, const SimulationSurface& surface);

  // Poses the skeleton: bones, rest space to world, metres. Call this and set_springs() first.
  void set_pose(std::span<const Affine> bones);
  // Sets the stiffness of each skin vertex's spring, N/m; 0: not pulled. Forgets kept forces.
  void set_springs(std::span<const double> stiffness);

  // Finds t_s, world, metres, for the skin x, and the share of each spring that pulls, in [0, 1].
  using Targets = std::function<void(std::span<const Vec3> skin, std::span<Vec3> target, std::span<double> share)>;

  // Finds the equilibrium. `displacements`: per point of the body, in its own frame, metres: the start, and the result.
  // `tolerance`: energy of the last correction, relative to the first one.
  StepStatistics find(const Targets& targets, double tolerance, int most_iterations, std::span<Vec3> displacements,
                      const Progress& progress = {});

  // Finds the equilibrium under the forces that are kept, without springs, as find() does.
  StepStatistics find_alone(double tolerance, int most_iterations, std::span<Vec3> displacements,
                            const Progress& progress = {});

  // Adds these forces to those of the springs from now on; those of the last equilibrium let the springs pull by what
  // is left (Bregman iterations).
  void keep(std::span<const Vec3> forces) { kept_.assign(forces.begin(), forces.end()); }

  // The last equilibrium: the skin, world, metres, and F, newtons, in the frames of the skin's vertices.
  std::span<const Vec3> skin() const { return skin_; }
  std::span<const Vec3> forces() const { return force_; }

 private:
  void pull(std::span<const double> u, const Targets& targets);
  StepStatistics minimize(const Targets& targets, const BlockCholesky& factor, double tolerance, int most_iterations,
                          std::span<Vec3> displacements, const Progress& progress);

  // Per point from 3 numbers per free point.
  void scatter(std::span<const double> u, std::span<Vec3> per_point) const;

  StaticFlesh& flesh_;
  const SimulationSurface& surface_;
  std::vector<double> stiffness_;
  SparseRows columns_;           // transpose of S
  std::vector<int> free_index_;  // per point; -1: not free
  BlockCholesky factor_;         // of the stiffness at rest and the springs
  VertexFrames skin_frames_;
  std::vector<Vec3> skin_, target_, force_, kept_, per_point_;
  std::vector<double> share_;
};

}  // namespace sinew
