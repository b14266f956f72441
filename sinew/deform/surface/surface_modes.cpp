#include "sinew/deform/surface/surface_modes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/deform/surface/surface_motion.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

constexpr double least_inertia = 1e-4;  // determinant of what turns, of a ball's with the same trace
constexpr double most_reaches = 16;     // that the coordinates of all modes together may be

double angular_frequency(const SurfaceMode& mode) { return 2 * std::numbers::pi * mode.frequency; }

// <G, L^T D>: of two affine maps the sum of products of their entries.
double product(const Affine& drive, const Mat3& linear, const Affine& difference) {
  const Mat3 turned = transpose(linear) * difference.linear;
  double sum = dot(drive.translation, transpose_times(linear, difference.translation));
  for (std::size_t k = 0; k < 9; ++k) sum += drive.linear.m[k] * turned.m[k];
  return sum;
}

Affine second_difference(const Affine& before, const Affine& now, const Affine& next) {
  return {next.linear - now.linear * 2.0 + before.linear,
          next.translation - 2.0 * now.translation + before.translation};
}

// Mean squared length of the edges at a vertex: proportional to its area where triangles are alike.
double edge_area(const SurfaceModel& model, std::size_t i) {
  const int first = model.first_neighbour[i], last = model.first_neighbour[i + 1];
  double sum = 0;
  for (int k = first; k < last; ++k)
    sum += squared_norm(model.rest[static_cast<std::size_t>(model.neighbours[static_cast<std::size_t>(k)])] -
                        model.rest[i]);
  return last > first ? sum / (last - first) : 0;
}

// The symmetric system of which `matrix` has the lower triangle, by Cholesky; overwrites both. What is the same as what
// came before gets nothing.
void solve_in_place(std::vector<double>& matrix, std::vector<double>& x) {
  const std::size_t n = x.size();
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return matrix[i * n + j]; };
  constexpr double singular = 1e-9;  // of the diagonal
  for (std::size_t i = 0; i < n; ++i) {
    const double diagonal = at(i, i);
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = at(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
      if (j < i)
        at(i, j) = at(j, j) > 0 ? sum / at(j, j) : 0;
      else
        at(i, i) = sum > singular * diagonal ? std::sqrt(sum) : 0;
    }
    for (std::size_t k = 0; k < i; ++k) x[i] -= at(i, k) * x[k];
    x[i] = at(i, i) > 0 ? x[i] / at(i, i) : 0;
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= at(k, i) * x[k];
    x[i] = at(i, i) > 0 ? x[i] / at(i, i) : 0;
  }
}

}  // namespace

ModeRecurrence mode_recurrence(const SurfaceMode& mode, double step) {
  const double w = angular_frequency(mode), z = mode.damping_ratio;
  const double decay = std::exp(-z * w * step), angle = w * std::sqrt(std::max(1 - z * z, 0.0)) * step;
  ModeRecurrence r;
  r.now = 2 * decay * std::cos(angle);
  r.before = -decay * decay;
  r.force = (1 - r.now - r.before) / (w * w);
  return r;
}

double mode_force(const SurfaceMode& mode, std::span<const Affine> before, std::span<const Affine> now,
                  std::span<const Affine> next, double step) {
  double sum = 0;
  for (std::size_t b = 0; b < mode.drive.size(); ++b)
    sum += product(mode.drive[b], now[b].linear, second_difference(before[b], now[b], next[b]));
  return -sum / (step * step);
}

