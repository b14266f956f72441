#include "sinew/deform/tetrahedra/ground_contact.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/linalg/bounded_quadratic.h"

namespace sinew {
namespace {

constexpr std::size_t ground_contact_grain = 2048;

// A point with less of its weight on free vertices belongs to the bone.
constexpr double least_free_weight = 0.05;
// Of the body's largest extent: no contact is worth a search for less.
constexpr double negligible_share = 1e-10;
// The ground yields to goals that the animator pressed into it by less than this share of the body's largest extent.
constexpr double yielding_share = 0.02;
// Seconds over which a point that starts a step below the plane is let out.
constexpr double release_time = 1.0 / 30;
// Contacts are added, and corrected where the fast compliance is not the step's own, in so many rounds at most.
constexpr int max_rounds = 8;
constexpr int max_products = 1000;
// Velocities after the step: Gauss-Seidel sweeps at most, and the change, as a share of the first sweep's, that ends
// them.
constexpr int max_sweeps = 200;
constexpr double settled = 1e-12;

// Of a contact: index among the vertices touched, and weight, zero on core vertices.
struct Corner {
  std::size_t vertex = 0;
  double weight = 0;
};
using Corners = std::vector<std::array<Corner, 4>>;

double own_compliance(const std::array<Corner, 4>& corners, std::span<const double> compliance, std::size_t touched) {
  double sum = 0;
  for (const Corner& a : corners)
    for (const Corner& b : corners) sum += a.weight * b.weight * compliance[a.vertex * touched + b.vertex];
  return sum;
}

// y = A x, A dense and row-major.
void multiply(std::span<const double> a, std::span<const double> x, std::span<double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double* row = &a[i * x.size()];
    double sum[4] = {};
    std::size_t j = 0;
    for (; j + 4 <= x.size(); j += 4)
      for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += row[j + lane] * x[j + lane];
    for (; j < x.size(); ++j) sum[0] += row[j] * x[j];
    y[i] = (sum[0] + sum[2]) + (sum[1] + sum[3]);
  }
}

void sort_unique(std::vector<int>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

GroundContact::GroundContact(const FleshBody& body) : body_(body) {
  if (!body.dynamics.ground) return;
  for (const EmbeddedPoint& embedded : body.description.embedding.points) {
    if (embedded.tetrahedron < 0) continue;
    Point point;
    point.vertex = body.description.mesh.tetrahedra[static_cast<std::size_t>(embedded.tetrahedron)];
    point.weight = embedded.weights;
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
  sort_unique(corners);
  compliance_ = ContactCompliance(corners, body.free_vertex.size());
  Vec3 least = body.description.mesh.positions.front(), most = least;
  for (const Vec3& x : body.description.mesh.positions) {
    least = min(least, x);
    most = max(most, x);
  }
  const double extent = std::max({most.x - least.x, most.y - least.y, most.z - least.z});
  yielding_depth_ = yielding_share * extent;
  negligible_depth_ = negligible_share * extent;
}

int GroundContact::hold(const VertexFrames& frames, const LinearOperator& solve, double tolerance,
                        std::span<double> displacement, FleshState& state) {
  if (points_.empty()) return 0;
  for (const Contact& contact : contacts_) in_contact_[contact.point] = 0;
  contacts_.clear();
  force_.clear();
  std::fill(right_hand_side_.begin(), right_hand_side_.end(), 0.0);
  measure_heights(frames, displacement);
  if (!add_violated(frames, state, negligible_depth_)) return 0;

  const double slack = std::max(tolerance * largest_violation(), negligible_depth_);
  std::vector<double> local(displacement.size()), change(displacement.size());
  for (int round = 0; round < max_rounds; ++round) {
    std::vector<double> added = force_;
    search_forces(frames, 0.5 * slack);
    for (std::size_t c = 0; c < force_.size(); ++c) added[c] = force_[c] - added[c];
    spread(frames, added, local);
    solve(local, change);
    for (std::size_t k = 0; k < change.size(); ++k) {
      displacement[k] += change[k];
      right_hand_side_[k] += local[k];
    }
    measure_heights(frames, displacement);
    const bool more = add_violated(frames, state, slack);
    if (!more && largest_violation() <= slack) break;
  }

  int pushed = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (force_[c] <= 0) continue;
    ++pushed;
    push(points_[contacts_[c].point], impulse_per_force() * force_[c], state);
  }
  return pushed;
}

// Minimum of the kinetic energy (where no floor moves) over impulses after the step that leave the sum of both a push,
// from the impulse before it repeated: Gauss-Seidel, which lowers the energy with every contact that it visits.
void GroundContact::settle(FleshState& state) const {
  std::vector<double> total(contacts_.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const double first = impulse_per_force() * force_[c];
    push(points_[contacts_[c].point], first, state);
    total[c] = 2 * first;
  }
  double first_change = 0;
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double largest_change = 0;
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      if (force_[c] <= 0) continue;
      const Point& point = points_[contacts_[c].point];
      double speed = -contacts_[c].floor_speed, compliance = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        if (point.free[k] < 0) continue;
        speed += point.weight[k] * state.velocity[static_cast<std::size_t>(point.free[k])].y;
        compliance += point.weight[k] * point.weight[k] / body_.mass[static_cast<std::size_t>(point.vertex[k])];
      }
      const double next = std::max(0.0, total[c] - speed / compliance);
      push(point, next - total[c], state);
      largest_change = std::max(largest_change, std::abs(next - total[c]) * compliance);
      total[c] = next;
    }
    if (sweep == 0) first_change = largest_change;
    if (largest_change <= settled * first_change) break;
  }
}

