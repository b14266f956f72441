#include "sinew/kinematics/two_bone.h"

#include <algorithm>
#include <cmath>

#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

// Sines below this count as zero where they decide a plane.
constexpr double straight = 1e-6;

// 16 times the squared area of a triangle, (first + second)^2 - reach^2 times reach^2 - (first - second)^2 (Heron), in
// factors that lose no digits where it is flat.
struct FlatFactors {
  double beyond = 0, inside = 0;
};

FlatFactors flat_factors(double first, double second, double reach) {
  return {std::max((first + second - reach) * (first + second + reach), 0.0),
          std::max((reach - first + second) * (reach + first - second), 0.0)};
}

double softened(double distance, double length, double soft_from) {
  const double soft = (1 - std::clamp(soft_from, 0.0, 1.0)) * length, from = length - soft;
  return soft > 0 && distance > from ? length - soft * std::exp(-(distance - from) / soft) : distance;
}

// The part of `v` at right angles to `unit`.
Vec3 rejected(const Vec3& v, const Vec3& unit) { return v - unit * dot(v, unit); }

// Three divisions for one: this runs for every limb in every frame.
Vec3 divided(const Vec3& v, double by) { return v * (1 / by); }

// The limb as it is posed, in the plane in which it is bent.
struct BentLimb {
  Vec3 along;        // from root to end, unit length
  double reach = 0;  // from root to end
  Vec3 normal;       // of the plane: the first bone is a turn about it away from `along`; zero for a straight limb
  double out = 0;    // how far the middle joint is from the line from root to end
};

BentLimb bent_limb(const Vec3& first, const Vec3& second, double lengths) {
  const Vec3 posed = first + second, normal = cross(second, first);  // along x first, times the reach
  BentLimb bent;
  bent.reach = norm(posed);
  if (!(bent.reach > 0)) return {normalized(first), 0, {}, 0};
  bent.along = divided(posed, bent.reach);
  const double sine = norm(normal);
  if (sine > straight * lengths) {
    bent.normal = divided(normal, sine);
    bent.out = sine / bent.reach;
  }
  return bent;
}

// Unit normals of the plane in which the limb lies, before and after.
struct Planes {
  Vec3 before, after;
};

Planes planes_of(const Vec3& normal_before, const TwoBoneGoal& goal, const Vec3& along_before, const Vec3& along) {
  Planes planes{normal_before, cross(along, goal.pole)};
  const double square = squared_norm(planes.after);
  if (square > straight * straight * squared_norm(goal.pole)) {
    planes.after = divided(planes.after, std::sqrt(square));
  } else {
    const Quat carried = shortest_turn(along_before, along);
    const Vec3 hinge = rotate(carried, rejected(goal.hinge, along_before));
    planes.after = planes.before != Vec3{}                     ? rotate(carried, planes.before)
                   : norm(hinge) > straight * norm(goal.hinge) ? normalized(hinge)
                                                               : any_perpendicular(along);
  }
  if (goal.other) planes.after = -planes.after;
  // A straight limb has no plane: it is turned by the shortest way, without twist.
  if (planes.before == Vec3{}) planes.before = rotate(conjugate(shortest_turn(along_before, along)), planes.after);
  return planes;
}

// The turn that takes two unit vectors at right angles, a and b, to two others, a1 and b1. Its axis is at right angles
// to both displacements: with g the axis times the tangent of half the angle, a1 - a = g x (a1 + a) and the same for b,
// so that (a1 - a) x (b1 - b) = g (a1 - a) . (b1 + b). Where the displacements are parallel, the matrix decides.
Quat turn_of_pair(const Vec3& a, const Vec3& b, const Vec3& a1, const Vec3& b1) {
  const Vec3 moved_a = a1 - a, moved_b = b1 - b;
  const Vec3 axis = cross(moved_a, moved_b);
  const double square = squared_norm(axis), w = dot(moved_a, b1 + b);
  if (square > 1e-4 * squared_norm(moved_a) * squared_norm(moved_b) && square > 1e-24) {
    const double scale = 1 / std::sqrt(square + w * w);
    return {axis.x * scale, axis.y * scale, axis.z * scale, w * scale};
  }
  return to_quaternion(Mat3::from_columns(a1, b1, cross(a1, b1)) * transpose(Mat3::from_columns(a, b, cross(a, b))));
}

