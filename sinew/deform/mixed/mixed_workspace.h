// State that a MixedSolver keeps between poses. Only for the sources of MixedSolver.
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
  // c of each sample, if the matrix about S = I is Poisson's plus a volume part; else none.
  std::optional<std::vector<double>> volume_modulus;
  bool poisson = false;         // c = 0 everywhere and the energy is quadratic
  bool preconditioned = false;  // the Poisson factor exists and is a good preconditioner
  SparseMatrix poisson_matrix;
  ScalarCholesky poisson_factor;  // double precision, for the Poisson problem that is a pose's first step
  ScalarCholesky preconditioner;  // single precision, for conjugate gradients
  VolumeRows volume;
  VolumeGradients volume_gradients;
  PoissonForces poisson_forces;
  PoissonCompliance compliance;
  std::vector<double> residual;
  std::vector<double> tension;       // per row of `volume`, at the start of the iterations, newton metres
  std::vector<double> last_tension;  // of the previous pose; empty: there is none
  ConjugateGradients gradients;
  BlockMatrix matrix;    // pattern built on first use
  BlockCholesky factor;  // analysed on first use
  bool analysed = false;
  MaterialResponse response;
  std::vector<Mandel> rest_stretch;
  std::vector<double> step;

  // Factorises `matrix`.
  void factor_matrix() {
    if (!analysed) factor.analyze(matrix);
    analysed = true;
    factor.factor(matrix);
  }
};

// Throws simulation_error if a position is not finite.
void check_positions(std::span<const Vec3> positions);

}  // namespace sinew
