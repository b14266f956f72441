#include "sinew/contact/contact_forces.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "sinew/base/threads/parallel.h"
#include "sinew/contact/friction.h"
#include "sinew/linalg/bounded/bounded_quadratic.h"
#include "sinew/linalg/bounded/non_negative_least_squares.h"

namespace sinew {
namespace {

constexpr std::size_t contact_grain = 512;
// A point belongs to the held points if they determine all but this fraction of the length of its row.
constexpr double least_free_share = 0.3;
// Time over which a point that starts a step inside is moved out, seconds.
constexpr double release_time = 1.0 / 30;
// Normals whose angles to their mean have a larger cosine are on the same side.
constexpr double least_common = 0.2;
constexpr int max_rounds = 16, max_products = 1000;
// The search ends after this many rounds in a row that did not halve the smallest violation so far: what belts and
// hands hold inside of walls cannot come out.
constexpr int most_idle_rounds = 4;
// If an obstacle touches more points in one round, only the deepest among neighbours become contacts: when these are
// outside, most others are as well.
constexpr std::size_t most_at_once = 128;
// Up to this number of contacts the forces are computed exactly if the matrix is available, which is much faster than
// by products.
constexpr std::size_t most_exact = 1000;
constexpr double exact = 1e-9;    // relative to the terms of a gap
constexpr double settled = 1e-8;  // relative to the fastest approach
// Additional compliance of each contact, relative to the mean compliance of all. If obstacles squeeze a point from both
// sides, no forces keep it out of both, and this keeps them finite. In the search it applies to the change of a round,
// and vanishes; a search by products needs more of it to converge.
constexpr double compliance = 1e-3, compliance_exact = 1e-6, compliance_settled = 1e-6;
// Near held points several contacts may require what no forces achieve together, though each could be met alone: the
// skin between them is fixed by the hold. Contacts there are permanently compliant, by this fraction at first and ten
// times as much whenever one pushes harder than would move a point by the longest push.
constexpr double least_compliance_at_held = 1e-5, most_compliance_at_held = 1;

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

// The unknown with the largest weight in the contact's point.
std::size_t nearest_unknown(const Contact& contact) {
  const auto most = std::max_element(contact.entries.begin(), contact.entries.end(),
                                     [](const PointEntry& a, const PointEntry& b) { return a.weight < b.weight; });
  return most->unknown;
}

// Estimate of the mean of the matrix's diagonal from its quadratic form on one fixed vector of signs (Hutchinson 1989).
double mean_diagonal(const LinearOperator& matrix, std::size_t rows) {
  ScratchVector<double> signs(rows), product(rows);
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

// Minimises with `more` added to the diagonal for the change of `x`; without it if `more` is empty.
void minimize_compliant(const LinearOperator& matrix, std::span<const double> more, std::span<const double> scale,
                        std::span<double> x, std::span<double> gradient, const BoundedQuadraticOptions& options) {
  if (more.empty()) {
    minimize_bounded_quadratic(matrix, scale, x, gradient, options);
    return;
  }
  const auto softer = [&](std::span<const double> from, std::span<double> to) {
    matrix(from, to);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i] * from[i];
  };
  minimize_bounded_quadratic(std::cref(softer), scale, x, gradient, options);
}

// Minimises the same function exactly. `compliance_matrix` is multiplied by `softness`.
void minimize_exactly(std::span<const double> compliance_matrix, double softness, std::span<const double> more,
                      std::span<double> x, std::span<const double> gradient) {
  const std::size_t n = x.size();
  ScratchVector<double> matrix(compliance_matrix.begin(), compliance_matrix.end()), right(n, 0.0);
  for (double& value : matrix) value *= softness;
  for (std::size_t i = 0; i < more.size(); ++i) matrix[i * n + i] += more[i];
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) right[i] += matrix[i * n + j] * x[j];
    right[i] -= gradient[i];
  }
  NonNegativeOptions options;
  options.start = x;
  options.tolerance = exact;
  non_negative_minimum(matrix, right, options, x);
}

}  // namespace

