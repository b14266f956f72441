#include "sinew/deform/lattice/solver/adaptation.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr double fading_rate = 30;     // 1/s: what fades is at 2 % after a fifth of a second
constexpr double faded_share = 1e-6;   // of the body's largest extent: what is smaller is gone
constexpr double always = 1e30;        // a strain beyond any threshold
constexpr double pushed_share = 0.05;  // of the largest force of rigs: smaller ones switch no function on
constexpr std::size_t adaptation_grain = 32;

double strain_of(const LatticeBody& body, const LatticePose& pose, const LatticeState& state, const DetailLevel& level,
                 std::size_t element) {
  const bool rig = body.reference == LatticeReference::rig;
  Mat3 gradient = Mat3::zero();
  for (auto e = static_cast<std::size_t>(level.start[element]); e < static_cast<std::size_t>(level.start[element + 1]);
       ++e) {
    const auto f = static_cast<std::size_t>(level.function[e]);
    if (state.activity[f] == Activity::off && body.description.role[f] != FunctionRole::driven) continue;
    // The state is that of the last step; goal and frame are recovered from it through the function's own displacement.
    const Vec3 x = rig ? pose.functions.rotation[f] * state.displacement[f]
                       : pose.functions.goal[f] + pose.functions.rotation[f] * state.displacement[f];
    gradient += outer(x, level.gradient[e]);
  }
  const auto cell = static_cast<std::size_t>(level.cell[element]);
  const Mat3 local = transpose(pose.cells.rotation[cell]) * gradient;
  // The strain of a pure scaling by the rig, which elasticity ignores.
  const double rest = rig ? 0 : body.run.linearization == Linearization::warped ? pose.cell_scale[cell] : 1;
  double squared = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double e = 0.5 * (local(i, j) + local(j, i)) - (i == j ? rest : 0.0);
      squared += e * e;
    }
  return std::sqrt(squared);
}

// True if some function of the element's own level is solved or about to be (`strain`); else its children have no
// parent.
bool has_parent(const LatticeDescription& description, const LatticeState& state, std::span<const double> strain,
                const DetailLevel& level, std::size_t element, std::size_t k) {
  if (k == 0) return true;
  for (auto e = static_cast<std::size_t>(level.start[element]); e < static_cast<std::size_t>(level.start[element + 1]);
       ++e) {
    const auto f = static_cast<std::size_t>(level.function[e]);
    if (description.level[f] == static_cast<int>(k) && (state.activity[f] == Activity::solved || strain[f] >= 1))
      return true;
  }
  return false;
}

// At most `most` functions are solved: the threshold rises until that holds.
void keep_within_budget(const LatticeDescription& description, std::size_t most, std::vector<double>& strain) {
  std::vector<double> wanted;
  std::size_t coarse = 0;
  for (std::size_t f = 0; f < strain.size(); ++f) {
    if (description.role[f] != FunctionRole::free) continue;
    if (description.level[f] == 0)
      ++coarse;
    else if (strain[f] > 0)
      wanted.push_back(strain[f]);
  }
  const std::size_t room = most > coarse ? most - coarse : 0;
  if (wanted.size() <= room) return;
  std::nth_element(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(room), wanted.end(), std::greater<>());
  const double threshold = wanted[room];
  for (double& s : strain)
    if (s <= threshold) s = 0;
}

double largest_extent(const LatticeDescription& description) {
  Vec3 low = description.place[0], high = low;
  for (const Vec3& p : description.place) {
    low = min(low, p);
    high = max(high, p);
  }
  const Vec3 extent = high - low;
  return std::max({extent.x, extent.y, extent.z});
}

// Functions on which forces of rigs act that are not small beside the largest one.
std::vector<char> pushed_functions(std::span<const PointForce> forces, std::size_t functions) {
  std::vector<char> pushed(functions, 0);
  double most = 0;
  for (const PointForce& each : forces) most = std::max(most, norm(each.force));
  for (const PointForce& each : forces)
    if (norm(each.force) >= pushed_share * most) pushed[static_cast<std::size_t>(each.point)] = 1;
  return pushed;
}

}  // namespace

void start_coarse(const LatticeDescription& description, std::vector<Activity>& activity) {
  for (std::size_t f = 0; f < activity.size(); ++f)
    activity[f] = description.level[f] == 0 ? Activity::solved : Activity::off;
}

bool choose_functions(const LatticeBody& body, const LatticePose& pose, std::span<const PointForce> forces,
                      LatticeState& state) {
  const LatticeDescription& d = body.description;
  const LatticeAdaptation& adaptation = body.run.adaptation;
  // Per function, the largest strain of its elements as a multiple of the strain that switches its level on.
  std::vector<double> strain(d.role.size(), 0.0);
  const std::vector<char> pushed = pushed_functions(forces, strain.size());
  for (std::size_t k = 0; k < d.detail_levels.size(); ++k) {
    const DetailLevel& level = d.detail_levels[k];
    std::vector<double> measured(level.cell.size(), 0.0);
    std::vector<char> reached(level.cell.size(), 0);
    parallel_for(measured.size(), adaptation_grain, [&](std::size_t e) {
      if (!has_parent(d, state, strain, level, e, k)) return;
      reached[e] = 1;
      const double threshold = adaptation.threshold[k];
      measured[e] = threshold > 0 ? strain_of(body, pose, state, level, e) / threshold : always;
    });
    for (std::size_t e = 0; e < measured.size(); ++e)
      for (auto c = static_cast<std::size_t>(level.child_start[e]);
           c < static_cast<std::size_t>(level.child_start[e + 1]); ++c) {
        const auto child = static_cast<std::size_t>(level.child[c]);
        strain[child] = reached[e] && pushed[child] ? always : std::max(strain[child], measured[e]);
      }
  }
  // Below the lower threshold nothing stays; between the two, only what is on.
  for (std::size_t f = 0; f < strain.size(); ++f) {
    const bool on = state.activity[f] == Activity::solved;
    if (d.level[f] > 0 && strain[f] < (on ? adaptation.deactivation_share : 1.0)) strain[f] = 0;
  }
  if (adaptation.most_functions > 0) keep_within_budget(d, static_cast<std::size_t>(adaptation.most_functions), strain);

  const double gone = faded_share * largest_extent(d);
  bool changed = false;
  for (std::size_t f = 0; f < strain.size(); ++f) {
    if (d.level[f] == 0 || d.role[f] != FunctionRole::free) continue;
    Activity next = state.activity[f];
    if (strain[f] > 0)
      next = Activity::solved;
    else if (next == Activity::solved)
      next = Activity::fading;
    else if (next == Activity::fading && norm(state.displacement[f]) + norm(state.previous_displacement[f]) < gone)
      next = Activity::off;
    if (next == state.activity[f]) continue;
    if (next == Activity::off)
      for (std::vector<Vec3>* vectors :
           {&state.position, &state.previous_position, &state.velocity, &state.acceleration, &state.impetus,
            &state.displacement, &state.previous_displacement})
        (*vectors)[f] = {};
    state.activity[f] = next;
    changed = true;
  }
  return changed;
}

Vec3 faded_displacement(const LatticeState& state, std::size_t function, double step) {
  const Vec3& u = state.displacement[function];
  const Vec3 velocity = (u - state.previous_displacement[function]) / step;
  return std::exp(-fading_rate * step) * (u + step * (velocity + fading_rate * u));
}

}  // namespace sinew
