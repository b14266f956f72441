#include "sinew/deform/lattice/lattice_contact.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/parallel.h"
#include "sinew/linalg/bounded_quadratic.h"

namespace sinew {
namespace {

constexpr std::size_t lattice_contact_grain = 512;
// A point with less of its weight on unknowns belongs to the bone; one that held points decide by all but this share of
// the length of its row belongs to them.
constexpr double least_free_weight = 0.1, least_free_share = 0.3;
// Of the body's largest extent: no contact is worth a search for less.
constexpr double negligible_share = 1e-10;
// The ground yields to goals that the animator pressed into it by less than this share of the body's largest extent.
constexpr double yielding_share = 0.02;
// Seconds over which a point that starts a step inside is let out.
constexpr double release_time = 1.0 / 30;
// Of the body's largest extent: what is deeper after a jump of the clip is let out over several steps.
constexpr double longest_push_share = 0.1;
constexpr int max_rounds = 16, max_products = 150, max_settling_products = 200;
constexpr double settled = 1e-8;  // of the fastest approach
// What a contact gives way by itself, of the mean compliance of all: where obstacles squeeze a point from both sides no
// forces keep it out of both, and these stay finite. In the search it acts on what a round adds, and vanishes.
constexpr double yielding = 1e-3, yielding_settled = 1e-6;

Vec3 at(std::span<const double> values, std::size_t i) { return {values[3 * i], values[3 * i + 1], values[3 * i + 2]}; }

// The mean of the matrix's diagonal by its form on one vector of signs (Hutchinson 1989), always the same.
double mean_diagonal(const LinearOperator& matrix, std::size_t rows) {
  std::vector<double> signs(rows), product(rows);
  unsigned state = 1;
  for (double& sign : signs) {
    state = 1664525u * state + 1013904223u;
    sign = (state >> 31) != 0 ? 1 : -1;
  }
  matrix(signs, product);
  double sum = 0;
  for (std::size_t i = 0; i < rows; ++i) sum += signs[i] * product[i];
  return sum / static_cast<double>(rows);
}

// Minimises with `yielding` times the mean of the diagonal on it besides, for the change of `x`.
void minimize_yielding(const LinearOperator& matrix, double share, std::span<const double> scale, std::span<double> x,
                       std::span<double> gradient, const BoundedQuadraticOptions& options) {
  const double more = share * mean_diagonal(matrix, x.size());
  const LinearOperator softer = [&](std::span<const double> from, std::span<double> to) {
    matrix(from, to);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += more * from[i];
  };
  minimize_bounded_quadratic(softer, scale, x, gradient, options);
}

}  // namespace

LatticeContact::LatticeContact(const LatticeBody& body) : body_(body) {
  const std::vector<Vec3>& rest = body.description.surface_rest;
  if (rest.empty()) return;
  Vec3 least = rest.front(), most = least;
  for (const Vec3& x : rest) {
    least = min(least, x);
    most = max(most, x);
  }
  const double extent = std::max({most.x - least.x, most.y - least.y, most.z - least.z});
  yielding_depth_ = yielding_share * extent;
  negligible_depth_ = negligible_share * extent;
  longest_push_ = longest_push_share * extent;
}

// The colliders of the environment, and last the ground.
std::size_t LatticeContact::colliders(const ContactMoment& moment) const {
  return moment.environment.colliders.size() + (moment.environment.ground ? 1 : 0);
}

Gap LatticeContact::gap(const ContactMoment& moment, bool before, std::size_t collider, const Vec3& place) const {
  const Environment& e = moment.environment;
  if (collider == e.colliders.size()) return {place.y - *e.ground, {0, 1, 0}};
  return gap_to(before && !e.colliders_before.empty() ? e.colliders_before : e.colliders, collider, place);
}

Vec3 LatticeContact::row_times(std::size_t vertex, std::span<const Vec3> per_function) const {
  const SparseRows& surface = body_.description.surface;
  Vec3 sum;
  for (auto e = static_cast<std::size_t>(surface.start[vertex]);
       e < static_cast<std::size_t>(surface.start[vertex + 1]); ++e)
    sum += surface.value[e] * per_function[static_cast<std::size_t>(surface.column[e])];
  return sum;
}

int LatticeContact::hold(const ContactMoment& moment) {
  contacts_.clear();
  force_.clear();
  pushed_ = 0;
  softness_ = 1;
  total_.assign(3 * moment.active.unknowns(), 0.0);
  known_.assign(colliders(moment) * body_.description.surface.rows(), 0);
  measure(moment);
  if (!add_violated(moment, negligible_depth_)) return 0;

  const double slack = std::max(moment.tolerance * largest_violation(), negligible_depth_);
  std::vector<double> all(total_.size()), more(total_.size()), before_gap, after_gap;
  for (int round = 0; round < max_rounds; ++round) {
    if (round > 0) find_planes(moment);
    std::vector<double> change = force_;
    search(moment, 0.25 * slack);
    for (std::size_t c = 0; c < force_.size(); ++c) change[c] = force_[c] - change[c];
    spread(force_, all);
    for (std::size_t k = 0; k < all.size(); ++k) more[k] = all[k] - total_[k];
    // How far the guess expects the forces' points to give way, and how far they do.
    moment.guess(more, all);
    double expected = 0, found = 0;
    for (std::size_t k = 0; k < all.size(); ++k) expected += more[k] * all[k];
    const std::vector<Vec3> before(moment.position.begin(), moment.position.end());
    moment.respond(more);
    for (std::size_t u = 0; u < moment.active.unknowns(); ++u) {
      const auto f = static_cast<std::size_t>(moment.active.unknown_function[u]);
      found += dot(at(more, u), moment.position[f] - before[f]);
    }
    if (expected > 0 && found > softness_ * expected) softness_ = found / expected;
    for (std::size_t k = 0; k < all.size(); ++k) total_[k] += more[k];
    measure(moment);
    const bool joined = add_violated(moment, slack);
    if (!joined && largest_violation() <= slack) break;
  }
  for (double force : force_) pushed_ += force > 0;
  return pushed_;
}

void LatticeContact::measure(const ContactMoment& moment) {
  place_.resize(body_.description.surface.rows());
  multiply(body_.description.surface, moment.position, place_);
  parallel_for(place_.size(), lattice_contact_grain, [&](std::size_t s) { place_[s] += moment.offset[s]; });
}

bool LatticeContact::add_violated(const ContactMoment& moment, double depth) {
  const std::size_t count = place_.size(), before = contacts_.size();
  std::vector<char> inside(count);
  std::vector<Entry> entries;
  for (std::size_t collider = 0; collider < colliders(moment); ++collider) {
    parallel_for(count, lattice_contact_grain, [&](std::size_t s) {
      inside[s] = !known_[collider * count + s] && gap(moment, false, collider, place_[s]).distance < -depth;
    });
    for (std::size_t s = 0; s < count; ++s) {
      if (!inside[s]) continue;
      if (!reachable(moment, s, entries)) {
        known_[collider * count + s] = 1;
        continue;
      }
      add(moment, s, collider, entries);
      if (distance_from_floor(contacts_.back()) >= -depth) {
        contacts_.pop_back();
        continue;
      }
      force_.push_back(0);
      known_[collider * count + s] = 1;
    }
  }
  return contacts_.size() > before;
}

bool LatticeContact::reachable(const ContactMoment& moment, std::size_t vertex, std::vector<Entry>& entries) const {
  const SparseRows& surface = body_.description.surface;
  entries.clear();
  double weight = 0, squared = 0;
  for (auto e = static_cast<std::size_t>(surface.start[vertex]);
       e < static_cast<std::size_t>(surface.start[vertex + 1]); ++e) {
    const int unknown = moment.active.unknown[static_cast<std::size_t>(surface.column[e])];
    if (unknown < 0 || surface.value[e] == 0) continue;
    entries.push_back({static_cast<std::size_t>(unknown), surface.value[e]});
    weight += std::abs(surface.value[e]);
    squared += surface.value[e] * surface.value[e];
  }
  if (weight < least_free_weight) return false;
  if (moment.constraints.empty()) return true;
  std::vector<double> row(3 * moment.active.unknowns(), 0.0);
  for (const Entry& entry : entries) row[3 * entry.unknown] = entry.weight;
  moment.constraints.project(row);
  double left = 0;
  for (double x : row) left += x * x;
  return left > least_free_share * least_free_share * squared;
}

double LatticeContact::floor_under(const ContactMoment& moment, double goal) const {
  const double plane = *moment.environment.ground;
  return std::min(plane, goal) - std::max(0.0, plane - goal - yielding_depth_);
}

void LatticeContact::add(const ContactMoment& moment, std::size_t s, std::size_t collider, std::vector<Entry> entries) {
  const double h = body_.method.step, kept = std::max(0.0, 1 - h / release_time);
  // Where the point was; the surface that the rig adds counts as it is now.
  const Vec3 start = row_times(s, moment.state.position) + moment.offset[s];
  const Gap start_gap = gap(moment, true, collider, start);
  Contact contact{s, collider, {}, {}, 0, 0, std::move(entries)};
  // From where the point came it sees the side that it is to stay on.
  const Gap from_start = gap(moment, false, collider, start);
  contact.normal = from_start.normal;
  contact.place = start - from_start.distance * from_start.normal;
  if (collider < moment.environment.colliders.size()) {
    contact.floor = kept * std::min(0.0, start_gap.distance);
    if (!moment.environment.colliders_before.empty())
      contact.floor_speed =
          (gap(moment, true, collider, place_[s]).distance - gap(moment, false, collider, place_[s]).distance) / h;
  } else {
    const double plane = *moment.environment.ground;
    const auto goal_part = [&](const auto& of_function) {
      const SparseRows& surface = body_.description.surface;
      double sum = moment.offset[s].y;
      for (auto e = static_cast<std::size_t>(surface.start[s]); e < static_cast<std::size_t>(surface.start[s + 1]); ++e)
        sum += surface.value[e] * of_function(static_cast<std::size_t>(surface.column[e]));
      return sum;
    };
    const VertexFrames& frames = moment.pose.functions;
    const double goal = goal_part([&](std::size_t f) { return frames.goal[f].y; });
    // The goal as the step starts, up to how far frames turn in it.
    const double start_goal = goal_part([&](std::size_t f) {
      return moment.state.position[f].y - dot(frames.rotation[f].row(1), moment.state.displacement[f]);
    });
    const double floor = floor_under(moment, goal), start_floor = floor_under(moment, start_goal);
    contact.floor = floor - plane - kept * std::max(0.0, start_floor - start.y);
    contact.floor_speed = (floor - start_floor) / h;
  }
  const double end = dot(contact.normal, place_[s] - contact.place);
  contact.floor = std::min(contact.floor, end + longest_push_);
  contact.floor_speed = std::clamp(contact.floor_speed, -longest_push_ / h, longest_push_ / h);
  contacts_.push_back(std::move(contact));
}

// Tangent planes where the points are now: they touch, so that these are the ones that matter.
void LatticeContact::find_planes(const ContactMoment& moment) {
  for (Contact& contact : contacts_) {
    const Vec3& place = place_[contact.vertex];
    const Gap now = gap(moment, false, contact.collider, place);
    contact.normal = now.normal;
    contact.place = place - now.distance * now.normal;
  }
}

double LatticeContact::distance_from_floor(const Contact& contact) const {
  return dot(contact.normal, place_[contact.vertex] - contact.place) - contact.floor;
}

// Of contacts that push, the distance from the floor either way; of the others, the depth below it.
double LatticeContact::largest_violation() const {
  double most = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const double depth = -distance_from_floor(contacts_[c]);
    most = std::max(most, force_[c] > 0 ? std::abs(depth) : depth);
  }
  return most;
}