int ContactForces::hold(const ContactSearch& search, ContactedBody& body) {
  contacts_.clear();
  force_.clear();
  pushed_ = 0;
  softness_ = 1;
  compliance_at_held_ = least_compliance_at_held;
  total_.assign(3 * search.unknowns.size(), 0.0);
  known_.assign(search.obstacles.size() * surface_.rows() + search.obstacles.meetings(), 0);
  compliance_.clear();
  beside_held_.assign(search.unknowns.size(), 0);
  if (!search.held.empty())
    for (const int unknown : search.held.rows().column) beside_held_[static_cast<std::size_t>(unknown)] = 1;
  place_.resize(surface_.rows());
  balls_.begin(search.balls, search.obstacles.size() + search.obstacles.meetings(), search.response_of_ball);
  body.positions(place_);
  if (!add_violated(search, body, lengths_.negligible)) return 0;

  const double slack = std::max(search.tolerance * largest_violation(), lengths_.negligible);
  ScratchVector<double> more(total_.size()), expected;
  double least = std::numeric_limits<double>::infinity();
  int idle_rounds = 0;
  for (int round = 0; round < max_rounds; ++round) {
    // Tangent planes at the points' current positions: these points touch, so their planes matter.
    for (std::size_t c = 0; c < contacts_.size() && round > 0; ++c) {
      const Vec3 place = seen(c);
      contacts_.set_plane(c, search.obstacles.gap(contacts_[c].obstacle, place), place);
    }
    body.begin_search(contacts_);
    ScratchVector<double> change(force_.begin(), force_.end());
    find_forces(body, 0.25 * slack);
    for (std::size_t c = 0; c < force_.size(); ++c) change[c] = force_[c] - change[c];
    expected.resize(force_.size());
    body.apply_compliance(change, expected);
    balls_.add_compliance(contacts_, change, 1, expected);
    // Computed from the sum, so that rounding does not accumulate over the rounds.
    for (std::size_t k = 0; k < total_.size(); ++k) more[k] = -total_[k];
    contacts_.add_forces(force_, more);
    body.respond(more);
    for (std::size_t k = 0; k < total_.size(); ++k) total_[k] += more[k];
    // Compares the displacement that the approximate compliance predicts for these forces with the actual one.
    double guessed = 0, found = 0;
    for (std::size_t c = 0; c < change.size(); ++c) {
      guessed += change[c] * expected[c];
      found -= change[c] * dot(contacts_[c].normal, seen(c));
    }
    body.positions(place_);
    balls_.take_forces(contacts_, force_);
    for (std::size_t c = 0; c < change.size(); ++c) found += change[c] * dot(contacts_[c].normal, seen(c));
    if (guessed > 0 && found > softness_ * guessed) softness_ = found / guessed;
    const bool joined = add_violated(search, body, slack);
    const double left = largest_violation();
    if (!joined && left <= slack) break;
    idle_rounds = left < 0.5 * least ? 0 : idle_rounds + 1;
    least = std::min(least, left);
    if (idle_rounds >= most_idle_rounds) break;
  }
  for (double force : force_) pushed_ += force > 0;
  return pushed_;
}

bool ContactForces::add_violated(const ContactSearch& search, ContactedBody& body, double depth) {
  const std::size_t count = place_.size(), before = contacts_.size();
  ScratchVector<char> inside(count);
  ScratchVector<PointEntry> entries;
  ScratchVector<Contact> found;
  for (std::size_t obstacle = 0; obstacle < search.obstacles.size(); ++obstacle) {
    parallel_for(count, contact_grain, [&](std::size_t s) {
      inside[s] = !known_[obstacle * count + s] &&
                  search.obstacles.gap(obstacle, balls_.seen_from(obstacle, place_[s])).distance < -depth;
    });
    found.clear();
    for (std::size_t s = 0; s < count; ++s) {
      if (!inside[s]) continue;
      if (!reachable(search, s, entries)) {
        known_[obstacle * count + s] = 1;
        continue;
      }
      Contact contact = contact_of(search, body, s, obstacle, entries);
      if (ContactSet::distance_from_floor(contact, balls_.seen_from(obstacle, place_[s])) >= -depth) continue;
      found.push_back(std::move(contact));
    }
    if (found.size() > most_at_once) keep_deepest(found);
    for (const Contact& contact : found) known_[obstacle * count + contact.point] = 1;
    add_contacts(found);
  }
  add_violated_meetings(search, body, depth);
  return contacts_.size() > before;
}

void ContactForces::add_contacts(ScratchVector<Contact>& found) {
  for (Contact& contact : found) {
    contacts_.add(std::move(contact));
    force_.push_back(0);
    compliance_.push_back(0);
  }
}

