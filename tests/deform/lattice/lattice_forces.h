// Forces of a bar in a control lattice, and a motion of its bones.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "sinew/deform/lattice/cells/lattice_elasticity.h"
#include "tests/deform/lattice/lattice_bodies.h"

namespace sinew::test {

// A body with its elasticity, ready to be asked for forces.
struct Forces {
  std::shared_ptr<const LatticeBody> body;
  std::unique_ptr<LatticeElasticity> elasticity;
  ActiveFunctions active;
  LatticePose pose;

  explicit Forces(const LatticeBarOptions& options)
      : body(lattice_bar_body(options)), elasticity(lattice_elasticity(*body)) {
    active = active_functions(body->description.role,
                              std::vector<Activity>(body->description.role.size(), Activity::solved));
    elasticity->activate(active);
  }
  void take(const std::vector<Affine>& bones) {
    predict_pose(body->description, bones, pose);
    elasticity->set_pose(pose, pose.functions.goal);
  }
  std::vector<double> at(const std::vector<Vec3>& position) const {
    std::vector<double> residual(3 * active.unknowns(), 0.0);
    const std::vector<Vec3> nothing(position.size());
    elasticity->subtract_force(1, position, nothing, residual);
    return residual;
  }
  double scale() const {  // of forces: modulus times area times a strain of one
    return body->description.cells.stiffness.empty() ? 0 : 2e4 * bar_width * bar_width;
  }
};

// The matrix of the elasticity's system over the unknowns, column by column.
inline Eigen::MatrixXd dense_system(Forces& forces) {
  const auto n = static_cast<Eigen::Index>(3 * forces.active.unknowns());
  Eigen::MatrixXd matrix(n, n);
  std::vector<double> unit(static_cast<std::size_t>(n)), column(unit.size());
  for (Eigen::Index k = 0; k < n; ++k) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[static_cast<std::size_t>(k)] = 1;
    forces.elasticity->apply_system(unit, column);
    matrix.col(k) = Eigen::Map<Eigen::VectorXd>(column.data(), n);
  }
  return matrix;
}

inline std::vector<Affine> swing(double time) {
  return bar_pose(0.9 * std::sin(9 * time) * std::sin(9 * time),
                  rigid_motion({0, 1, 1}, 0.5 * (1 - std::cos(7 * time)), {0.1 * (1 - std::cos(11 * time)), 0, 0}));
}

}  // namespace sinew::test