// An impulse j before the step moves Newmark's predictor by h j / m, and the right-hand side by (m_k h) j.
double GroundContact::impulse_per_force() const { return 1 / (body_.method.mass_factor() * body_.method.step); }

void GroundContact::push(const Point& point, double impulse, FleshState& state) const {
  for (std::size_t k = 0; k < 4; ++k)
    if (point.free[k] >= 0)
      state.velocity[static_cast<std::size_t>(point.free[k])].y +=
          impulse * point.weight[k] / body_.mass[static_cast<std::size_t>(point.vertex[k])];
}

void GroundContact::measure_heights(const VertexFrames& frames, std::span<const double> displacement) {
  parallel_for(vertex_height_.size(), ground_contact_grain, [&](std::size_t v) {
    const int f = body_.free_index[v];
    double y = frames.goal[v].y;
    if (f >= 0) {
      const double* u = &displacement[3 * static_cast<std::size_t>(f)];
      y += dot(frames.rotation[v].row(1), Vec3{u[0], u[1], u[2]});
    }
    vertex_height_[v] = y;
  });
  parallel_for(points_.size(), ground_contact_grain,
               [&](std::size_t p) { depth_[p] = body_.dynamics.ground_height - height(points_[p]); });
}

double GroundContact::height(const Point& point) const {
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k)
    sum += point.weight[k] * vertex_height_[static_cast<std::size_t>(point.vertex[k])];
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

GroundContact::Contact GroundContact::contact_of(std::size_t p, const VertexFrames& frames,
                                                 const FleshState& state) const {
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
  if (core) return {p, floor, 0};  // where its bone was is not known here
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
      const Vec3 push =
          frames.rotation[static_cast<std::size_t>(point.vertex[k])].row(1) * (force[c] * point.weight[k]);
      double* to = &local[3 * static_cast<std::size_t>(point.free[k])];
      to[0] += push.x;
      to[1] += push.y;
      to[2] += push.z;
    }
  }
}

// Forces that end all contacts at or above their floors where the system is the one at rest.
void GroundContact::search_forces(const VertexFrames& frames, double tolerance) {
  std::vector<int> touched;
  for (const Contact& contact : contacts_)
    for (int f : points_[contact.point].free)
      if (f >= 0) touched.push_back(f);
  sort_unique(touched);
  std::vector<Vec3> up;
  for (int f : touched)
    up.push_back(frames.rotation[static_cast<std::size_t>(body_.free_vertex[static_cast<std::size_t>(f)])].row(1));
  Corners corners(contacts_.size());
  std::vector<double> gap(contacts_.size()), scale(contacts_.size()), compliance;
  compliance_.along(touched, up, body_.factor, compliance);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Point& point = points_[contacts_[c].point];
    gap[c] = height(point) - contacts_[c].floor;
    for (std::size_t k = 0; k < 4; ++k) {
      if (point.free[k] < 0) continue;
      const auto at = std::lower_bound(touched.begin(), touched.end(), point.free[k]);
      corners[c][k] = {static_cast<std::size_t>(at - touched.begin()), point.weight[k]};
    }
    scale[c] = 1 / std::sqrt(own_compliance(corners[c], compliance, touched.size()));
  }
  std::vector<double> force_up(touched.size()), lift(touched.size());
  const LinearOperator product = [&](std::span<const double> force, std::span<double> heights) {
    std::fill(force_up.begin(), force_up.end(), 0.0);
    for (std::size_t c = 0; c < force.size(); ++c)
      for (const Corner& corner : corners[c]) force_up[corner.vertex] += corner.weight * force[c];
    multiply(compliance, force_up, lift);
    for (std::size_t c = 0; c < heights.size(); ++c) {
      heights[c] = 0;
      for (const Corner& corner : corners[c]) heights[c] += corner.weight * lift[corner.vertex];
    }
  };
  BoundedQuadraticOptions options;
  options.tolerance = tolerance;
  options.max_products = max_products;
  minimize_bounded_quadratic(product, scale, force_, gap, options);
}

}  // namespace sinew