void ContactForces::add_violated_meetings(const ContactSearch& search, ContactedBody& body, double depth) {
  const std::size_t first = search.obstacles.size(), first_known = first * place_.size();
  ScratchVector<PointEntry> entries;
  ScratchVector<Contact> found;
  for (std::size_t m = 0; m < search.obstacles.meetings(); ++m) {
    const std::size_t obstacle = first + m, s = search.obstacles.meeting(obstacle).point;
    const SkinMeeting& meeting = search.obstacles.meeting(obstacle);
    if (known_[first_known + m] || meeting.clears_floor(place_[s])) continue;
    if (search.obstacles.gap(obstacle, place_[s]).distance >= meeting.floor() - depth) continue;
    if (!reachable(search, s, entries)) {
      known_[first_known + m] = 1;
      continue;
    }
    Contact contact = contact_of(search, body, s, obstacle, entries);
    if (ContactSet::distance_from_floor(contact, place_[s]) >= -depth) continue;
    found.push_back(std::move(contact));
  }
  if (found.size() > most_at_once) keep_deepest(found);
  for (const Contact& contact : found) known_[first_known + (contact.obstacle - first)] = 1;
  add_contacts(found);
}

// Keeps the deepest of the contacts that have the same nearest unknown.
void ContactForces::keep_deepest(ScratchVector<Contact>& contacts) const {
  ScratchVector<std::size_t> place(beside_held_.size(), none);  // of the kept one, per unknown
  std::size_t kept = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    std::size_t& there = place[nearest_unknown(contacts[c])];
    const auto depth = [&](const Contact& contact) {
      return -ContactSet::distance_from_floor(contact, balls_.seen_from(contact.obstacle, place_[contact.point]));
    };
    if (there != none && depth(contacts[c]) <= depth(contacts[there])) continue;
    if (there == none) there = kept++;
    if (there != c) contacts[there] = std::move(contacts[c]);
  }
  contacts.resize(kept);
}

bool ContactForces::reachable(const ContactSearch& search, std::size_t point,
                              ScratchVector<PointEntry>& entries) const {
  entries.clear();
  double weight = 0, squared = 0;
  for (auto e = static_cast<std::size_t>(surface_.start[point]);
       e < static_cast<std::size_t>(surface_.start[point + 1]); ++e) {
    const int unknown = search.unknowns.of_point[static_cast<std::size_t>(surface_.column[e])];
    if (unknown < 0 || surface_.value[e] == 0) continue;
    entries.push_back({static_cast<std::size_t>(unknown), surface_.value[e]});
    weight += std::abs(surface_.value[e]);
    squared += surface_.value[e] * surface_.value[e];
  }
  if (weight < least_free_weight) return false;
  if (!beside_held(entries)) return true;
  ScratchVector<int> functions;
  ScratchVector<double> values;
  for (const PointEntry& entry : entries) {
    functions.push_back(static_cast<int>(entry.unknown));
    values.push_back(entry.weight);
  }
  const double left = search.held.linear().squared_free_part(functions, values);
  return left > least_free_share * least_free_share * squared;
}

Contact ContactForces::contact_of(const ContactSearch& search, ContactedBody& body, std::size_t s, std::size_t obstacle,
                                  ScratchVector<PointEntry> entries) const {
  const Obstacles& obstacles = search.obstacles;
  const double h = search.step, kept = std::max(0.0, 1 - h / release_time);
  const std::optional<Vec3> before = body.position_before(s);
  const ContactedBody::Goals goal = body.goals(s);
  // Its position at the beginning of the step decides on which side the point must stay.
  const Vec3 start = before.value_or(place_[s]);
  const Gap from_start = obstacles.gap(obstacle, start);
  Contact contact{s, obstacle, from_start.normal, start - from_start.distance * from_start.normal,
                  0, 0,        std::move(entries)};
  if (obstacles.is_skin(obstacle)) {
    const SkinMeeting& meeting = obstacles.meeting(obstacle);
    const double floor = meeting.floor(), floor_before = meeting.floor(obstacles.gap_before(obstacle, goal.before));
    contact.floor = floor;
    if (before) contact.floor += kept * std::min(0.0, obstacles.gap_before(obstacle, start).distance - floor_before);
    contact.floor_speed = (obstacles.gap_before(obstacle, place_[s]).distance -
                           obstacles.gap(obstacle, place_[s]).distance + floor - floor_before) /
                          h;
  } else if (!obstacles.is_ground(obstacle)) {
    if (before) contact.floor = kept * std::min(0.0, obstacles.gap_before(obstacle, start).distance);
    if (obstacles.moves(obstacle) && !balls_.is_ball(obstacle))
      contact.floor_speed =
          (obstacles.gap_before(obstacle, place_[s]).distance - obstacles.gap(obstacle, place_[s]).distance) / h;
    // An obstacle that the animator's limb is in pushes the flesh only as far as flesh can move.
    const double reach = body.push_reach(s),
                 given_up = std::max(0.0, -obstacles.gap(obstacle, goal.now).distance - reach),
                 given_up_before = std::max(0.0, -obstacles.gap_before(obstacle, goal.before).distance - reach);
    if (!balls_.is_ball(obstacle)) {  // which gives way itself
      contact.floor -= given_up;
      contact.floor_speed -= (given_up - given_up_before) / h;
    }
  } else {
    const double floor = floor_of_ground(*obstacles.ground, goal.now.y, lengths_.largest_exact_depth);
    contact.floor = floor - *obstacles.ground;
    if (before) {
      const double floor_before = floor_of_ground(*obstacles.ground, goal.before.y, lengths_.largest_exact_depth);
      contact.floor -= kept * std::max(0.0, floor_before - start.y);
      contact.floor_speed = (floor - floor_before) / h;
    }
  }
  const double end = dot(contact.normal, balls_.seen_from(obstacle, place_[s]) - contact.place),
               longest = lengths_.longest_push;
  contact.floor = std::min(contact.floor, end + longest);
  contact.floor_speed = std::clamp(contact.floor_speed, -longest / h, longest / h);
  return contact;
}

