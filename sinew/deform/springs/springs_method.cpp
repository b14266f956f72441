#include "sinew/deform/springs/springs_method.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/glob.h"
#include "sinew/deform/acting_settings.h"
#include "sinew/deform/settings_fingerprint.h"
#include "sinew/deform/snapshot_numbers.h"
#include "sinew/deform/springs/spring_chain.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

struct CookedSprings {
  SimulationSurface surface;
  SpringChain chain;
  SpringForces forces;
  double size = 1;  // of spring_body_height
};

DeformerTraits springs_traits() {
  DeformerTraits traits;
  traits.can = springs_obeys;
  traits.step = spring_step;
  traits.has_volume = false;
  return traits;
}

class SpringsDeformer final : public Deformer {
 public:
  explicit SpringsDeformer(std::shared_ptr<const CookedSprings> cooked)
      : cooked_(std::move(cooked)), traits_(springs_traits()) {}

  const DeformerTraits& traits() const override { return traits_; }

  void reset(const RigState& rig, const RigState& next) override {
    state_ = springs_at_rest(cooked_->chain, rig.bones, next.bones);
    earlier_ = state_.turned;
    note_points();
  }

  void advance(const RigState& rig, const Environment& environment) override {
    earlier_ = state_.turned;
    SpringForces forces = cooked_->forces;
    if (environment.gravity) {
      constexpr double standard_gravity = 9.81;
      const double pull = norm(*environment.gravity);
      if (pull > 0) forces.down = *environment.gravity / pull;
      forces.gravity *= pull / standard_gravity;
    }
    step_springs(cooked_->chain, forces, cooked_->size, rig.bones, environment.colliders, environment.ground, state_);
    note_points();
  }

  void carry(const RigCut& cut) override {
    carry_springs(cooked_->chain,
                  {cut.before.bones, cut.left.bones, cut.entered.bones, cut.next.bones, cut.seconds_before(),
                   cut.seconds_after()},
                  state_);
    earlier_ = state_.turned;
    note_points();
  }

  void goal(const RigState& rig, std::span<Vec3> surface) override { blend(rig.bones, surface); }

  void displacements(const RigState& rig, double before, std::span<Vec3> surface) override {
    turned_.resize(state_.turned.size());
    by_rig_.resize(surface.size());
    between_steps(earlier_, state_.turned, before, turned_);
    blend(rig.bones, by_rig_);
    blend(turned_bones(cooked_->chain, rig.bones, turned_, swung_), surface);
    for (std::size_t v = 0; v < surface.size(); ++v) surface[v] -= by_rig_[v];
  }

  std::span<const Vec3> points() const override { return points_; }

  void save(Snapshot& snapshot) const override {
    for (const std::vector<Vec3>* vectors : {&state_.tail, &state_.before, &state_.turned, &earlier_})
      append_vectors(snapshot.numbers, *vectors);
  }
  void load(const Snapshot& snapshot, const RigState&, double reach) override {
    SnapshotNumbers take(snapshot.numbers);
    SpringState state;
    std::vector<Vec3> earlier;
    for (std::vector<Vec3>* vectors : {&state.tail, &state.before, &state.turned, &earlier}) {
      *vectors = take.vectors(cooked_->chain.springs.size());
      check_within(*vectors, 2 * reach, "where its tails are");
    }
    take.finish();
    state_ = std::move(state);
    earlier_ = std::move(earlier);
    note_points();
  }

 private:
  void blend(std::span<const Affine> bones, std::span<Vec3> surface) const {
    pose_points(skin_of(cooked_->surface), bones, surface);
  }

  // From where the rig has the tails.
  void note_points() {
    points_ = state_.turned;
    for (std::size_t s = 0; s < points_.size(); ++s)
      points_[s] -= cooked_->chain.springs[s].tail - cooked_->chain.springs[s].head;
  }

  std::shared_ptr<const CookedSprings> cooked_;
  DeformerTraits traits_;
  SpringState state_;
  std::vector<Vec3> earlier_, points_;  // `turned` a step ago; displacements
  std::vector<Vec3> turned_, by_rig_;
  SwungBones swung_;  // as shown
};

// The middle of the skin that hangs on a bone, rest space; the bone's head where none does.
Vec3 middle_of_skin(const SimulationSurface& surface, int bone, const Vec3& head) {
  Vec3 sum;
  double weight = 0;
  for (std::size_t v = 0; v < surface.influences.size(); ++v)
    for (int k = 0; k < surface.influences[v].count; ++k) {
      const auto i = static_cast<std::size_t>(k);
      if (surface.influences[v].joint[i] != bone) continue;
      sum += surface.influences[v].weight[i] * (surface.rest.positions[v] - head);
      weight += surface.influences[v].weight[i];
    }
  return weight > 0 ? head + sum / weight : head;
}

// Its first child; of a bone without children the middle of its skin.
Vec3 tail_of(const SimulationSurface& surface, int bone, const Vec3& head) {
  for (const Bone& child : surface.bones)
    if (child.parent == bone) return inverse(child.rest_to_joint).translation;
  return middle_of_skin(surface, bone, head);
}

}  // namespace

Scene SpringsMethod::cook(const CookInput& input, CookCache&, const Progress&) const {
  const Character& character = input.character;
  std::vector<std::string> notes;
  if (values.swing.empty())
    throw usage_error(
        "Springs need the names of the joints that swing: give the setting 'swing' some, for example 'belly*' (--swing "
        "'belly*'; `sinew info` lists the joints).");
  const auto cooked = std::make_shared<CookedSprings>();
  cooked->surface = simulation_surface(character);
  set_skinning(values.skinning, cooked->surface);
  notes = skinning_notes(cooked->surface);
  cooked->forces = values.forces;
  const double height = standing_height(cooked->surface);
  cooked->size = height / spring_body_height;
  const std::vector<Bone>& bones = cooked->surface.bones;
  for (const Bone& bone : bones) cooked->chain.parent.push_back(bone.parent);
  for (const std::string& pattern : values.swing) {
    const bool any =
        std::any_of(bones.begin(), bones.end(), [&](const Bone& bone) { return matches(pattern, bone.name); });
    if (!any)
      throw usage_error("The setting 'swing' names a joint '" + pattern + "', but " + character.file +
                        " has none of this name that carries skin; `sinew info` lists the joints.");
  }
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (std::none_of(values.swing.begin(), values.swing.end(),
                     [&](const std::string& p) { return matches(p, bones[b].name); }))
      continue;
    const Vec3 head = inverse(bones[b].rest_to_joint).translation,
               tail = tail_of(cooked->surface, static_cast<int>(b), head);
    if (distance(head, tail) > 1e-6 * height)
      cooked->chain.springs.push_back({static_cast<int>(b), head, tail});
    else
      notes.push_back("Joint '" + bones[b].name + "' has nothing that could swing: its skin is all around it.");
  }
  Scene scene{name(), "swinging", {cooked, &cooked->surface}, bones};
  scene.height = height;
  scene.report.warnings = std::move(notes);
  scene.acting.colliders = values.colliders;
  scene.acting.ground = values.ground;
  Fingerprint print;
  print.add(cooked->surface.rest.positions);
  for (const Spring& s : cooked->chain.springs) print.add(std::array{s.head, s.tail});
  add_settings(print, settings_of(values));
  scene.fingerprint = print.value();
  scene.bare = [cooked] { return std::make_unique<SpringsDeformer>(cooked); };
  return scene;
}

}  // namespace sinew
