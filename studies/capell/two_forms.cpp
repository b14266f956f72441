#include "studies/capell/two_forms.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "sinew/deform/lattice/cells/cell_matrices.h"
#include "sinew/deform/lattice/cells/lattice_elasticity.h"
#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/solver/active_functions.h"
#include "studies/capell/lattice_bar.h"

namespace sinew {
namespace {

constexpr Linearized forms[] = {{Linearization::warped, Warping::element}, {Linearization::warped, Warping::vertex}};

// Elasticity of a bar with all functions free.
struct BarElasticity {
  explicit BarElasticity(std::shared_ptr<const LatticeBody> cooked)
      : body(std::move(cooked)),
        active(active_functions(body->description.role,
                                std::vector<Activity>(body->description.role.size(), Activity::solved))),
        elasticity(lattice_elasticity(*body)) {
    elasticity->activate(active);
  }
  void bend(std::span<const Affine> bones) {
    predict_pose(body->description, bones, pose);
    elasticity->set_pose(pose, pose.functions.goal);
  }

  std::shared_ptr<const LatticeBody> body;
  ActiveFunctions active;
  std::unique_ptr<LatticeElasticity> elasticity;
  LatticePose pose;
};

// An asymmetric shape, a twentieth of the width away from the predicted one.
std::vector<Vec3> displaced(std::span<const Vec3> goal, double width) {
  std::vector<Vec3> result(goal.begin(), goal.end());
  for (Vec3& p : result) {
    const Vec3 q = p / width;
    p += 0.05 * width * Vec3{std::sin(2 * q.y + q.x), std::cos(1.3 * q.x + q.z), std::sin(0.7 * q.x + 3 * q.y)};
  }
  return result;
}

void measure_forces(BarElasticity& bar, const LatticeBar& shape, TwoFormsRow& row) {
  const std::vector<Vec3> position = displaced(bar.pose.functions.goal, shape.shape.width);
  std::vector<double> residual(3 * bar.active.unknowns(), 0.0);
  bar.elasticity->subtract_force(1, position, std::vector<Vec3>(position.size()), residual);
  Vec3 force, torque;
  double forces = 0, torques = 0;
  for (std::size_t u = 0; u < bar.active.unknowns(); ++u) {
    const Vec3 f{residual[3 * u], residual[3 * u + 1], residual[3 * u + 2]};
    const Vec3 arm = position[static_cast<std::size_t>(bar.active.unknown_function[u])] - shape.joint;
    force += f;
    torque += cross(arm, f);
    forces += norm(f);
    torques += norm(arm) * norm(f);
  }
  row.net_force = norm(force) / forces;
  row.net_torque = norm(torque) / torques;
}

Eigen::MatrixXd system_of(BarElasticity& bar) {
  const std::size_t n = 3 * bar.active.unknowns();
  Eigen::MatrixXd matrix(n, n);
  std::vector<double> from(n, 0.0), to(n);
  for (std::size_t k = 0; k < n; ++k) {
    from[k] = 1;
    bar.elasticity->apply_system(from, to);
    from[k] = 0;
    for (std::size_t i = 0; i < n; ++i) matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = to[i];
  }
  return 0.5 * (matrix + matrix.transpose());
}

// The matrix without the inertia term.
Eigen::MatrixXd stiffness_of(const BarElasticity& bar, const Eigen::MatrixXd& system) {
  const CellMatrices& cells = bar.body->description.cells;
  const SparseRows mass = assemble_scalars(cells, cells.mass, bar.active.slot, static_cast<int>(bar.active.slots()));
  Eigen::MatrixXd result = system;
  for (std::size_t u = 0; u < bar.active.unknowns(); ++u) {
    const auto slot = static_cast<std::size_t>(bar.active.unknown_slot[u]);
    for (auto e = static_cast<std::size_t>(mass.start[slot]); e < static_cast<std::size_t>(mass.start[slot + 1]); ++e) {
      const int function = bar.active.function[static_cast<std::size_t>(mass.column[e])];
      const int other = bar.active.unknown[static_cast<std::size_t>(function)];
      for (Eigen::Index k = 0; other >= 0 && k < 3; ++k)
        result(3 * static_cast<Eigen::Index>(u) + k, 3 * other + k) -= bar.body->mass_part() * mass.value[e];
    }
  }
  return result / bar.body->stiffness_part();
}

double least_eigenvalue(const Eigen::MatrixXd& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues()(0);
}

}  // namespace

std::vector<TwoFormsRow> two_forms_experiment(const std::vector<double>& degrees, const Progress& progress) {
  LatticeBarShape shape;
  shape.along = 12;
  shape.across = 4;
  shape.levels = 1;
  const LatticeBar bar = make_lattice_bar(shape);
  LatticeBar loose = bar;
  loose.lattice.bones.clear();
  std::vector<TwoFormsRow> rows;
  for (const Linearized& how : forms) {
    BarElasticity held(cook_bar(bar, how)), free(cook_bar(loose, how));
    for (const double angle : degrees) {
      report_or_stop(progress, "two forms of warping",
                     static_cast<double>(rows.size()) / static_cast<double>(2 * degrees.size()));
      TwoFormsRow& row = rows.emplace_back();
      row.how = how;
      row.degrees = angle;
      held.bend(bent(bar, angle));
      free.bend(bent(bar, angle));
      measure_forces(free, bar, row);
      const Eigen::MatrixXd system = system_of(held);
      row.system = least_eigenvalue(system);
      row.stiffness = least_eigenvalue(stiffness_of(held, system));
    }
  }
  return rows;
}

}  // namespace sinew
