// What a MixedSolver keeps between poses; for the sources of MixedSolver alone.
#pragma once

#include <optional>
#include <vector>

#include "sinew/deform/mixed/mixed_elements.h"
#include "sinew/deform/mixed/mixed_solver.h"
#include "sinew/deform/mixed/poisson_compliance.h"
#include "sinew/deform/mixed/poisson_forces.h"
#include "sinew/deform/mixed/volume_gradients.h"
#include "sinew/deform/mixed/volume_rows.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/krylov/krylov.h"
#include "sinew/linalg/scalar_cholesky.h"
#include "sinew/linalg/sparse_matrix.h"

namespace sinew {

struct MixedSolver::Workspace {
  // c of each sample where the matrix about S = I is Poisson's and a volume part; none where it is not.
  std::optional<std::vector<double>> volume_modulus;
  bool poisson = false;         // and c = 0 everywhere, in a quadratic energy
  bool preconditioned = false;  // the Poisson factor is made and good for conjugate gradients
  SparseMatrix poisson_matrix;
  ScalarCholesky poisson_factor;  // where the Poisson problem is a pose's first step, ...
  ScalarCholesky preconditioner;  // ... and where iterations follow: in single precision
  VolumeRows volume;
  VolumeGradients volume_gradients;
  PoissonForces poisson_forces;
  PoissonCompliance compliance;
  std::vector<double> residual;
  std::vector<double> tension;       // per row of `volume`, where the iterations start, newton metres
  std::vector<double> last_tension;  // of the pose before; empty: there is none
  ConjugateGradients gradients;
  BlockMatrix matrix;    // its pattern is made where it is first needed, ...
  BlockCholesky factor;  // ... and so is its analysis
  bool analysed = false;
  MaterialResponse response;
  std::vector<Mandel> rest_stretch;
  std::vector<double> step;

  // The factor of `matrix`.
  void factor_matrix() {
    if (!analysed) factor.analyze(matrix);
    analysed = true;
    factor.factor(matrix);
  }
};

// Throws simulation_error where a position is not finite.
void check_positions(std::span<const Vec3> positions);

}  // namespace sinew