void step_modes(const SurfaceModel& model, std::span<const Affine> bones_before, std::span<const Affine> bones,
                std::span<const Affine> bones_next, std::span<const double> deviation, ModeState& state) {
  const std::size_t count = model.modes.size();
  state.now.resize(count);
  state.before.resize(count);
  double moved = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const SurfaceMode& mode = model.modes[k];
    const ModeRecurrence r = mode_recurrence(mode, model.step);
    double force = mode_force(mode, bones_before, bones, bones_next, model.step);
    if (!deviation.empty()) {
      const double w = angular_frequency(mode);
      force += model.mode_coupling * w * w * deviation[k];
    }
    const double next = r.now * state.now[k] + r.before * state.before[k] + r.force * force;
    state.before[k] = state.now[k];
    state.now[k] = next;
    moved += std::abs(next);
  }
  const double most = most_reaches * model.reach;
  if (!(moved > most)) return;
  for (std::size_t k = 0; k < count; ++k) state.before[k] = state.now[k] *= most / moved;
}

void limit_modes(const SurfaceModel& model, std::span<double> coordinates) {
  double moved = 0;
  for (const double q : coordinates) moved += std::abs(q);
  if (!(moved > model.reach)) return;
  for (double& q : coordinates) q *= model.reach / moved;
}

std::vector<std::vector<double>> mode_coordinates(const SurfaceModel& model,
                                                  std::span<const std::vector<Affine>> bones) {
  std::vector<std::vector<double>> coordinates;
  if (model.modes.empty()) return coordinates;
  ModeState state;
  state.now.resize(model.modes.size());
  state.before.resize(model.modes.size());
  coordinates.push_back(state.now);
  for (std::size_t t = 0; t + 1 < bones.size(); ++t) {
    if (t == 0)  // as fast before as after: nothing excites them
      coordinates.push_back(state.now);
    else {
      step_modes(model, bones[t - 1], bones[t], bones[t + 1], {}, state);
      coordinates.push_back(state.now);
    }
  }
  return coordinates;
}

std::vector<double> mode_deviation(const SurfaceModel& model, std::span<const Affine> bones, std::span<const Vec3> goal,
                                   std::span<const Vec3> position) {
  const std::size_t count = model.modes.size();
  std::vector<double> projected(count), gram(count * count);
  for (std::size_t i = 0; i < model.rest.size(); ++i) {
    const double area = edge_area(model, i);
    const Vec3 away = transpose_times(blended_bone(model.influences[i], bones).linear, position[i] - goal[i]);
    for (std::size_t a = 0; a < count; ++a) {
      const Vec3& shape = model.modes[a].shape[i];
      projected[a] += area * dot(shape, away);
      for (std::size_t b = 0; b <= a; ++b) gram[a * count + b] += area * dot(shape, model.modes[b].shape[i]);
    }
  }
  solve_in_place(gram, projected);
  return projected;
}

std::vector<Vec3> mode_turns(const SurfaceModel& model, const SurfaceMode& mode) {
  std::vector<Vec3> turns(model.rest.size());
  for (std::size_t i = 0; i < turns.size(); ++i) {
    Mat3 inertia = Mat3::zero();
    Vec3 moment;
    for (int k = model.first_neighbour[i]; k < model.first_neighbour[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(model.neighbours[static_cast<std::size_t>(k)]);
      const Vec3 edge = model.rest[j] - model.rest[i];
      inertia += Mat3::identity() * squared_norm(edge) + outer(edge, edge) * -1.0;
      moment += cross(edge, mode.shape[j] - mode.shape[i]);
    }
    const double mean = trace(inertia) / 3, volume = determinant(inertia);
    if (volume > least_inertia * mean * mean * mean) turns[i] = inverse(inertia) * moment;
  }
  return turns;
}

void mode_displacements(const SurfaceModel& model, std::span<const Affine> bones, std::span<const double> coordinates,
                        std::span<Vec3> displacements) {
  std::vector<double> shown(coordinates.begin(), coordinates.end());
  limit_modes(model, shown);
  for (std::size_t i = 0; i < displacements.size(); ++i) {
    Vec3 sum;
    for (std::size_t k = 0; k < shown.size(); ++k) sum += shown[k] * model.modes[k].shape[i];
    displacements[i] = blended_bone(model.influences[i], bones).linear * sum;
  }
}

}  // namespace sinew
