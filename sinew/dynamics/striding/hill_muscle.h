// A muscle on its tendon (Zajac 1989): a contractile element with Hill's curves (elastic/hill_curves.h) in series with
// an elastic tendon, and the activation that follows a stimulation.
//
// Forces of fibre and tendon are equal. A step solves for the fibre's length at its end,
//   tendon(whole - length) = activation * active(length) * by_velocity((length - before) / step) + passive(length),
// whose sides cross once: a step of any length is stable.
#pragma once

namespace sinew {

struct HillMuscle {
  double force = 1000;    // largest isometric force, newtons
  double fibre = 0.1;     // optimal length of the fibres, metres
  double tendon = 0.2;    // slack length of the tendon, metres
  double fastest = 12;    // optimal lengths per second, at which fibres that shorten have no force
  double stretch = 0.04;  // strain of the tendon at the largest isometric force
};

// Force of a tendon relative to the muscle's largest, by its strain relative to HillMuscle::stretch: the square.
double tendon_force(double strain);

struct MuscleState {
  double activation = 0.01;  // 0 to 1
  double length = 1;         // of the fibre, optimal lengths
  double force = 0;          // newtons
};

// Length of the fibre whose force is that of the tendon while both are still; `whole`: length of muscle and tendon,
// metres.
MuscleState muscle_at_rest(const HillMuscle& muscle, double whole, double activation);

// Goes on by `step` seconds, to a length of muscle and tendon, with the activation that the state has.
void advance_muscle(const HillMuscle& muscle, double whole, double step, MuscleState& state);

// Time constants of the activation, seconds.
struct ActivationTimes {
  double up = 0.010, down = 0.040;
};

// The activation after `step` seconds of a stimulation, 0 to 1: first order, and the exact solution.
double activation_after(double activation, double stimulation, const ActivationTimes& times, double step);

}  // namespace sinew
