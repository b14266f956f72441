#include "sinew/deform/lattice_flesh/ground_contact.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/linalg/bounded_quadratic.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 2048;

// A point with less of its weight on free vertices belongs to the bone.
constexpr double least_free_weight = 0.05;
// Metres: no contact is worth a search for less.
constexpr double negligible_depth = 1e-10;
// The ground yields to goals that the animator pressed into it by less than this share of the body's largest extent.
constexpr double yielding_share = 0.02;
// Seconds over which a point that starts a step below the plane is let out.
constexpr double release_time = 1.0 / 30;
// Contacts are added, and corrected where the fast compliance is not the step's own, in so many rounds at most.
constexpr int max_rounds = 8;
constexpr int max_products = 1000;
constexpr int max_sweeps = 200;

}  // namespace

GroundContact::GroundContact(const FleshBody& body) : body_(body) {
  if (!body.dynamics.ground) return;
  const auto& points = body.description.embedding.points;
  for (std::size_t s = 0; s < points.size(); ++s) {
    if (points[s].tetrahedron < 0) continue;
    Point point;
    point.index = static_cast<int>(s);
    point.vertex = body.description.mesh.tetrahedra[static_cast<std::size_t>(points[s].tetrahedron)];
    point.weight = points[s].weights;
    double free_weight = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      point.free[k] = body.free_index[static_cast<std::size_t>(point.vertex[k])];
      if (point.free[k] >= 0) free_weight += point.weight[k];
    }
    if (free_weight >= least_free_weight) points_.push_back(point);
  }
  vertex_height_.resize(body.mass.size());
  depth_.resize(points_.size());
  in_contact_.assign(points_.size(), 0);
  right_hand_side_.assign(3 * body.free_vertex.size(), 0.0);
  std::vector<int> corners;
  for (const Point& point : points_)
    for (int f : point.free)
      if (f >= 0) corners.push_back(f);
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  compliance_ = ContactCompliance(corners, body.free_vertex.size());
  Vec3 least = body.description.mesh.positions.front(), most = least;
  for (const Vec3& x : body.description.mesh.positions) {
    least = min(least, x);
    most = max(most, x);
  }
  yielding_depth_ = yielding_share * std::max({most.x - least.x, most.y - least.y, most.z - least.z});
}

int GroundContact::hold(const VertexFrames& frames, const System& system, std::span<double> displacement, FleshState& state) {
  if (points_.empty()) return 0;
  for (const Contact& contact : contacts_) in_contact_[contact.point] = 0;
  contacts_.clear();
  force_.clear();
  measure_heights(frames, displacement);
  if (!add_violated(frames, state, negligible_depth)) return 0;

  const double tolerance = std::max(system.tolerance * largest_violation(), negligible_depth);
  std::vector<double> local(displacement.size()), change(displacement.size());
  std::fill(right_hand_side_.begin(), right_hand_side_.end(), 0.0);
  for (int round = 0; round < max_rounds; ++round) {
    std::vector<double> added = force_;
    search_forces(frames, system.rest, 0.5 * tolerance);
    for (std::size_t c = 0; c < force_.size(); ++c) added[c] = force_[c] - added[c];
    spread(frames, added, local);
    system.solve(local, change);
    for (std::size_t k = 0; k < change.size(); ++k) {
      displacement[k] += change[k];
      right_hand_side_[k] += local[k];
    }
    measure_heights(frames, displacement);
    const bool more = add_violated(frames, state, tolerance);
    if (!more && largest_violation() <= tolerance) break;
  }

  // An impulse j before the step moves Newmark's predictor by h j / m, and the right-hand side by (m_k h) j.
  const double impulse = 1 / (body_.method.mass_factor() * body_.method.step);
  int pushed = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (force_[c] <= 0) continue;
    ++pushed;
    const Point& point = points_[contacts_[c].point];
    for (std::size_t k = 0; k < 4; ++k)
      if (point.free[k] >= 0)
        state.velocity[static_cast<std::size_t>(point.free[k])].y +=
            impulse * force_[c] * point.weight[k] / body_.mass[static_cast<std::size_t>(point.vertex[k])];
  }
  return pushed;
}