double ContactForces::distance_from_floor(std::size_t contact) const {
  return ContactSet::distance_from_floor(contacts_[contact], seen(contact));
}

// For contacts that push, the distance from the floor in both directions; for the others, the depth below it. For
// compliant contacts the floor is lowered in proportion to their force.
double ContactForces::largest_violation() const {
  double most = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const double depth = -distance_from_floor(c) - compliance_[c] * force_[c];
    most = std::max(most, force_[c] > 0 ? std::abs(depth) : depth);
  }
  return most;
}

bool ContactForces::beside_held(std::span<const PointEntry> entries) const {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const PointEntry& entry) { return beside_held_[entry.unknown] != 0; });
}

bool ContactForces::any_beside_held() const {
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    if (beside_held(contacts_[c].entries)) return true;
  return false;
}

// Sets the compliance of contacts near held points, metres per newton.
void ContactForces::find_compliance(double beside_held_compliance) {
  compliance_.assign(contacts_.size(), 0.0);
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    if (beside_held(contacts_[c].entries)) compliance_[c] = beside_held_compliance;
}

// Largest force of a compliant contact, newtons.
double ContactForces::largest_force_beside_held() const {
  double most = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    if (compliance_[c] > 0) most = std::max(most, force_[c]);
  return most;
}

// True if a point may have no position outside all obstacles. If all normals point roughly the same way, there is one
// far along them.
bool ContactForces::squeezed() const {
  Vec3 sum;
  for (std::size_t c = 0; c < contacts_.size(); ++c) sum += contacts_[c].normal;
  const double length = norm(sum);
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    if (!(dot(contacts_[c].normal, sum) > least_common * length)) return true;
  return false;
}

// Finds forces for which all contacts end at or beyond their floors, according to the approximate compliance.
void ContactForces::find_forces(ContactedBody& body, double tolerance) {
  ScratchVector<double> gaps(contacts_.size());
  const LinearOperator product = [&](std::span<const double> force, std::span<double> gap) {
    body.apply_compliance(force, gap);
    for (double& g : gap) g *= softness_;
    balls_.add_compliance(contacts_, force, 1, gap);
  };
  const bool between = squeezed(), at_hands = any_beside_held();
  const double mean = at_hands || between ? mean_diagonal(product, contacts_.size()) : 0;
  BoundedQuadraticOptions options;
  options.tolerance = tolerance;
  options.max_products = max_products;
  const ScratchVector<double> start(force_.begin(), force_.end()), scale = body.scale();
  ScratchVector<double> compliance_matrix =
      contacts_.size() <= most_exact ? body.compliance_matrix() : ScratchVector<double>{};
  if (!compliance_matrix.empty()) balls_.add_to_matrix(contacts_, 1 / softness_, compliance_matrix);
  while (true) {
    find_compliance(compliance_at_held_ * mean);
    for (std::size_t c = 0; c < gaps.size(); ++c) gaps[c] = distance_from_floor(c) + compliance_[c] * force_[c];
    ScratchVector<double> more;
    if (at_hands || between) more.assign(compliance_.begin(), compliance_.end());
    for (double& m : more)
      if (between && m == 0) m = (compliance_matrix.empty() ? compliance : compliance_exact) * mean;
    if (compliance_matrix.empty())
      minimize_compliant(product, more, scale, force_, gaps, options);
    else
      minimize_exactly(compliance_matrix, softness_, more, force_, gaps);
    if (compliance_at_held_ >= most_compliance_at_held || largest_force_beside_held() * mean <= lengths_.longest_push)
      return;
    compliance_at_held_ *= 10;
    std::copy(start.begin(), start.end(), force_.begin());
  }
}