// A turn followed by others about one unit axis.
class TurnThenAbout {
 public:
  TurnThenAbout(const Quat& turn, const Vec3& axis) : first_(turn) {
    const Vec3 v{turn.x, turn.y, turn.z};
    along_ = axis * turn.w + cross(axis, v);
    less_ = dot(axis, v);
  }
  // The turn followed by one about the axis, by an angle of which cosine and sine are given.
  Quat operator()(double cosine, double sine) const {
    const double larger = std::sqrt((1 + std::abs(cosine)) / 2), smaller = sine / (2 * larger);
    const double c = cosine >= 0 ? larger : smaller, s = cosine >= 0 ? smaller : larger;
    return {c * first_.x + s * along_.x, c * first_.y + s * along_.y, c * first_.z + s * along_.z,
            c * first_.w - s * less_};
  }

 private:
  Quat first_;
  Vec3 along_;
  double less_ = 0;
};

}  // namespace

std::array<PlanarLimb, 2> planar_limb(double first, double second, double x, double y) {
  const double reach = std::clamp(std::hypot(x, y), std::abs(first - second), first + second);
  const auto [beyond, inside] = flat_factors(first, second, reach);
  const double bend = 2 * std::atan2(std::sqrt(beyond), std::sqrt(inside)), direction = std::atan2(y, x);
  const double lean = std::atan2(second * std::sin(bend), first + second * std::cos(bend));
  return {PlanarLimb{direction - lean, bend}, PlanarLimb{direction + lean, -bend}};
}

TwoBonePose solve_two_bones(const TwoBoneLimb& limb, const TwoBoneGoal& goal) {
  const Vec3 upper_before = limb.middle - limb.root, lower_before = limb.end - limb.middle;
  const Vec3 wanted = goal.target - limb.root;
  const double first = norm(upper_before), second = norm(lower_before), far = norm(wanted);
  const double reach =
      std::clamp(softened(far, first + second, goal.soft_from), std::abs(first - second), first + second);
  const BentLimb bent = bent_limb(upper_before, lower_before, first * second);
  const Vec3& along_before = bent.along;
  const Vec3 along = far > 0 ? divided(wanted, far) : along_before;
  const Planes planes = planes_of(bent.normal, goal, along_before, along);

  // The middle joint is `forward` along the line from root to end and `out` to its side. A limb folded onto its root
  // has no line, and its bones stand across.
  const auto [beyond, inside] = flat_factors(first, second, reach);
  const bool folded = !(reach > 1e-9 * (first + second));
  const double forward = folded ? 0 : (reach * reach + (first - second) * (first + second)) / (2 * reach);
  const double out = folded ? first : std::sqrt(beyond * inside) / (2 * reach);
  const Vec3 side = cross(planes.after, along);
  const Vec3 upper = along * forward + side * out, lower = along * (reach - forward) - side * out;

  // The limb's plane is turned as a whole, with the line from root to end; then each bone within it.
  const TurnThenAbout turn(turn_of_pair(along_before, planes.before, along, planes.after), planes.after);
  const double forward_before = dot(upper_before, along_before);
  const auto within_plane = [&](double length, double from_forward, double from_out, double to_forward, double to_out) {
    if (!(length > 0)) return turn(1, 0);
    const double scale = 1 / (length * length);
    return turn((from_forward * to_forward + from_out * to_out) * scale,
                (from_forward * to_out - from_out * to_forward) * scale);
  };
  TwoBonePose pose;
  pose.root = within_plane(first, forward_before, bent.out, forward, out);
  pose.middle = within_plane(second, bent.reach - forward_before, -bent.out, reach - forward, -out);
  pose.middle_at = limb.root + upper;
  pose.end_at = pose.middle_at + lower;
  pose.missed = distance(pose.end_at, goal.target);
  return pose;
}

}  // namespace sinew
