#include "sinew/deform/tetrahedra/rig_reference.h"

#include <algorithm>

#include "sinew/deform/tetrahedra/flesh_measures.h"
#include "sinew/deform/tetrahedra/flesh_state.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/deform/tetrahedra/ground_contact.h"
#include "sinew/deform/tetrahedra/surface_pushes.h"

namespace sinew {
namespace {

constexpr double contact_tolerance = 1e-6;

class RigReferenceFlesh final : public BodyMotion {
 public:
  explicit RigReferenceFlesh(std::shared_ptr<const FleshBody> body)
      : body_(std::move(body)),
        state_(flesh_state(body_->free_vertex.size())),
        right_hand_side_(3 * body_->free_vertex.size()),
        solution_(3 * body_->free_vertex.size()),
        stiff_(3 * body_->free_vertex.size()),
        local_(body_->description.mesh.positions.size()),
        ground_(*body_),
        pushes_(*body_) {}

  void reset(const RigState& rig, const RigState& next) override {
    predict(rig, frames_);
    predict(next, next_frames_);
    std::fill(solution_.begin(), solution_.end(), 0.0);
    if (body_->dynamics.gravity_in_rest != GravityInRest::pose) {
      outside_forces(*body_, frames_, right_hand_side_);
      static_factor(*body_).solve(right_hand_side_, solution_);
    }
    start_state(*body_, frames_, next_frames_, solution_, state_);
    scatter_displacements(*body_, state_.displacement, local_);
    statistics_ = {};
  }

  void advance(const RigState& rig) override {
    predict(rig, frames_);
    assemble_right_hand_side(*body_, frames_, state_, right_hand_side_);
    pushes_.add_to(frames_, body_->method.force_factor(), right_hand_side_);
    add_damping_of_history(*body_, state_, right_hand_side_);
    body_->factor.solve(right_hand_side_, solution_);
    require_finite(solution_);
    const LinearOperator solve = [this](std::span<const double> b, std::span<double> x) { body_->factor.solve(b, x); };
    statistics_.contacts = ground_.hold(frames_, solve, contact_tolerance, solution_, state_);
    if (statistics_.contacts > 0)
      for (std::size_t k = 0; k < right_hand_side_.size(); ++k) right_hand_side_[k] += ground_.right_hand_side()[k];
    if (body_->uniform_damping()) stiffness_product_from_solution(*body_, right_hand_side_, solution_, stiff_);
    finish_step(*body_, frames_, solution_, stiff_, state_);
    if (statistics_.contacts > 0) ground_.settle(state_);
    scatter_displacements(*body_, state_.displacement, local_);
  }

  void set_environment(const Environment& environment) override {
    check_flesh_environment(*body_, environment);
    pushes_.set(environment.pokes);
  }
  std::span<const Vec3> local_displacements() const override { return local_; }
  BodyMeasures measure(const RigState& rig) const override { return measure_flesh(*body_, state_, rig); }
  double step() const override { return body_->method.step; }
  const StepStatistics& statistics() const override { return statistics_; }
  void save(Snapshot& snapshot) const override { save_state(state_, snapshot); }
  void load(const Snapshot& snapshot) override {
    load_state(snapshot, state_);
    scatter_displacements(*body_, state_.displacement, local_);
  }

 private:
  void predict(const RigState& rig, VertexFrames& frames) const {
    predict_frames(body_->description.mesh.positions, body_->description.influences, rig.bones, frames);
  }

  std::shared_ptr<const FleshBody> body_;
  FleshState state_;
  VertexFrames frames_, next_frames_;
  std::vector<double> right_hand_side_, solution_, stiff_;
  std::vector<Vec3> local_;
  GroundContact ground_;
  SurfacePushes pushes_;
  StepStatistics statistics_;
};

}  // namespace

std::unique_ptr<BodyMotion> rig_reference_flesh(std::shared_ptr<const FleshBody> body) {
  return std::make_unique<RigReferenceFlesh>(std::move(body));
}

}  // namespace sinew
