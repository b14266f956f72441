// Falling balls in the search for contact forces (contact_forces.h). The force of each contact acts on the ball too,
// the other way, with the same two impulses; balls add their inverse masses to the compliance of the contacts.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/contact/contact_set.h"
#include "sinew/contact/falling_ball.h"

namespace sinew {

class BallsInContact {
 public:
  // Begins a step. `obstacles`: their number. `response`: displacement of a free mass of 1 kg over the step by a force
  // of 1 N on the right-hand side of the step's system, metres.
  void begin(std::span<const FallingBall> balls, std::size_t obstacles, double response);
  bool empty() const { return balls_.empty(); }

  // Displacement of an obstacle as the step ends, metres; zero unless it is a ball.
  Vec3 displacement(std::size_t obstacle) const { return empty() ? Vec3{} : displacement_[obstacle]; }
  // A place as seen from an obstacle that stands where the step's obstacles say.
  Vec3 seen_from(std::size_t obstacle, const Vec3& place) const { return place - displacement(obstacle); }
  bool is_ball(std::size_t obstacle) const { return !empty() && inverse_mass_[obstacle] > 0; }

  // Displaces the balls as forces on all contacts do (newtons on the right-hand side).
  void take_forces(const ContactSet& contacts, std::span<const double> force);
  // Adds to the contacts' distances what the balls give way under these forces, times `factor`.
  void add_compliance(const ContactSet& contacts, std::span<const double> force, double factor,
                      std::span<double> along_normals) const;
  // Adds likewise to the matrix of the compliance, row-major.
  void add_to_matrix(const ContactSet& contacts, double factor, std::span<double> matrix) const;

  // Velocity of an obstacle as the step ends, m/s, under impulses (newton seconds) of the contacts `which`; zero unless
  // it is a ball.
  Vec3 velocity(std::size_t obstacle) const { return is_ball(obstacle) ? velocity_[obstacle] : Vec3{}; }
  void take_impulses(const ContactSet& contacts, std::span<const std::size_t> which, std::span<const double> impulse);
  // Adds to velocities what impulses do to the balls, as add_compliance() adds to distances.
  void add_mobility(const ContactSet& contacts, std::span<const std::size_t> which, std::span<const double> impulse,
                    std::span<double> along_normals) const;

  // Per ball, in the order of begin().
  std::span<const BallPush> pushes() const { return pushes_; }

 private:
  std::vector<FallingBall> balls_;
  double response_ = 0;
  // Per obstacle.
  std::vector<double> inverse_mass_;  // 1/kg; 0: not a ball
  std::vector<Vec3> displacement_, velocity_;
  std::vector<BallPush> pushes_;
};

}  // namespace sinew
