// Small bodies with known answers, for the tests of deform/: a bar along x on two bones whose joint is in
// the middle, cut from a grid of cubes with six tetrahedra each, a strip beside its axis a core.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/flesh_state.h"
#include "tests/character/influences.h"
#include "tests/elastic/blocks.h"
#include "tests/linalg/dense.h"
#include "tests/mesh/shapes.h"

namespace sinew::test {

struct Bar {
  int along = 12, across = 4;        // cubes; `across` even, so that a line of vertices is the axis
  double length = 0.6, width = 0.1;  // metres; centred on the x axis, from x = 0
  double blend = 0.15;               // metres over which the weights go from the first bone to the second
  double young = 2e4, poisson = 0.45;
  Element element = Element::patch;
  bool core_along_axis = true;  // otherwise the end at x = 0 is held
  double mass_damping = 0, stiffness_damping = 0;
};

inline double smooth_step(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// Every vertex embedded as a surface point, with all its weight on one corner.
inline Embedding embedded_vertices(const TetrahedralMesh& mesh) {
  Embedding embedding;
  embedding.points.resize(mesh.positions.size());
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t)
    for (std::size_t c = 0; c < 4; ++c) {
      EmbeddedPoint& point = embedding.points[static_cast<std::size_t>(mesh.tetrahedra[t][c])];
      point = {static_cast<int>(t), {}};
      point.weights[c] = 1;
    }
  return embedding;
}

inline FleshDescription bar_description(const Bar& bar) {
  FleshDescription d;
  d.mesh = block({bar.along, bar.across, bar.across}, {bar.length, bar.width, bar.width}).mesh;
  for (Vec3& x : d.mesh.positions) x -= Vec3{0, bar.width / 2, bar.width / 2};
  d.embedding = embedded_vertices(d.mesh);
  d.element = bar.element;
  d.material = {bar.young, bar.poisson, 1000};
  d.young.assign(d.mesh.tetrahedra.size(), bar.young);
  d.inside_fraction.assign(d.mesh.tetrahedra.size(), 1.0);
  d.mass_damping = bar.mass_damping;
  d.stiffness_damping = bar.stiffness_damping;
  for (const Vec3& x : d.mesh.positions) {
    const double second = smooth_step((x.x - bar.length / 2) / bar.blend + 0.5);
    const Influences influences = between(0, 1, second);
    d.influences.push_back(influences);
    // Two lines of vertices side by side: one alone would let the flesh turn around it.
    const bool on_strip = std::abs(x.y) < 1e-9 && x.z > -1e-9 && x.z < 1.001 * bar.width / bar.across;
    const bool inside = x.x > 0.02 && x.x < bar.length - 0.02 && influences.count == 1;
    d.core.push_back(bar.core_along_axis ? on_strip && inside : x.x < 1e-9);
  }
  return d;
}

inline std::shared_ptr<const FleshBody> cooked_bar(const Bar& bar, const FleshDynamics& dynamics = {}) {
  return cook_flesh(assemble_flesh(bar_description(bar)), dynamics);
}

inline Affine turned_about(const Vec3& center, const Mat3& rotation) { return {rotation, center - rotation * center}; }

// Both bones moved by `whole`; before that the second turns about the joint by `bend` radians around z.
inline std::vector<Affine> bar_pose(const Bar& bar, const Affine& whole, double bend = 0) {
  return {whole, whole * turned_about({bar.length / 2, 0, 0}, to_matrix(axis_angle({0, 0, 1}, bend)))};
}

// From equilibrium at pose(0) over so many steps; pose(k) are the bones after k of them.
template <class Pose>
void play(BodyMotion& flesh, const Pose& pose, int steps) {
  flesh.reset({0, pose(0)}, {flesh.step(), pose(1)});
  for (int k = 1; k <= steps; ++k) flesh.advance({k * flesh.step(), pose(k)});
}

inline Affine moved(const Vec3& by) { return {Mat3::identity(), by}; }

// Masses of the free unknowns, one per number.
inline Eigen::VectorXd dense_mass(const FleshBody& body) {
  Eigen::VectorXd mass(static_cast<Eigen::Index>(3 * body.free_vertex.size()));
  for (Eigen::Index k = 0; k < mass.size(); ++k)
    mass[k] = body.mass[static_cast<std::size_t>(body.free_vertex[static_cast<std::size_t>(k / 3)])];
  return mass;
}

// Local displacements of the free vertices.
inline Eigen::VectorXd free_displacement(const FleshBody& body, const BodyMotion& flesh) {
  Eigen::VectorXd u(static_cast<Eigen::Index>(3 * body.free_vertex.size()));
  for (std::size_t f = 0; f < body.free_vertex.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k)
      u[static_cast<Eigen::Index>(3 * f + k)] =
          flesh.local_displacements()[static_cast<std::size_t>(body.free_vertex[f])][k];
  return u;
}

inline FleshState state_of(const FleshBody& body, const BodyMotion& flesh) {
  Snapshot snapshot;
  flesh.save(snapshot);
  FleshState state = flesh_state(body.free_vertex.size());
  load_state(snapshot, state);
  return state;
}

// Joules: kinetic energy of the free vertices in the world, elastic energy of the rig reference.
inline double mechanical_energy(const FleshBody& body, const BodyMotion& flesh) {
  const FleshState state = state_of(body, flesh);
  std::vector<double> stiff(state.displacement.size());
  multiply(body.stiffness, state.displacement, stiff);
  double energy = 0;
  for (std::size_t k = 0; k < stiff.size(); ++k) energy += 0.5 * stiff[k] * state.displacement[k];
  for (std::size_t f = 0; f < state.velocity.size(); ++f)
    energy += 0.5 * body.mass[static_cast<std::size_t>(body.free_vertex[f])] * squared_norm(state.velocity[f]);
  return energy;
}

}  // namespace sinew::test
