#include "sinew/deform/mixed/mixed_deformer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/contact/surface_points.h"
#include "sinew/deform/mixed/mixed_elements.h"
#include "sinew/deform/mixed/mixed_solver.h"
#include "sinew/deform/mixed/part_scales.h"
#include "sinew/linalg/rotation.h"
#include "sinew/mesh/volume_measures.h"

namespace sinew {
namespace {

DeformerTraits mixed_traits() {
  DeformerTraits traits;
  traits.can = mixed_obeys;
  traits.around_goal = false;
  return traits;
}

class MixedDeformer final : public Deformer {
 public:
  explicit MixedDeformer(MixedPieces pieces)
      : pieces_(std::move(pieces)),
        traits_(mixed_traits()),
        scales_(pieces_.mesh, pieces_.weights),
        solver_(pieces_.body),
        rotations_(pieces_.weights.size()),
        positions_(pieces_.mesh.positions) {}

  const DeformerTraits& traits() const override { return traits_; }
  void reset(const RigState& rig, const RigState&) override { advance(rig, {}); }

  void advance(const RigState& rig, const Environment& environment) override {
    require_finite(rig.bones);
    std::vector<Mat3> turns;
    for (const Affine& bone : rig.bones) turns.push_back(closest_rotation(bone.linear));
    blend_rotations(pieces_.weights, turns, rotations_);
    // Forces and colliders have a size of their own: with them bodies are solved as they are.
    const bool own_size = pieces_.keeps_size || !environment.empty();
    const std::vector<double> scales =
        own_size ? std::vector<double>(pieces_.mesh.positions.size(), 1.0) : scales_.per_vertex(rig.bones);
    std::vector<Vec3> pins = pin_positions(pieces_.pins, pieces_.body->rest, rig.bones);
    for (std::size_t k = 0; k < pins.size(); ++k)
      pins[k] = pins[k] / scales[static_cast<std::size_t>(pieces_.pins.vertex[k])];
    const std::vector<Vec3> forces = forces_of(environment);
    MixedLoad load;
    load.rotations = rotations_;
    (pieces_.pins_are_held ? load.held : load.tied) = pins;
    load.forces = forces;
    const MixedStatistics solved = solve(load, environment);
    statistics_ = {std::max(solved.solves, solved.iterations), solved.residual, contacts_};
    energy_ = condensed_energy(*pieces_.body, load, positions_);
    for (std::size_t v = 0; v < positions_.size(); ++v) positions_[v] *= scales[v];
  }

  // Its shapes are output relative to the rest shape.
  void goal(const RigState&, std::span<Vec3> surface) override {
    std::copy(pieces_.surface.positions.begin(), pieces_.surface.positions.end(), surface.begin());
  }

  void displacements(const RigState& rig, double before, std::span<Vec3> surface) override {
    this->surface(rig, before, surface);
    for (std::size_t s = 0; s < surface.size(); ++s) surface[s] -= pieces_.surface.positions[s];
  }

  // By displacements of the body, so that a body at rest carries the surface at rest to the last bit.
  void surface(const RigState&, double, std::span<Vec3> surface) override {
    for (std::size_t s = 0; s < surface.size(); ++s) {
      surface[s] = pieces_.surface.positions[s];
      const EmbeddedPoint& point = pieces_.embedding.points[s];
      const Tetrahedron& corners = pieces_.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
      for (std::size_t k = 0; k < 4; ++k) {
        const auto v = static_cast<std::size_t>(corners[k]);
        surface[s] += (positions_[v] - pieces_.mesh.positions[v]) * point.weights[k];
      }
    }
  }

  std::span<const Vec3> points() const override { return positions_; }

  BodyMeasures measure(const RigState&) override {
    const VolumeMeasures volumes = measure_volumes(pieces_.mesh, positions_);
    return {energy_, volumes.ratio, volumes.min_det};
  }

  StepStatistics statistics() const override { return statistics_; }
  void save(Snapshot&) const override {}  // nothing goes on from pose to pose
  void load(const Snapshot&, const RigState&, double) override {}

 private:
  void require_finite(std::span<const Affine> bones) const {
    for (std::size_t b = 0; b < bones.size(); ++b)
      if (!is_finite(bones[b].translation) || !std::isfinite(frobenius_norm(bones[b].linear)))
        throw input_error("the joint '" + pieces_.bones[b] + "' is moved or scaled beyond all numbers; mend the clip.");
  }

  // Points of the body's surface, which only some environments need.
  const SurfacePoints& touched() {
    if (surface_points_.size() == 0) surface_points_ = surface_points(pieces_.mesh, pieces_.embedding.points);
    return surface_points_;
  }

  std::vector<Vec3> forces_of(const Environment& environment) {
    std::vector<Vec3> forces;
    const std::optional<Vec3> gravity = environment.gravity ? environment.gravity : pieces_.gravity;
    if (!gravity && environment.loads.empty()) return forces;
    forces.resize(pieces_.mesh.positions.size());
    if (gravity) add_weight(pieces_.mass, *gravity, forces);
    for (const Load& load : environment.loads) add_load(touched(), pieces_.mesh.positions, load, forces);
    return forces;
  }

  MixedStatistics solve(const MixedLoad& load, const Environment& environment) {
    contacts_ = 0;
    if (!environment.touches()) return solver_.solve(load, positions_);
    Colliders colliders = environment.colliders;
    if (environment.ground)
      colliders.planes.insert(colliders.planes.begin(), PlaneCollider{{0, *environment.ground, 0}, {0, 1, 0}});
    MixedContacts contacts;
    const MixedStatistics solved = solver_.solve(load, touched(), colliders, positions_, contacts);
    contacts_ = static_cast<int>(contacts.pushing.size());
    return solved;
  }

  MixedPieces pieces_;
  DeformerTraits traits_;
  PartScales scales_;
  MixedSolver solver_;
  SurfacePoints surface_points_;
  std::vector<Mat3> rotations_;
  std::vector<Vec3> positions_;  // of the body's vertices, world
  double energy_ = 0;
  int contacts_ = 0;
  StepStatistics statistics_;
};

}  // namespace

std::unique_ptr<Deformer> mixed_deformer(MixedPieces pieces) {
  return std::make_unique<MixedDeformer>(std::move(pieces));
}

}  // namespace sinew
