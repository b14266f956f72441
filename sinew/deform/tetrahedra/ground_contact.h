// A ground plane that the embedded surface does not pass: contact without friction, as part of a step's solution
// (docs/flesh.md, Ground).
//
// Each surface point in contact gets a force along +Y that pushes and never pulls. Over a step it acts as two impulses
// on the velocities, one before the step and one after it. The first goes through the system of the step, so
// that elasticity takes part, and is what ends the step on the plane; the second leaves the point no
// velocity off the plane (inelastic impact). Positions, accelerations and forces stay those of the step itself.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/deform/tetrahedra/contact_compliance.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/flesh_state.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/linalg/krylov.h"

namespace sinew {

class GroundContact {
 public:
  // `body` must outlive this. Without a ground nothing is prepared and nothing ever touches.
  explicit GroundContact(const FleshBody& body);

  // Finds the forces that end the step with no surface point below the plane. On entry `displacement` (local) is the
  // step's end without contact, on return with it; `state` is at the start of the step, and its velocities
  // get the first impulse. Returns how many surface points the ground pushes.
  //
  // `solve` is the inverse of the step's system, local; where it is not the body's factor, that one guides the
  // search and `solve` corrects it. `tolerance` says how far points in contact may end from the plane, relative to
  // the deepest without it.
  //
  // The floor of a point whose goal is below the plane is the goal, and lies ever further below that the deeper
  // the animator put it (docs/flesh.md). A point that starts the step below its floor, as a clip may begin, is let
  // out over a few hundredths of a second.
  int hold(const VertexFrames& frames, const LinearOperator& solve, double tolerance, std::span<double> displacement,
           FleshState& state);

  // What the forces of the last hold() add to the right-hand side of the step's system, local.
  std::span<const double> right_hand_side() const { return right_hand_side_; }

  // The second impulse, on the velocities at the end of the step.
  void settle(FleshState& state) const;

 private:
  struct Point {
    std::array<int, 4> free{};  // corners, or -1 for core vertices
    std::array<int, 4> vertex{};
    std::array<double, 4> weight{};
  };
  struct Contact {
    std::size_t point = 0;   // index into points_
    double floor = 0;        // metres, world: where its height has to end at least
    double floor_speed = 0;  // m/s: of the ground that yields to its goal
  };

  void measure_heights(const VertexFrames& frames, std::span<const double> displacement);
  double height(const Point& point) const;
  bool add_violated(const VertexFrames& frames, const FleshState& state, double tolerance);
  double floor_under(double goal) const;
  Contact contact_of(std::size_t point, const VertexFrames& frames, const FleshState& state) const;
  double largest_violation() const;
  double impulse_per_force() const;
  void push(const Point& point, double impulse, FleshState& state) const;
  void search_forces(const VertexFrames& frames, double tolerance);
  void spread(const VertexFrames& frames, std::span<const double> force, std::span<double> local) const;

  const FleshBody& body_;
  std::vector<Point> points_;          // that contact can move
  double yielding_depth_ = 0;          // metres
  double negligible_depth_ = 0;  // metres
  std::vector<double> vertex_height_;  // metres, world
  std::vector<double> depth_;          // per point, below the plane; negative above
  std::vector<char> in_contact_;       // per point
  std::vector<Contact> contacts_;
  std::vector<double> force_;            // per contact, on the right-hand side of the system, newtons
  std::vector<double> right_hand_side_;  // local
  ContactCompliance compliance_;
};

}  // namespace sinew
