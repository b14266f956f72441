#include "sinew/deform/mixed/mixed_deformer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/contact/surface_points.h"
#include "sinew/deform/mixed/mixed_elements.h"
#include "sinew/deform/mixed/mixed_solver.h"
#include "sinew/deform/mixed/rotation_field.h"
#include "sinew/linalg/rotation.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/volume_measures.h"

namespace sinew {
namespace {

DeformerTraits mixed_traits() {
  DeformerTraits traits;
  traits.can = mixed_obeys;
  traits.around_goal = false;
  return traits;
}

bool is_usable(const Affine& motion) {
  return is_finite(motion.translation) && std::isfinite(frobenius_norm(motion.linear));
}

constexpr double no_scale = 1e-9;
constexpr double least_scale = 1e-4;

// Uniform scale of each connected part of a body in a pose, for rigs that scale their joints.
//
// Element rotations carry no scale, so that elasticity would return a part to its rest size. A part that its bones
// scale as a whole is solved at its rest size and scaled afterwards, which is equivalent to scaling its rest shape.
// Squash and stretch of single bones within a part is left to the pins.
class PartScales {
 public:
  PartScales(const TetrahedralMesh& mesh, const RotationWeights& weights);

  // Computes, per vertex of the mesh, the scale of its part: the mean by volume of |det|^1/3 of the sources of rotation
  // (`bones`: rest space to world). Exactly 1 if within 1e-9 of it, and at least 1e-4.
  std::vector<double> per_vertex(std::span<const Affine> bones) const;

