// Decorator that clamps the displayed flesh of a deformer (docs/flesh.md, What is displayed). Scenes hand it out; the
// bare deformer below it can be run by itself (Scene::bare).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/deformer.h"
#include "sinew/deform/display/clamp_release.h"
#include "sinew/deform/display/display_clamps.h"
#include "sinew/deform/display/skin_separation.h"

namespace sinew {

// Extent to which the safety clamps acted in the last displacements().
struct SafetyClamps {
  double strain_limit = 0;   // fraction of the surface's vertices that it moved
  double display_limit = 0;  // fraction of the limited points that it shortened by more than a tenth
};

class DisplayedDeformer final : public Deformer {
 public:
  // `clamps` may be null: none.
  DisplayedDeformer(std::unique_ptr<Deformer> bare, std::shared_ptr<const DisplayClamps> clamps,
                    std::shared_ptr<const SimulationSurface> surface);

  SafetyClamps safety_clamps() const;
  // Applies shape preservation, strain limit and separation to displacements that the caller changed after
  // displacements(). safety_clamps() then reports this call.
  void clamp(const RigState& rig, std::span<Vec3> displacements) { keep(rig, displacements, 0); }
  // Distance, metres, by which the method and the loads may have driven flesh from the rig.
  double driven_displacement() const;

  // The bare deformer's displacements at the end of the last step.
  void unclamped_displacements(const RigState& rig, std::span<Vec3> surface) { bare_->displacements(rig, 0, surface); }

  void reset(const RigState& rig, const RigState& next) override;
  void advance(const RigState& rig, const Environment& environment) override;
  void carry(const RigCut& cut) override;
  void displacements(const RigState& rig, double before, std::span<Vec3> surface) override;
  void surface(const RigState& rig, double before, std::span<Vec3> surface) override;
  void save(Snapshot& snapshot) const override;
  void load(const Snapshot& snapshot, const RigState& rig, double reach) override;
  void take_over(const Snapshot& snapshot, const RigState& rig, const RigState& next, double reach) override;

  const DeformerTraits& traits() const override { return bare_->traits(); }
  std::size_t chosen_step() const override { return bare_->chosen_step(); }
  void choose_step(std::size_t choice, const RigState& earlier) override { bare_->choose_step(choice, earlier); }
  void goal(const RigState& rig, std::span<Vec3> surface) override { bare_->goal(rig, surface); }
  std::span<const Vec3> points() const override { return bare_->points(); }
  BodyMeasures measure(const RigState& rig) override { return bare_->measure(rig); }
  StepStatistics statistics() const override { return bare_->statistics(); }
  std::span<const Mat3> element_rotations() const override { return bare_->element_rotations(); }
  void curves(double before, std::span<double> values) const override { bare_->curves(before, values); }

 private:
  void limit(const RigState& rig, double before, std::span<Vec3> surface);
  void keep(const RigState& rig, std::span<Vec3> displacements, double release);
  void separate(std::span<Vec3> displacements);
  Snapshot take_release(const Snapshot& snapshot, double reach);

  std::unique_ptr<Deformer> bare_;
  std::shared_ptr<const DisplayClamps> clamps_;
  std::shared_ptr<const SimulationSurface> surface_;
  std::optional<StrainLimiter> strain_;
  std::optional<SkinSeparation> separation_;
  ClampRelease release_;
  SafetyClamps counted_;
  std::vector<Vec3> local_, goal_, moved_;  // per point of the body, or per vertex of the surface
  std::vector<std::size_t> touched_;        // vertices that shape preservation may move
  std::vector<RigidMotion> motions_;
};

}  // namespace sinew
