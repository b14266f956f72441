#include "sinew/kinematics/foot_contacts.h"

#include <algorithm>

namespace sinew {
namespace {

// Heights are shares of the leg, speeds shares of it per second.
constexpr double low_enough = 0.08, too_high = 0.12, slow_enough = 0.4, too_fast = 0.8;
constexpr double shortest = 0.06;  // seconds

double speed_at(std::span<const Vec3> path, std::span<const double> times, std::size_t f) {
  const std::size_t a = f > 0 ? f - 1 : f, b = f + 1 < path.size() ? f + 1 : f;
  return a == b ? 0 : norm(path[b] - path[a]) / (times[b] - times[a]);
}

// Turns runs of `value` that are shorter than `seconds` into the other value, except at the ends.
void drop_short_runs(std::vector<char>& flags, std::span<const double> times, char value, double seconds) {
  for (std::size_t f = 0; f < flags.size();) {
    std::size_t end = f;
    while (end < flags.size() && flags[end] == flags[f]) ++end;
    const bool inner = f > 0 && end < flags.size();
    if (flags[f] == value && inner && times[end] - times[f] < seconds)
      std::fill(flags.begin() + static_cast<std::ptrdiff_t>(f), flags.begin() + static_cast<std::ptrdiff_t>(end),
                static_cast<char>(value == 0));
    f = end;
  }
}

std::vector<char> contact_of(std::span<const Vec3> path, std::span<const double> times, double standing, double leg) {
  std::vector<char> flags(times.size(), 0);
  bool touching = false;
  for (std::size_t f = 0; f < path.size(); ++f) {
    const double height = (path[f].y - standing) / leg, speed = speed_at(path, times, f) / leg;
    touching = touching ? height < too_high && speed < too_fast : height < low_enough && speed < slow_enough;
    flags[f] = touching;
  }
  drop_short_runs(flags, times, 0, shortest);
  drop_short_runs(flags, times, 1, shortest);
  return flags;
}

}  // namespace

FootContacts find_contacts(const FootPath& foot, std::span<const double> times, double leg_length) {
  return {contact_of(foot.ankle, times, foot.ankle_standing, leg_length),
          contact_of(foot.toe, times, foot.toe_standing, leg_length)};
}

}  // namespace sinew
