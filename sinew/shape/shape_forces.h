// Force rigs cooked for a body: the generalised force of each rig at its samples, and what they add up to in a pose
// (Capell 2004, equation 6.3 without the turn R_F(alpha), which the body makes).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/threads/scratch.h"
#include "sinew/deform/shape_controls.h"
#include "sinew/shape/control_values.h"
#include "sinew/shape/displacement_size.h"
#include "sinew/shape/force_balance.h"
#include "sinew/shape/sample_weights.h"
#include "sinew/shape/shape_body.h"
#include "sinew/shape/shape_rig.h"
#include "sinew/shape/template_tissue.h"

namespace sinew {

// The force density of a template on its guide, in rest space. Throws as
// guide_frame() does.
ForceField rig_field(const ShapeRig& rig, std::span<const double> eta, const SimulationSurface& surface);
ForceField rig_field(TemplateKind kind, std::span<const double> eta, const GuideAnchor& anchor);

// The ball in which a template's force is balanced (ShapeRig::balance).
BalanceRegion balance_region(double balance, const ForceField& field);

// The generalised force of a rig with these parameters, by its own amplitude as a force. `surface`: what the guide and
// paint refer to. Not for `field`. Throws as guide_frame() does.
std::vector<PointForce> rig_force(const ShapeRig& rig, std::span<const double> eta, const SimulationSurface& surface,
                                  const ShapeBody& body);

// The generalised force of a rig where its controls have these values.
struct SampledForce {
  std::vector<double> at;
  std::vector<PointForce> force;
  std::vector<PointStiffening> stiffening{};
  std::optional<TissueChange> tissue{};  // that `stiffening`, and a part of `force`, come from

  bool does_nothing() const { return force.empty() && stiffening.empty(); }
};

// The forces between which that of a rig is interpolated: at its samples, and where the parameters of two differ in
// more than their amplitudes, at places between them until it is linear within a hundredth, if the rig has one control;
// with more, Q itself is interpolated. Poses `body` at rest. Throws as guide_frame() and amplitude_for_displacement()
// do.
std::vector<SampledForce> sampled_forces(const ShapeRig& rig, const SimulationSurface& surface, ShapeBody& body,
                                         AmplitudeSearch* search = nullptr);

// Displacements of static equilibrium under the force, in flesh with its stiffening, in the pose that is set.
std::vector<Vec3> displacements_of(const SampledForce& sample, ShapeBody& body);

// The things that a rig needs of a body, which take searches for equilibrium.
struct CookedRig {
  std::vector<SampledForce> forces;
  // Displacements of static equilibrium at rest, per force and per point of the body; empty without a morph target.
  std::vector<std::vector<Vec3>> shown;
};
CookedRig cook_rig(const ShapeRig& rig, const SimulationSurface& surface, ShapeBody& body,
                   AmplitudeSearch* search = nullptr);

// Remembers cooked rigs of one body, so that only rigs that were edited are cooked again.
class CookedRigs {
 public:
  // Begins a cook for the body of this key, and forgets all rigs of another one. 0: the body is unknown. `rough`:
  // amplitudes of rigs that are not known yet are estimated, and such rigs are not kept.
  void begin(std::uint64_t body, bool rough);
  // Whether all rigs are known for this body.
  bool has(std::uint64_t body, std::span<const ShapeRig> rigs) const;
  CookedRig of(const ShapeRig& rig, const SimulationSurface& surface, ShapeBody& body);

 private:
  struct Kept {
    CookedRig rig;
    int cook = 0;  // that needed it last
  };
  std::uint64_t body_ = 0;
  bool rough_ = false;
  int cook_ = 0;
  std::map<std::string, Kept> rigs_;      // by the text of the rig
  std::map<std::string, double> factor_;  // by the name of the rig: AmplitudeSearch::factor of its last exact search
};

// Immutable.
class ShapeForces final : public ShapeControls {
 public:
  // Samples all rigs. Throws what check_character(), ControlValues and sampled_forces() throw, naming the file and the
  // rig. `kept`: rigs cooked before, or null.
  ShapeForces(const ShapeFile& file, std::span<const HeldControl> held, const Character& character,
              const SimulationSurface& surface, ShapeBody& body, CookedRigs* kept = nullptr);

  std::span<const Control> controls() const override { return described_; }
  std::span<const std::string> rigs() const override { return names_; }
  void values(const Pose& pose, double clip_time, std::span<double> values) const override {
    controls_.find(pose, clip_time, values);
  }
  void find(const Pose& pose, double clip_time, const Held& held, std::vector<PointForce>& forces,
            std::vector<PointDisplacement>& shown_by_rig, std::vector<PointStiffening>& stiffening) const override;

 private:
  struct Rig {
    SampleWeights weights;
    std::vector<std::vector<PointForce>> force;            // per sample; `point` is an index into points_
    std::vector<std::vector<PointStiffening>> stiffening;  // per sample; `point` is an index into stiffened_
    // Displacements of static equilibrium at rest, per sample and per point of the body; empty without a morph target.
    std::vector<std::vector<Vec3>> shown;
  };
  static void add_shown(const Rig& rig, double morph_weight, ScratchVector<Vec3>& shown);

  std::vector<Rig> rigs_;
  std::vector<int> points_;     // on which any rig acts, ascending
  std::vector<int> stiffened_;  // which any rig stiffens, ascending
  ControlValues controls_;
  std::vector<Control> described_;
  std::vector<std::string> names_;  // of the rigs
};

}  // namespace sinew
