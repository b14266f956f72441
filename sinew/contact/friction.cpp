#include "sinew/contact/friction.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int most_rubbing_sweeps = 200;
constexpr double rubbing_accuracy = 1e-5;  // of the largest impulse

Vec3 along_plane(const Vec3& v, const Vec3& normal) { return v - dot(v, normal) * normal; }

Vec3 bounded_to(const Vec3& v, double most) {
  const double length = norm(v);
  return length > most ? v * (most / length) : v;
}

// Adds impulses on the contacts' points to the momentum of the unknowns.
void add_impulse(const Contact& contact, const Vec3& impulse, std::span<double> momentum) {
  for (const PointEntry& entry : contact.entries)
    for (std::size_t k = 0; k < 3; ++k) momentum[3 * entry.unknown + k] += entry.weight * impulse[k];
}

}  // namespace

void rub(std::span<const RubbingContact> contacts, const SparseRows& surface, const LinearOperator& inverse_mass,
         const Unknowns& unknowns, std::span<Vec3> velocity) {
  if (std::none_of(contacts.begin(), contacts.end(), [](const RubbingContact& each) { return each.most > 0; })) return;
  ScratchVector<double> momentum(3 * unknowns.size()), change(momentum.size()), mass(contacts.size());
  for (const RubbingContact& each : contacts) add_impulse(*each.contact, {1, 1, 1}, momentum);
  inverse_mass(momentum, change);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    double sum = 0;
    for (const PointEntry& entry : contacts[c].contact->entries)
      for (std::size_t k = 0; k < 3; ++k) sum += entry.weight * change[3 * entry.unknown + k] / 3;
    mass[c] = sum > 0 ? 1 / sum : 0;
  }
  // `velocity` is that for `impulse` + ahead `step`, from which each sweep begins; `change` is what `step` adds to it.
  ScratchVector<Vec3> impulse(contacts.size()), step(contacts.size());
  double pace = 1, ahead = 0;
  std::fill(change.begin(), change.end(), 0.0);
  for (int sweep = 0; sweep < most_rubbing_sweeps; ++sweep) {
    std::fill(momentum.begin(), momentum.end(), 0.0);
    double changed = 0, largest = 0, against = 0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const auto& [contact, most, obstacle_velocity] = contacts[c];
      const Vec3 sliding =
          along_plane(row_times(surface, contact->point, velocity) - obstacle_velocity, contact->normal);
      const Vec3 from = impulse[c] + ahead * step[c], to = bounded_to(from - mass[c] * sliding, most);
      step[c] = to - impulse[c];
      if (mass[c] > 0) against += dot(from - to, step[c]) / mass[c];
      add_impulse(*contact, step[c], momentum);
      impulse[c] = to;
      changed = std::max(changed, norm(step[c]));
      largest = std::max(largest, norm(to));
    }
    add_unknowns(unknowns, -ahead, change, velocity);
    inverse_mass(momentum, change);
    const bool last = changed <= rubbing_accuracy * largest || sweep + 1 == most_rubbing_sweeps;
    const double next = against > 0 ? 1 : 0.5 * (1 + std::sqrt(1 + 4 * pace * pace));
    ahead = last || against > 0 ? 0 : (pace - 1) / next;
    pace = next;
    add_unknowns(unknowns, 1 + ahead, change, velocity);
    if (last) return;
  }
}

}  // namespace sinew
