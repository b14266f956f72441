// What tests ask of flesh in a lattice as it moves.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "sinew/deform/lattice/cells/cell_matrices.h"
#include "sinew/deform/lattice/cells/lattice_elasticity.h"
#include "sinew/deform/lattice/lattice_state.h"
#include "tests/deform/lattice/lattice_bodies.h"

namespace sinew::test {

inline int surface_vertex(const LatticeBody& body, const Vec3& rest) {
  for (std::size_t v = 0; v < body.description.surface_rest.size(); ++v)
    if (distance(body.description.surface_rest[v], rest) < 1e-9) return static_cast<int>(v);
  ADD_FAILURE() << "no vertex of the surface is there";
  return 0;
}

inline LatticeState state_of(const LatticeBody& body, const BodyMotion& flesh) {
  LatticeState state = lattice_state(body.description.role.size());
  Snapshot snapshot;
  flesh.save(snapshot);
  load_state(snapshot, state);
  return state;
}

inline Vec3 surface_velocity(const LatticeBody& body, const BodyMotion& flesh, int vertex) {
  std::vector<Vec3> velocity(body.description.surface.rows());
  multiply(body.description.surface, state_of(body, flesh).velocity, velocity);
  return velocity[static_cast<std::size_t>(vertex)];
}

// Kinetic and elastic energy of a bar, joules, where no outside force has a potential and the bones stand.
class Energies {
 public:
  explicit Energies(const LatticeBarOptions& options)
      : body_(lattice_bar_body(options)),
        elasticity_(lattice_elasticity(*body_)),
        active_(active_functions(body_->description.role,
                                 std::vector<Activity>(body_->description.role.size(), Activity::solved))) {
    elasticity_->activate(active_);
    const CellMatrices& cells = body_->description.cells;
    mass_ = assemble_scalars(cells, cells.mass, active_.slot, static_cast<int>(active_.slots()));
    hold_ = assemble_scalars(cells, cells.hold, active_.slot, static_cast<int>(active_.slots()));
  }

  double of(const BodyMotion& flesh, const std::vector<Affine>& pose) {
    const LatticeState state = state_of(*body_, flesh);
    LatticePose predicted;
    predict_pose(body_->description, pose, predicted);
    elasticity_->set_pose(predicted, state.position);
    std::vector<Vec3> away(state.position.size());
    for (std::size_t f = 0; f < away.size(); ++f) away[f] = state.position[f] - predicted.functions.goal[f];
    return elasticity_->energy(state.position) + half_square(mass_, state.velocity) + half_square(hold_, away);
  }

 private:
  double half_square(const SparseRows& matrix, const std::vector<Vec3>& per_function) const {
    std::vector<Vec3> x(active_.slots()), product(active_.slots());
    for (std::size_t s = 0; s < x.size(); ++s) {
      const auto f = static_cast<std::size_t>(active_.function[s]);
      if (active_.unknown[f] >= 0) x[s] = per_function[f];
    }
    multiply(matrix, x, product);
    double sum = 0;
    for (std::size_t s = 0; s < x.size(); ++s) sum += 0.5 * dot(x[s], product[s]);
    return sum;
  }

  std::shared_ptr<const LatticeBody> body_;
  std::unique_ptr<LatticeElasticity> elasticity_;
  ActiveFunctions active_;
  SparseRows mass_, hold_;
};

}  // namespace sinew::test