// Minimum of the kinetic energy over impulses after the step that leave the sum of both a push, from the
// impulse before it repeated: Gauss-Seidel, which lowers the energy with every contact that it visits.
void GroundContact::settle(FleshState& state) const {
  const double impulse = 1 / (body_.method.mass_factor() * body_.method.step);
  const auto push = [&](const Point& point, double by) {
    for (std::size_t k = 0; k < 4; ++k)
      if (point.free[k] >= 0)
        state.velocity[static_cast<std::size_t>(point.free[k])].y +=
            by * point.weight[k] / body_.mass[static_cast<std::size_t>(point.vertex[k])];
  };
  std::vector<double> total(contacts_.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    push(points_[contacts_[c].point], impulse * force_[c]);
    total[c] = 2 * impulse * force_[c];
  }
  double first = 0;
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double largest = 0;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      if (force_[c] <= 0) continue;
      const Point& point = points_[contacts_[c].point];
      double speed = 0, compliance = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        if (point.free[k] < 0) continue;
        speed += point.weight[k] * state.velocity[static_cast<std::size_t>(point.free[k])].y;
        compliance += point.weight[k] * point.weight[k] / body_.mass[static_cast<std::size_t>(point.vertex[k])];
      }
      const double next = std::max(0.0, total[c] - (speed - contacts_[c].floor_speed) / compliance);
      push(point, next - total[c]);
      largest = std::max(largest, std::abs(next - total[c]) * compliance);
      total[c] = next;
    }
    if (sweep == 0) first = largest;
    if (largest <= 1e-12 * first) break;
  }
}

void GroundContact::measure_heights(const VertexFrames& frames, std::span<const double> displacement) {
  parallel_for(vertex_height_.size(), grain, [&](std::size_t v) {
    const int f = body_.free_index[v];
    double y = frames.goal[v].y;
    if (f >= 0) {
      const double* u = &displacement[3 * static_cast<std::size_t>(f)];
      y += dot(frames.rotation[v].row(1), Vec3{u[0], u[1], u[2]});
    }
    vertex_height_[v] = y;
  });
  parallel_for(points_.size(), grain,
               [&](std::size_t p) { depth_[p] = body_.dynamics.ground_height - height(points_[p]); });
}

double GroundContact::height(const Point& point) const {
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) sum += point.weight[k] * vertex_height_[static_cast<std::size_t>(point.vertex[k])];
  return sum;
}

bool GroundContact::add_violated(const VertexFrames& frames, const FleshState& state, double tolerance) {
  const double plane = body_.dynamics.ground_height;
  bool any = false;
  for (std::size_t p = 0; p < points_.size(); ++p) {
    if (depth_[p] <= tolerance || in_contact_[p]) continue;
    const Contact contact = contact_of(p, frames, state);
    if (plane - depth_[p] >= contact.floor - tolerance) continue;
    contacts_.push_back(contact);
    force_.push_back(0);
    in_contact_[p] = 1;
    any = true;
  }
  return any;
}

double GroundContact::floor_under(double goal) const {
  const double plane = body_.dynamics.ground_height;
  return std::min(plane, goal) - std::max(0.0, plane - goal - yielding_depth_);
}

GroundContact::Contact GroundContact::contact_of(std::size_t p, const VertexFrames& frames, const FleshState& state) const {
  const Point& point = points_[p];
  double goal = 0, start_goal = 0, start = 0;
  bool core = false;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto v = static_cast<std::size_t>(point.vertex[k]);
    goal += point.weight[k] * frames.goal[v].y;
    if (point.free[k] < 0) {
      core = true;
      continue;
    }
    // The goal as the step starts, up to how far the frame turns in it.
    const auto f = static_cast<std::size_t>(point.free[k]);
    const double* u = &state.displacement[3 * f];
    start += point.weight[k] * state.position[f].y;
    start_goal += point.weight[k] * (state.position[f].y - dot(frames.rotation[v].row(1), Vec3{u[0], u[1], u[2]}));
  }
  const double floor = floor_under(goal);
  if (core) return {p, floor, 0};   // where its bone was is not known here
  const double start_floor = floor_under(start_goal);
  const double kept = std::max(0.0, 1 - body_.method.step / release_time);
  return {p, floor - kept * std::max(0.0, start_floor - start), (floor - start_floor) / body_.method.step};
}

