// The engine for rigid bodies behind a small interface: an articulated body on level ground, and balls. One source file
// includes the engine's headers (MuJoCo; docs/dependencies.md says why).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "sinew/dynamics/articulated_body.h"

namespace sinew {

struct EngineOptions {
  double step = 1.0 / 1000;   // seconds; steps above 1/400 s make contacts soft
  Vec3 gravity{0, -9.81, 0};  // m/s^2
  bool has_ground = true;     // a plane at `ground`
  double ground = 0;          // height, metres
  double friction = 0.9;      // Coulomb's coefficient of everything that touches
  bool root_is_held = false;  // the first link turns about a place that is fixed, as a pendulum
  bool accurate = false;      // fourth-order Runge-Kutta in place of semi-implicit Euler: for tests, not for contact
  std::vector<double> inertia_added{};  // per link, added to the joint's three axes, kg m^2 (joint_drives.h); or empty
  std::vector<std::array<int, 2>> touching{};  // pairs of links whose capsules stop each other (touching_links.h)
};

// A ball that flies; it is out of the world until it is placed.
struct EngineBall {
  double radius = 0.1, mass = 1;  // metres, kilograms
};

// Force on a link at a point of model space.
struct LinkForce {
  int link = 0;
  Vec3 place;  // model space, metres
  Vec3 force;  // newtons
};

struct BodyMomentum {
  Vec3 linear;   // kg m/s
  Vec3 angular;  // about the centre of mass, kg m^2/s
};

class RigidBodyEngine {
 public:
  // Throws usage_error for a body that check_articulated_body() refuses, simulation_error if the engine does.
  RigidBodyEngine(const ArticulatedBody& body, const EngineOptions& options, std::span<const EngineBall> balls = {});
  ~RigidBodyEngine();
  RigidBodyEngine(RigidBodyEngine&&) noexcept;

  void set_state(const BodyState& state);
  const BodyState& state() const;

  void place_ball(int ball, const Vec3& place, const Vec3& velocity);
  Vec3 ball_place(int ball) const;

  // Takes one step. `torque`: per link, of the parent on the link, in the link's axes, newton metres; that of the first
  // link acts from outside. `forces` act from outside during this step. Throws simulation_error if the state is no
  // longer finite.
  void step(std::span<const Vec3> torque, std::span<const LinkForce> forces);

  // Changes what EngineOptions::inertia_added gave.
  void set_inertia_added(std::span<const double> inertia);

  // Whether a pair of EngineOptions::touching stops each other; all do at first.
  void set_touching(std::size_t pair, bool touches);

  // Kinetic and potential energy, joules, of the present state.
  double energy();
  BodyMomentum momentum();
  // Per link, whether it touched the ground in the last step, and the force of the ground on it, newtons.
  std::vector<Vec3> ground_forces() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace sinew