 private:
  std::vector<int> part_;  // per vertex
  // Per part: bones and their fractions of its volume, which sum to one.
  std::vector<std::vector<std::pair<int, double>>> shares_;
};

PartScales::PartScales(const TetrahedralMesh& mesh, const RotationWeights& weights) : part_(mesh.positions.size(), 0) {
  std::vector<int> component;
  measure_quality(mesh, &component);
  std::vector<std::map<int, double>> volume_of_bone;
  for (std::size_t t = 0; t < component.size(); ++t) {
    const Tetrahedron& corners = mesh.tetrahedra[t];
    for (const int v : corners) part_[index(v)] = component[t];
    volume_of_bone.resize(std::max(volume_of_bone.size(), index(component[t]) + 1));
    const auto x = [&](std::size_t k) { return mesh.positions[index(corners[k])]; };
    const double size = volume(x(0), x(1), x(2), x(3));
    for (std::size_t k = index(weights.start[t]); k < index(weights.start[t + 1]); ++k)
      volume_of_bone[index(component[t])][weights.bone[k]] += size * weights.weight[k];
  }
  for (const std::map<int, double>& bones : volume_of_bone) {
    double sum = 0;
    for (const auto& [bone, size] : bones) sum += size;
    auto& shares = shares_.emplace_back();
    for (const auto& [bone, size] : bones) shares.emplace_back(bone, size / sum);
  }
}

std::vector<double> PartScales::per_vertex(std::span<const Affine> bones) const {
  std::vector<double> lengths, scale_of_part;
  for (const Affine& bone : bones) lengths.push_back(std::cbrt(std::abs(determinant(bone.linear))));
  for (const auto& shares : shares_) {
    // Computed as a sum of differences, so that bones without scale give exactly 1.
    double difference = 0;
    for (const auto& [bone, share] : shares) difference += share * (lengths[index(bone)] - 1);
    scale_of_part.push_back(std::abs(difference) <= no_scale ? 1.0 : std::max(1 + difference, least_scale));
  }
  std::vector<double> scales;
  scales.reserve(part_.size());
  for (const int part : part_) scales.push_back(scale_of_part[index(part)]);
  return scales;
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
    require_finite(rig.bones, environment.handles);
    std::vector<Affine> motions = source_motions(pieces_.movers, rig.bones, environment.handles);
    std::vector<Mat3> turns;
    for (const Affine& source : motions) turns.push_back(closest_rotation(source.linear));
    if (environment.rotations.empty())
      blend_rotations(pieces_.weights, turns, rotations_);
    else
      take_rotations(environment.rotations);
    // Forces, colliders and the planes of slides have a size of their own: with them bodies are solved as they are.
    const bool own_size = pieces_.keeps_size || !environment.empty() || has_slides();
    const std::vector<double> scales =
        own_size ? std::vector<double>(pieces_.mesh.positions.size(), 1.0) : scales_.per_vertex(motions);
    add_point_motions(pieces_.movers, environment.handles, rotations_, motions);
    std::vector<Vec3> pins = pin_positions(pieces_.pins, pieces_.body->rest, motions);
    for (std::size_t k = 0; k < pins.size(); ++k)
      pins[k] = pins[k] / scales[static_cast<std::size_t>(pieces_.pins.vertex[k])];
    const std::vector<Vec3> forces = forces_of(environment);
    MixedLoad load;
    load.rotations = rotations_;
    load.held = std::span<const Vec3>(pins).first(pieces_.held_pins);
    load.tied = std::span<const Vec3>(pins).subspan(pieces_.held_pins);
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
  std::span<const Mat3> element_rotations() const override { return rotations_; }
  void save(Snapshot&) const override {}  // nothing goes on from pose to pose
  void load(const Snapshot&, const RigState&, double) override {}

 private:
  void require_finite(std::span<const Affine> bones, std::span<const Affine> handles) const {
    for (std::size_t b = 0; b < bones.size(); ++b)
      if (!is_usable(bones[b]))
        throw input_error("the joint '" + pieces_.bones[b] + "' is moved or scaled beyond all numbers; mend the clip.");
    for (std::size_t h = 0; h < handles.size(); ++h)
      if (!is_usable(handles[h]))
        throw input_error("handle " + std::to_string(h + 1) +
                          " is moved or scaled beyond all numbers; mend its keys or the clip.");
  }

  void take_rotations(std::span<const Mat3> given) {
    if (given.size() != rotations_.size())
      throw usage_error("there are rotations of " + std::to_string(given.size()) + " elements for a body of " +
                        std::to_string(rotations_.size()) + "; give one each.");
    std::copy(given.begin(), given.end(), rotations_.begin());
  }

  // Points of the body's surface, which only some environments need.
  const SurfacePoints& touched() {
    if (surface_points_.size() > 0) return surface_points_;
    std::vector<int> vertices;
    surface_points_ = surface_points(pieces_.mesh, pieces_.embedding.points, &vertices);
    point_of_vertex_.assign(pieces_.embedding.points.size(), -1);
    for (std::size_t k = 0; k < vertices.size(); ++k) point_of_vertex_[index(vertices[k])] = static_cast<int>(k);
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

  bool has_slides() const {
    return std::any_of(pieces_.movers.handles.begin(), pieces_.movers.handles.end(),
                       [](const auto& handle) { return !handle.slides.empty(); });
  }

  // The skin that handles hold along normals alone.
  std::vector<SlidingPoint> sliding(const Environment& environment) {
    std::vector<SlidingPoint> sliding;
    for (std::size_t h = 0; h < pieces_.movers.handles.size(); ++h) {
      const Affine motion = environment.handles.empty() ? Affine{} : environment.handles[h];
      const Mat3 turn = closest_rotation(motion.linear);
      for (const SlidingVertex& slide : pieces_.movers.handles[h].slides) {
        touched();
        const int point = point_of_vertex_[index(slide.vertex)];
        if (point >= 0)
          sliding.push_back({point, motion * pieces_.surface.positions[index(slide.vertex)], turn * slide.normal});
      }
    }
    return sliding;
  }

  MixedStatistics solve(const MixedLoad& load, const Environment& environment) {
    contacts_ = 0;
    const std::vector<SlidingPoint> slides = sliding(environment);
    if (!environment.touches() && slides.empty()) return solver_.solve(load, positions_);
    Colliders colliders = environment.colliders;
    if (environment.ground)
      colliders.planes.insert(colliders.planes.begin(), PlaneCollider{{0, *environment.ground, 0}, {0, 1, 0}});
    MixedContacts contacts;
    const MixedStatistics solved = solver_.solve(load, touched(), colliders, positions_, contacts, {}, slides);
    contacts_ = static_cast<int>(contacts.pushing.size());
    return solved;
  }

  MixedPieces pieces_;
  DeformerTraits traits_;
  PartScales scales_;
  MixedSolver solver_;
  SurfacePoints surface_points_;
  std::vector<int> point_of_vertex_;  // per vertex of the surface: its surface point, or -1
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
