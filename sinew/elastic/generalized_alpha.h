// The generalised-alpha method (Chung and Hulbert 1993): implicit and second order in time. One number sets the damping
// of the highest frequencies; visible frequencies are hardly damped.
//
//   M ((1 - alpha_m) a_{n+1} + alpha_m a_n) = (1 - alpha_f) f_{n+1} + alpha_f f_n
//   p_{n+1} = p_n + h v_n + h^2 ((1/2 - beta) a_n + beta a_{n+1})
//   v_{n+1} = v_n + h ((1 - gamma) a_n + gamma a_{n+1})
#pragma once

namespace sinew {

struct GeneralizedAlpha {
  double alpha_m = 0, alpha_f = 0, beta = 0.25, gamma = 0.5;
  double step = 1.0 / 240;  // h, seconds

  // Factor of M in the system matrix: (1 - alpha_m) / (beta h^2).
  double mass_factor() const { return (1 - alpha_m) / (beta * step * step); }
  // Weight of the new forces: 1 - alpha_f.
  double force_factor() const { return 1 - alpha_f; }
  // Factor of u_{n+1} in the relative velocity that damping acts on, the second-order backward difference (3 u_{n+1} -
  // 4 u_n + u_{n-1}) / (2 h). Unlike Newmark's velocity it is exactly zero where u is constant, and it keeps the scheme
  // stable for any damping and any step (tests/elastic/generalized_alpha_test.cpp).
  double velocity_factor() const { return 1.5 / step; }
};

// `spectral_radius` in [0, 1] is the amplitude ratio per step at infinite frequency. At 1 the method is the trapezoidal
// rule, which conserves the energy of an undamped linear body.
inline GeneralizedAlpha generalized_alpha(double step, double spectral_radius) {
  GeneralizedAlpha method;
  method.alpha_m = (2 * spectral_radius - 1) / (spectral_radius + 1);
  method.alpha_f = spectral_radius / (spectral_radius + 1);
  method.gamma = 0.5 - method.alpha_m + method.alpha_f;
  method.beta = 0.25 * (1 - method.alpha_m + method.alpha_f) * (1 - method.alpha_m + method.alpha_f);
  method.step = step;
  return method;
}

}  // namespace sinew