void LatticeContact::spread(std::span<const double> force, std::span<double> to) const {
  std::fill(to.begin(), to.end(), 0.0);
  for (std::size_t c = 0; c < force.size(); ++c) {
    if (force[c] == 0) continue;
    for (const Entry& entry : contacts_[c].entries)
      for (std::size_t k = 0; k < 3; ++k) to[3 * entry.unknown + k] += force[c] * entry.weight * contacts_[c].normal[k];
  }
}

void LatticeContact::along_normals(std::span<const double> unknowns, std::span<double> to) const {
  for (std::size_t c = 0; c < to.size(); ++c) {
    Vec3 sum;
    for (const Entry& entry : contacts_[c].entries) sum += entry.weight * at(unknowns, entry.unknown);
    to[c] = dot(contacts_[c].normal, sum);
  }
}

// Forces that end all contacts at or beyond their floors where the system is what `guess` inverts.
void LatticeContact::search(const ContactMoment& moment, double tolerance) {
  std::vector<double> gaps(contacts_.size()), scale(contacts_.size()), spread_force(total_.size()),
      moved(total_.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    gaps[c] = distance_from_floor(contacts_[c]);
    // Functions in common make the compliances of points alike; one over all serves as a preconditioner.
    double squared = 0;
    for (const Entry& entry : contacts_[c].entries) squared += entry.weight * entry.weight;
    scale[c] = 1 / std::sqrt(squared);
  }
  const LinearOperator product = [&](std::span<const double> force, std::span<double> gap) {
    spread(force, spread_force);
    moment.guess(spread_force, moved);
    along_normals(moved, gap);
    for (double& g : gap) g *= softness_;
  };
  BoundedQuadraticOptions options;
  options.tolerance = tolerance;
  options.max_products = max_products;
  minimize_yielding(product, yielding, scale, force_, gaps, options);
}

