#include "sinew/deform/rig_space/rig_space_placement.h"

#include "sinew/base/error.h"

namespace sinew {

RigSpacePlacement::RigSpacePlacement(const RigSpaceBody& body, Rig& rig, std::vector<int> free,
                                     InteriorVertices interior, TetrahedralEnergy& energy)
    : body_(body), rig_(rig), free_(std::move(free)), surface_(rig.vertices()) {
  if (interior == InteriorVertices::equilibrium) {
    energy.activate(std::vector<char>(body.mesh.positions.size(), 1));
    interior_ = std::make_unique<StaticInterior>(body, energy);
    return;
  }
  if (!body.has_skinning())
    throw usage_error(
        "the body has no map from its boundary to its inside; learn one, or solve the inside for equilibrium.");
  if (interior == InteriorVertices::skinning) return;
  if (body.correction.rest.columns != free_.size())
    throw usage_error(
        "the body has no correction of its inside for these free parameters; make one (interior_correction.h), or "
        "choose the map alone.");
  rotations_.assign(body.interior_vertices(), Mat3::identity());
  relaxation_ = std::make_unique<InteriorRelaxation>(body);
}

void RigSpacePlacement::evaluate_boundary(std::span<const double> p, std::span<Vec3> x) {
  rig_.evaluate(p, surface_);
  ++evaluations_;
  place_boundary(body_, surface_, x);
}

void RigSpacePlacement::place(std::span<const double> p, std::span<Vec3> x) {
  evaluate_boundary(p, x);
  if (interior_)
    interior_->solve(x);
  else
    place_interior(body_, x);
}

void RigSpacePlacement::correct(std::span<const double> p, std::span<const Vec3> offset, std::span<Vec3> x) const {
  if (!relaxation_) return;
  std::vector<double> away;
  for (const int i : free_) {
    const auto parameter = static_cast<std::size_t>(i);
    away.push_back(p[parameter] - rig_.parameters()[parameter].rest);
  }
  add_correction(body_.correction, rotations_, away, offset, x.subspan(body_.boundary_vertices()));
}

void RigSpacePlacement::evaluate(std::span<const double> p, std::span<const Vec3> offset, std::span<Vec3> x) {
  place(p, x);
  correct(p, offset, x);
}

void RigSpacePlacement::relax(std::span<const double> p, std::span<Vec3> offset, std::span<Vec3> x) {
  place(p, x);
  if (!relaxation_) return;
  interior_rotations(body_.correction, x, rotations_);
  correct(p, offset, x);
  relaxation_->iterate(x, rotations_, offset);
}

void RigSpacePlacement::settle(std::span<const double> p, std::span<Vec3> offset, std::span<Vec3> x) {
  constexpr int most_iterations = 200;
  if (interior_ && body_.has_skinning()) {
    evaluate_boundary(p, x);
    place_interior(body_, x);
  }
  relax(p, offset, x);
  if (!relaxation_) return;
  for (int i = 0; i < most_iterations; ++i)
    if (relaxation_->iterate(x, rotations_, offset) <= 1e-14 * body_.height) return;
}

void RigSpacePlacement::turn_at(std::span<const double> p) {
  if (!relaxation_) return;
  std::vector<Vec3> x = body_.mesh.positions;
  place(p, x);
  interior_rotations(body_.correction, x, rotations_);
}

}  // namespace sinew
