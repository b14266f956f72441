// The dynamic state of a body between two steps, and the parts of a step that both references share: inertia, gravity,
// and the new state from the solution.
//
// Unknowns are the local displacements u_i = R_i^T (p_i - g_i) of the free vertices, so that the world
// position is p_i = g_i + R_i u_i (docs/flesh.md).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/flesh_body.h"

namespace sinew {

struct FleshState {
  // Per free vertex.
  std::vector<Vec3> position;      // p_n, world, metres
  std::vector<Vec3> velocity;      // v_n, world, m/s
  std::vector<Vec3> acceleration;  // a_n, world, m/s^2
  std::vector<Vec3> force;         // f_n, world, newtons: elastic, damping and outside forces
  std::vector<Vec3> rubbed;        // change of velocity by friction in the last step, world, m/s
  std::vector<double> carried;     // share in which the last step carried it along (flesh/turning.h)
  std::vector<char> stopped;       // true if the current step stops it at its reach; not part of a snapshot
  // 3 numbers per free vertex.
  std::vector<double> displacement;           // u_n, local, metres
  std::vector<double> previous_displacement;  // u_{n-1}
  std::vector<double> stiff;                  // S u_n, local, newtons
  std::vector<double> previous_stiff;         // S u_{n-1}
};

FleshState flesh_state(std::size_t free_vertices);

// Sets the state at rest relative to the moving rig, with displacements u (local) and external forces in balance.
void start_state(const FleshBody& body, const VertexFrames& now, const VertexFrames& next,
                 std::span<const double> displacement, FleshState& state);

// Returns the external force on free vertex f, world, newtons: gravity minus the part that the rest shape already
// holds.
Vec3 outside_force(const FleshBody& body, std::size_t f, const Mat3& rotation);

// Computes b = R^T (m_k M (p~ - g) - alpha_m M a_n + alpha_f f_n + (1 - alpha_f) f_ext), local: the terms of inertia,
// previous forces and gravity on the right-hand side of a step. A vertex that inertia alone would carry farther than
// its reach from its goal is placed at that distance, at rest relative to the moving rig; one whose frame turns too
// fast to be seen since the frames `before`, a step ago, or turned so in the last step, is carried along
// (flesh/turning.h). `state` changes accordingly. `acted_on`: constraints or colliders are in force and may lead flesh
// twice as far; inertia does not carry it beyond where they led it.
void assemble_right_hand_side(const FleshBody& body, const VertexFrames& before, const VertexFrames& frames,
                              bool acted_on, FleshState& state, std::span<double> b);

// Adds (1 - alpha_f) D (4 u_n - u_{n-1}) / 2h: the known part of the damping in the rig reference, whose
// system is (m_k M + (1 - alpha_f) (S + 3/2h D)) u_{n+1} = b.
void add_damping_of_history(const FleshBody& body, const FleshState& state, std::span<double> b);

// Computes positions, velocities, accelerations and forces at the end of the step from its displacements; the forces
// follow from the balance, but for the `residual` that the solution left, newtons, local; empty: none. `stiff`: S
// u_{n+1}, or empty if the method does not keep it.
void finish_step(const FleshBody& body, const VertexFrames& frames, std::span<const double> displacement,
                 std::span<const double> residual, std::span<const double> stiff, FleshState& state);

// Computes S u of the solution of that system without a matrix product: from b = A u, S u = (b - (m_k + (1 - alpha_f)
// 3/2h a) M u) / ((1 - alpha_f) (1 + 3/2h b)). Only for uniform damping D = a M + b S.
void stiffness_product_from_solution(const FleshBody& body, std::span<const double> right_hand_side,
                                     std::span<const double> displacement, std::span<double> stiff);

// Carries the state across a cut of the rig: displacements and their history stay; forces, and velocities relative to
// the rig, turn with the frames.
void carry_state(const FleshBody& body, const CutFrames& cut, FleshState& state);

void save_state(const FleshState& state, Snapshot& snapshot);
void load_state(const Snapshot& snapshot, FleshState& state);

}  // namespace sinew
