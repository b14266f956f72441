#include "sinew/dynamics/joint_drives.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/dynamics/units.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

// Moment of the weight beyond each joint at right angles to gravity, newton metres.
std::vector<double> weight_moments(const ArticulatedBody& body) {
  PlacedJoints placed;
  place_joints(body.tree, {{}, std::vector<Quat>(body.size())}, placed);
  std::vector<double> mass(body.size()), moment(body.size());
  std::vector<Vec3> first(body.size());  // mass times place of all that is beyond
  for (std::size_t k = body.size(); k-- > 0;) {
    mass[k] += body.tree.mass[k];
    first[k] += body.tree.mass[k] * placed(static_cast<int>(k), body.tree.mass_centre[k]);
    moment[k] = standard_gravity * norm(first[k] - mass[k] * placed.place[k]);
    if (k == 0) continue;
    mass[index(body.tree.parent[k])] += mass[k];
    first[index(body.tree.parent[k])] += first[k];
  }
  return moment;
}

// Angle by which a limb at right angles to gravity sags, radians.
constexpr double sag = 1.0 / 20;

}  // namespace

std::vector<double> holding_torques(const ArticulatedBody& body, std::span<const char> bears, double height) {
  constexpr double least_share = 2e-3;  // of a leg's torque, for joints with next to nothing beyond
  const double of_leg = sag * total_mass(body) * standard_gravity * height;
  std::vector<double> torque = weight_moments(body);
  for (std::size_t k = 0; k < body.size(); ++k)
    torque[k] = std::min(std::max(torque[k], bears[k] ? of_leg : least_share * of_leg), 2 * of_leg);
  return torque;
}

std::vector<JointDrive> drives_for(const ArticulatedBody& body, std::span<const char> bears, double height,
                                   double strength) {
  // Legs are about as stiff as the whole body's weight times its height, 650 N m/rad at 70 kg; damping follows the
  // stiffness with a time.
  constexpr double seconds = 0.05, usual_height = 0.95, largest_error = 0.6;
  constexpr double limit_share = 2;
  const std::vector<double> held = holding_torques(body, bears, height);
  std::vector<JointDrive> drives(body.size());
  for (std::size_t k = 1; k < body.size(); ++k) {
    drives[k].stiffness = strength * held[k] / sag;
    drives[k].damping = drives[k].stiffness * seconds * std::sqrt(height / usual_height) / std::sqrt(strength);
    drives[k].most = drives[k].stiffness * largest_error;
    drives[k].limit = limit_share * drives[k].stiffness;
  }
  return drives;
}

std::vector<JointDrive> limp(std::span<const JointDrive> drives, double share) {
  std::vector<JointDrive> soft(drives.begin(), drives.end());
  for (JointDrive& drive : soft) {
    drive.stiffness *= share;
    drive.damping *= std::sqrt(share);
    drive.most *= share;
  }
  return soft;
}

std::vector<double> inertia_added(std::span<const JointDrive> drives, double step) {
  std::vector<double> inertia;
  for (const JointDrive& drive : drives)
    inertia.push_back(step * (drive.damping + step * (drive.stiffness + drive.limit)));
  return inertia;
}

void drive_torques(const ArticulatedBody& body, std::span<const JointDrive> drives,
                   std::span<const JointTarget> targets, const BodyState& state, double step, std::span<Vec3> torque) {
  torque[0] = {};
  for (std::size_t k = 1; k < body.size(); ++k) {
    const JointDrive& drive = drives[k];
    const Vec3& spin = state.spin[k];
    const Quat ahead = normalized(state.pose.local[k] * rotation_exponential(spin * step));
    const Quat back = conjugate(ahead);
    const Vec3 error = rotation_logarithm(normalized(back * targets[k].local));
    const Vec3 wanted = rotate(normalized(back * targets[k].local), targets[k].spin);
    torque[k] = shortened(drive.stiffness * error + drive.damping * wanted, drive.most) - drive.damping * spin;
    if (body.tree.limits.empty() || !body.tree.limits[k]) continue;
    const Quat allowed = within_limits(*body.tree.limits[k], ahead);
    if (allowed == ahead) continue;
    torque[k] += drive.limit * rotation_logarithm(normalized(back * allowed));
  }
}

}  // namespace sinew
