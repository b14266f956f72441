#include "sinew/kinematics/chain_step.h"

#include <algorithm>
#include <cmath>

#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

// The rotation by 2 atan(|w| / 2), which is that of the rotation vector w to second order, without trigonometry.
Quat turn_by(const Vec3& w) { return normalized(Quat{w.x / 2, w.y / 2, w.z / 2, 1}); }

double length_of(const Chain& chain) {
  double length = 0;
  for (std::size_t j = 1; j < chain.place.size(); ++j) length += distance(chain.place[j - 1], chain.place[j]);
  return length;
}

// Turns of joints about axes through the line of a straight chain move its end nowhere: it is bent a little.
void bend_if_straight(Chain& chain, const Vec3& target) {
  const Vec3 line = normalized(target - chain.place.front());
  double off = 0, length = 0;
  for (std::size_t j = 1; j < chain.place.size(); ++j) {
    off = std::max(off, norm(cross(line, chain.place[j] - chain.place[0])));
    length = std::max(length, distance(chain.place[j], chain.place[0]));
  }
  if (off > 1e-6 * length || chain.rotation.size() < 2) return;
  const Quat bend = axis_angle(any_perpendicular(line), 1e-2);
  for (std::size_t j = 1; j < chain.place.size(); ++j)
    chain.place[j] = chain.place[0] + rotate(bend, chain.place[j] - chain.place[0]);
  for (Quat& q : chain.rotation) q = bend * q;
  // The second joint turns back by more, so that the chain is no line.
  const Quat back = axis_angle(any_perpendicular(line), -2e-2);
  for (std::size_t j = 2; j < chain.place.size(); ++j)
    chain.place[j] = chain.place[1] + rotate(back, chain.place[j] - chain.place[1]);
  for (std::size_t j = 1; j < chain.rotation.size(); ++j) chain.rotation[j] = back * chain.rotation[j];
}

}  // namespace

double damped_step(Chain& chain, const Vec3& target, double damping) {
  const std::size_t joints = chain.rotation.size();
  const Vec3 end = chain.place[joints], error = target - end;
  Mat3 gram = Mat3::diagonal({damping * damping, damping * damping, damping * damping});
  for (std::size_t j = 0; j < joints; ++j) {
    const Vec3 r = end - chain.place[j];
    const double rr = dot(r, r);
    gram += Mat3::diagonal({rr, rr, rr}) - outer(r, r);
  }
  const Vec3 y = inverse(gram) * error;
  Quat turned;  // of all joints so far
  Vec3 before = chain.place[0];
  for (std::size_t j = 0; j < joints; ++j) {
    turned = turned * turn_by(cross(end - before, y));
    const Vec3 bone = chain.place[j + 1] - before;
    before = chain.place[j + 1];
    chain.place[j + 1] = chain.place[j] + rotate(turned, bone);
    chain.rotation[j] = normalized(turned * chain.rotation[j]);
  }
  return norm(error);
}

double reach(Chain& chain, const Vec3& target, const ReachOptions& options) {
  if (chain.rotation.empty()) return chain.place.empty() ? 0 : distance(chain.place.back(), target);
  const double length = length_of(chain), enough = options.tolerance * length;
  bend_if_straight(chain, target);
  double left = distance(chain.place.back(), target);
  Chain trial = chain;
  double damping = left;
  for (int i = 0; i < options.iterations && left > enough; ++i) {
    damped_step(trial, target, std::max(damping, 1e-9 * length));
    const double now = distance(trial.place.back(), target);
    if (now < left) {
      chain = trial;
      const bool slow = left - now < 1e-3 * enough;
      left = now;
      if (slow) break;
      damping = std::min(damping / 3, left);
    } else {
      trial = chain;
      damping *= 4;
    }
  }
  return left;
}

}  // namespace sinew