// Of contacts that push, the distance from the floor either way; of the others, the depth below it.
double GroundContact::largest_violation() const {
  double most = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const double depth = contacts_[c].floor - height(points_[contacts_[c].point]);
    most = std::max(most, force_[c] > 0 ? std::abs(depth) : depth);
  }
  return most;
}

void GroundContact::spread(const VertexFrames& frames, std::span<const double> force, std::span<double> local) const {
  std::fill(local.begin(), local.end(), 0.0);
  for (std::size_t c = 0; c < force.size(); ++c) {
    if (force[c] == 0) continue;
    const Point& point = points_[contacts_[c].point];
    for (std::size_t k = 0; k < 4; ++k) {
      if (point.free[k] < 0) continue;
      // World +Y taken into the vertex's frame: R^T e_y is row 1 of R.
      const Vec3 push = frames.rotation[static_cast<std::size_t>(point.vertex[k])].row(1) * (force[c] * point.weight[k]);
      double* to = &local[3 * static_cast<std::size_t>(point.free[k])];
      to[0] += push.x;
      to[1] += push.y;
      to[2] += push.z;
    }
  }
}

// Forces that end all contacts at or above their floors where the system is the one at rest.
void GroundContact::search_forces(const VertexFrames& frames, const LinearOperator& rest, double tolerance) {
  std::vector<int> touched;
  for (const Contact& contact : contacts_)
    for (int f : points_[contact.point].free)
      if (f >= 0) touched.push_back(f);
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  std::vector<Vec3> up;
  for (int f : touched)
    up.push_back(frames.rotation[static_cast<std::size_t>(body_.free_vertex[static_cast<std::size_t>(f)])].row(1));
  std::vector<double> compliance;
  compliance_.along(touched, up, rest, compliance);

  // Corners as indices into `touched`.
  const std::size_t count = touched.size();
  std::vector<std::array<std::size_t, 4>> corner(contacts_.size());
  std::vector<std::array<double, 4>> weight(contacts_.size());
  std::vector<double> gap(contacts_.size()), scale(contacts_.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Point& point = points_[contacts_[c].point];
    gap[c] = height(point) - contacts_[c].floor;
    for (std::size_t k = 0; k < 4; ++k) {
      weight[c][k] = point.free[k] >= 0 ? point.weight[k] : 0;
      const auto at = std::lower_bound(touched.begin(), touched.end(), std::max(point.free[k], touched.front()));
      corner[c][k] = static_cast<std::size_t>(at - touched.begin());
    }
    double own = 0;
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t l = 0; l < 4; ++l) own += weight[c][k] * weight[c][l] * compliance[corner[c][k] * count + corner[c][l]];
    scale[c] = 1 / std::sqrt(own);
  }
  std::vector<double> push(count), lift(count);
  const LinearOperator products = [&](std::span<const double> force, std::span<double> heights) {
    std::fill(push.begin(), push.end(), 0.0);
    for (std::size_t c = 0; c < force.size(); ++c)
      for (std::size_t k = 0; k < 4; ++k) push[corner[c][k]] += weight[c][k] * force[c];
    for (std::size_t i = 0; i < count; ++i) {
      double sum[4] = {};
      const double* row = &compliance[i * count];
      std::size_t j = 0;
      for (; j + 4 <= count; j += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += row[j + lane] * push[j + lane];
      for (; j < count; ++j) sum[0] += row[j] * push[j];
      lift[i] = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    }
    for (std::size_t c = 0; c < heights.size(); ++c) {
      heights[c] = 0;
      for (std::size_t k = 0; k < 4; ++k) heights[c] += weight[c][k] * lift[corner[c][k]];
    }
  };
  BoundedQuadraticOptions options;
  options.tolerance = tolerance;
  options.max_products = max_products;
  minimize_bounded_quadratic(products, scale, force_, gap, options);
}

}  // namespace sinew
