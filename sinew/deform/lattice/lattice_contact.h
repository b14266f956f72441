// Solid shapes that the surface of flesh in a lattice does not enter: contact without friction as part of a step's
// solution, for planes, spheres and capsules that move, in the way of ground_contact.h.
//
//   gap_c >= 0,   f_c >= 0,   gap_c f_c = 0
//
// at the end of the step, f_c along the collider's normal. Over a step a force acts as two impulses on the velocities,
// one before it and one after it: the first goes through the system of the step, so that elasticity takes part, the
// second leaves no velocity into the collider (inelastic). Positions, accelerations and forces stay those of the
// step itself (docs/flesh.md, Ground; docs/constraints.md).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sinew/deform/lattice/active_functions.h"
#include "sinew/deform/lattice/lattice_constraints.h"
#include "sinew/deform/lattice/lattice_environment.h"
#include "sinew/deform/lattice/lattice_state.h"
#include "sinew/linalg/krylov.h"

namespace sinew {

// What a search for contacts looks at; all must outlive the step.
struct ContactMoment {
  const Environment& environment;
  const ActiveFunctions& active;
  const LatticePose& pose;          // at the end of the step
  const LatticeState& state;        // at its beginning
  std::span<const Vec3> offset;     // of the surface (predict_surface_offsets)
  std::span<const Vec3> position;   // per function, p_{n+1} in the making: respond() changes it
  LatticeConstraints& constraints;  // what is held besides
  // An approximate inverse of the step's system, symmetric: it guides the search.
  const LinearOperator& guess;
  // The step's own answer to forces (of the unknowns, newtons on the right-hand side of the step's system) beside those
  // it has: it corrects the search.
  std::function<void(std::span<const double>)> respond;
  double tolerance = 1e-4;  // how far points may end from where they should, relative to the deepest without contact
};

class LatticeContact {
 public:
  // `body` must outlive this.
  explicit LatticeContact(const LatticeBody& body);

  // Finds the forces that end the step with no surface point inside a collider. Returns how many points are pushed.
  // Points that start the step inside are let out over a few hundredths of a second.
  int hold(const ContactMoment& moment);

  // The forces of the last hold(), on the unknowns; newtons on the right-hand side of the step's system.
  std::span<const double> force() const { return total_; }
  bool pushes() const { return pushed_ > 0; }

  // The second impulse, on the velocities (per function) at the end of the step. `inverse_mass` is that within the held
  // points' subspace, which the velocities are in.
  void settle(const LinearOperator& inverse_mass, const ActiveFunctions& active, std::span<Vec3> velocity) const;

 private:
  struct Entry {
    std::size_t unknown = 0;
    double weight = 0;
  };
  struct Contact {
    std::size_t vertex = 0, collider = 0;
    Vec3 normal, place;      // a point of the tangent plane; metres, world
    double floor = 0;        // metres: the gap that is asked for; negative where the point is let out slowly
    double floor_speed = 0;  // m/s, of the collider along the normal
    std::vector<Entry> entries;
  };

  std::size_t colliders(const ContactMoment& moment) const;
  Gap gap(const ContactMoment& moment, bool before, std::size_t collider, const Vec3& place) const;
  Vec3 row_times(std::size_t vertex, std::span<const Vec3> per_function) const;
  double floor_under(const ContactMoment& moment, double goal) const;
  bool reachable(const ContactMoment& moment, std::size_t vertex, std::vector<Entry>& entries) const;
  void add(const ContactMoment& moment, std::size_t vertex, std::size_t collider, std::vector<Entry> entries);
  bool add_violated(const ContactMoment& moment, double depth);
  void measure(const ContactMoment& moment);
  void find_planes(const ContactMoment& moment);
  void search(const ContactMoment& moment, double tolerance);
  double distance_from_floor(const Contact& contact) const;
  double largest_violation() const;
  void spread(std::span<const double> force, std::span<double> to) const;
  void along_normals(std::span<const double> unknowns, std::span<double> to) const;

  const LatticeBody& body_;
  double yielding_depth_ = 0, negligible_depth_ = 0, longest_push_ = 0;  // metres
  std::vector<Vec3> place_;                       // per surface vertex
  std::vector<char> known_;                       // per collider and surface vertex
  std::vector<Contact> contacts_;
  std::vector<double> force_;  // per contact
  std::vector<double> total_;  // per unknown
  double softness_ = 1;        // by which the guess is too stiff
  int pushed_ = 0;
};

}  // namespace sinew