// The least kinetic energy over impulses after the step that leave the sum of both a push, from the impulse before it
// repeated.
void LatticeContact::settle(const LinearOperator& inverse_mass, const ActiveFunctions& active,
                            std::span<Vec3> velocity) const {
  if (pushed_ == 0) return;
  const double impulse_per_force = 1 / (body_.method.mass_factor() * body_.method.step);
  std::vector<double> momentum(total_.size()), change(total_.size());
  const auto add_change = [&] {
    inverse_mass(momentum, change);
    for (std::size_t u = 0; u < active.unknowns(); ++u)
      velocity[static_cast<std::size_t>(active.unknown_function[u])] += at(change, u);
  };
  for (std::size_t k = 0; k < total_.size(); ++k) momentum[k] = impulse_per_force * total_[k];
  add_change();

  std::vector<std::size_t> pushing;
  for (std::size_t c = 0; c < force_.size(); ++c)
    if (force_[c] > 0) pushing.push_back(c);
  std::vector<double> impulse(pushing.size()), speed(pushing.size()), scale(pushing.size()), first(pushing.size());
  std::vector<double> per_contact(force_.size(), 0.0), along(force_.size());
  double fastest = 0;
  for (std::size_t i = 0; i < pushing.size(); ++i) {
    const Contact& contact = contacts_[pushing[i]];
    first[i] = impulse[i] = 2 * impulse_per_force * force_[pushing[i]];
    speed[i] = dot(contact.normal, row_times(contact.vertex, velocity)) - contact.floor_speed;
    fastest = std::max(fastest, std::abs(speed[i]));
    double squared = 0;
    for (const Entry& entry : contact.entries) squared += entry.weight * entry.weight;
    scale[i] = 1 / std::sqrt(squared);
  }
  const auto momentum_of = [&](std::span<const double> impulses) {
    for (std::size_t i = 0; i < pushing.size(); ++i) per_contact[pushing[i]] = impulses[i];
    spread(per_contact, momentum);
  };
  const LinearOperator product = [&](std::span<const double> impulses, std::span<double> to) {
    momentum_of(impulses);
    inverse_mass(momentum, change);
    along_normals(change, along);
    for (std::size_t i = 0; i < pushing.size(); ++i) to[i] = along[pushing[i]];
  };
  BoundedQuadraticOptions options;
  options.tolerance = settled * fastest;
  options.max_products = max_settling_products;
  minimize_yielding(product, yielding_settled, scale, impulse, speed, options);
  for (std::size_t i = 0; i < pushing.size(); ++i) first[i] = impulse[i] - first[i];
  momentum_of(first);
  add_change();
}

}  // namespace sinew
