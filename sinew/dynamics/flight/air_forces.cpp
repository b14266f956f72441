#include "sinew/dynamics/flight/air_forces.h"

#include <cmath>
#include <numbers>

#include "sinew/base/index.h"
#include "sinew/base/smooth_step.h"

namespace sinew {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double attached_until = 12 * pi / 180, separated_from = 24 * pi / 180;
constexpr double skin_drag = 0.02, tip_efficiency = 0.9;

}  // namespace

AirCoefficients air_coefficients(double angle, double aspect) {
  const double slope = 2 * pi / (1 + 2 / aspect), attached = slope * angle;
  const double share = smooth_step((std::abs(angle) - attached_until) / (separated_from - attached_until));
  const double sine = std::sin(angle);
  return {std::lerp(attached, 2 * sine * std::cos(angle), share),
          skin_drag + std::lerp(attached * attached / (pi * aspect * tip_efficiency), 2 * sine * sine, share)};
}

Vec3 strip_force(const Vec3& velocity, const Vec3& forward, const Vec3& up, double aspect) {
  const double ahead = dot(velocity, forward), rising = dot(velocity, up), speed = std::hypot(ahead, rising);
  if (!(speed > 0)) return {};
  const Vec3 way = (ahead / speed) * forward + (rising / speed) * up;
  // At right angles to the way, towards the upper side of a wing that goes forward.
  const Vec3 lift = (ahead / speed) * up - (rising / speed) * forward;
  const AirCoefficients own = air_coefficients(std::atan2(-rising, ahead), aspect);
  return (0.5 * speed * speed) * (own.lift * lift - own.drag * way);
}

AirForces air_forces(std::span<const WingStrip> strips, double aspect, const PlacedJoints& placed,
                     const LinkVelocities& velocities) {
  AirForces result;
  for (const WingStrip& strip : strips) {
    const std::size_t link = index(strip.link);
    const Quat& turn = placed.rotation[link];
    const Vec3 arm = rotate(turn, strip.place), place = placed.place[link] + arm;
    const Vec3 velocity = velocities.linear[link] + cross(velocities.angular[link], arm);
    const Vec3 force =
        (air_density * strip.area) * strip_force(velocity, rotate(turn, strip.forward), rotate(turn, strip.up), aspect);
    result.forces.push_back({strip.link, place, force});
    result.velocities.push_back(velocity);
  }
  return result;
}

double glide_angle(double attack, double aspect) {
  const AirCoefficients own = air_coefficients(attack, aspect);
  return std::atan2(own.drag, own.lift);
}

}  // namespace sinew
