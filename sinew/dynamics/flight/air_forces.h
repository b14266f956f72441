// Forces of the air on wings, strip by strip: lift and drag by the angle of attack of the flow at the moment
// (quasi-steady; Won 2017 fits such curves to birds).
#pragma once

#include <span>
#include <vector>

#include "sinew/dynamics/rigid_body_engine.h"

namespace sinew {

inline constexpr double air_density = 1.225;  // kg/m^3, at sea level

// A piece of a wing across its span.
struct WingStrip {
  int link = 0;
  Vec3 place;       // the link's space, metres: a quarter of the chord behind the leading edge
  Vec3 forward;     // from the trailing to the leading edge, unit length, the link's space
  Vec3 up;          // at right angles to the strip, on its upper side, unit length
  double area = 0;  // square metres
};

struct AirCoefficients {
  double lift = 0, drag = 0;
};

// The coefficients of a thin wing at an angle of attack, radians, -pi to pi. `aspect`: span squared over area. Up to 12
// degrees the flow is attached: lift is that of a thin aerofoil, less by the flow around the tips, which costs drag.
// Beyond 24 degrees lift and drag are those of a flat plate. The drag of the skin is always there.
AirCoefficients air_coefficients(double angle, double aspect);

// Force of the air on a strip of unit density times area, newtons per kg/m: `velocity` is that of the strip through the
// air, m/s, in the axes of `forward` and `up`. What flows along the span does nothing.
Vec3 strip_force(const Vec3& velocity, const Vec3& forward, const Vec3& up, double aspect);

// Forces on all strips of a body in still air, and the velocities of the strips, m/s.
struct AirForces {
  std::vector<LinkForce> forces;
  std::vector<Vec3> velocities;
};
AirForces air_forces(std::span<const WingStrip> strips, double aspect, const PlacedJoints& placed,
                     const LinkVelocities& velocities);

// The angle below level at which a wing at this angle of attack glides, radians: drag over lift is its tangent.
double glide_angle(double attack, double aspect);

}  // namespace sinew