void ContactForces::settle(const LinearOperator& inverse_mass, double impulse_per_force, const Unknowns& unknowns,
                           std::span<Vec3> velocity, const Rubbing& rubbing) {
  if (pushed_ == 0) return;
  ScratchVector<double> momentum(total_.size()), change(total_.size());
  const auto add_change = [&] {
    inverse_mass(momentum, change);
    add_unknowns(unknowns, 1, change, velocity);
  };
  for (std::size_t k = 0; k < total_.size(); ++k) momentum[k] = impulse_per_force * total_[k];
  add_change();

  ScratchVector<std::size_t> pushing;
  for (std::size_t c = 0; c < force_.size(); ++c)
    if (force_[c] > 0) pushing.push_back(c);
  const ScratchVector<double> scale_of_all = contacts_.scale_by_weights();
  ScratchVector<double> impulse(pushing.size()), speed(pushing.size()), scale(pushing.size()), first(pushing.size());
  ScratchVector<double> per_contact(force_.size(), 0.0), along(force_.size());
  double fastest = 0;
  for (std::size_t i = 0; i < pushing.size(); ++i) first[i] = impulse[i] = 2 * impulse_per_force * force_[pushing[i]];
  balls_.take_impulses(contacts_, pushing, impulse);
  for (std::size_t i = 0; i < pushing.size(); ++i) {
    const Contact& contact = contacts_[pushing[i]];
    const Vec3 relative = row_times(surface_, contact.point, velocity) - balls_.velocity(contact.obstacle);
    speed[i] = dot(contact.normal, relative) - contact.floor_speed;
    fastest = std::max(fastest, std::abs(speed[i]));
    scale[i] = scale_of_all[pushing[i]];
  }
  const auto momentum_of = [&](std::span<const double> impulses) {
    for (std::size_t i = 0; i < pushing.size(); ++i) per_contact[pushing[i]] = impulses[i];
    std::fill(momentum.begin(), momentum.end(), 0.0);
    contacts_.add_forces(per_contact, momentum);
  };
  const auto product = [&](std::span<const double> impulses, std::span<double> to) {
    momentum_of(impulses);
    inverse_mass(momentum, change);
    contacts_.along_normals(change, along);
    for (std::size_t i = 0; i < pushing.size(); ++i) to[i] = along[pushing[i]];
    balls_.add_mobility(contacts_, pushing, impulses, to);
  };
  BoundedQuadraticOptions options;
  options.tolerance = settled * fastest;
  options.max_products = max_products;
  ScratchVector<double> more;
  const bool between = squeezed();
  if (between || std::any_of(compliance_.begin(), compliance_.end(), [](double y) { return y > 0; })) {
    const double mean = mean_diagonal(std::cref(product), impulse.size());
    for (const std::size_t c : pushing)
      more.push_back(mean * (compliance_[c] > 0 ? compliance_at_held_ : between ? compliance_settled : 0));
  }
  minimize_compliant(std::cref(product), more, scale, impulse, speed, options);
  balls_.take_impulses(contacts_, pushing, impulse);
  for (std::size_t i = 0; i < pushing.size(); ++i) first[i] = impulse[i] - first[i];
  momentum_of(first);
  add_change();
  if (!(rubbing.friction > 0)) return;
  ScratchVector<RubbingContact> rubbed;
  for (std::size_t i = 0; i < pushing.size(); ++i) {
    const Contact& contact = contacts_[pushing[i]];
    if (balls_.is_ball(contact.obstacle)) continue;  // friction would have to act on the ball too, to keep momentum
    const Vec3& place = place_[contact.point];
    rubbed.push_back({&contact, rubbing.friction * std::max(0.0, impulse[i]),
                      rubbing.obstacles->velocity(contact.obstacle, place, rubbing.step)});
  }
  std::copy_n(velocity.begin(), rubbing.change.size(), rubbing.change.begin());
  rub(rubbed, surface_, inverse_mass, unknowns, velocity);
  for (std::size_t v = 0; v < rubbing.change.size(); ++v) rubbing.change[v] = velocity[v] - rubbing.change[v];
}

}  // namespace sinew
