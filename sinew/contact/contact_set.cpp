#include "sinew/contact/contact_set.h"

#include <cmath>

namespace sinew {

void ContactSet::set_plane(std::size_t contact, const Gap& gap, const Vec3& place) {
  contacts_[contact].normal = gap.normal;
  contacts_[contact].place = place - gap.distance * gap.normal;
}

void ContactSet::add_forces(std::span<const double> force, std::span<double> to) const {
  for (std::size_t c = 0; c < force.size(); ++c) {
    if (force[c] == 0) continue;
    for (const PointEntry& entry : contacts_[c].entries)
      for (std::size_t k = 0; k < 3; ++k) to[3 * entry.unknown + k] += force[c] * entry.weight * contacts_[c].normal[k];
  }
}

void ContactSet::along_normals(std::span<const double> unknowns, std::span<double> to) const {
  for (std::size_t c = 0; c < to.size(); ++c) {
    Vec3 sum;
    for (const PointEntry& entry : contacts_[c].entries) {
      const double* u = &unknowns[3 * entry.unknown];
      sum += entry.weight * Vec3{u[0], u[1], u[2]};
    }
    to[c] = dot(contacts_[c].normal, sum);
  }
}

ScratchVector<double> ContactSet::scale_by_weights() const {
  ScratchVector<double> scale;
  for (const Contact& contact : contacts_) {
    double squared = 0;
    for (const PointEntry& entry : contact.entries) squared += entry.weight * entry.weight;
    scale.push_back(1 / std::sqrt(squared));
  }
  return scale;
}

}  // namespace sinew
