#include "sinew/cook/rig_space/rig_space_method.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/cook/rig_space/choose_controls.h"
#include "sinew/cook/rig_space/open_rig_space.h"
#include "sinew/cook/rig_space/rig_space_scene.h"
#include "sinew/deform/rig_controls.h"
#include "sinew/files/keys_json.h"
#include "sinew/files/settings_json.h"

namespace sinew {
namespace {

CookReport report_of(const CookedRigSpace& cooked, const RigSpaceSettings& settings) {
  CookReport report;
  report.body_vertices = cooked.body->mesh.positions.size();
  report.tetrahedra = cooked.body->mesh.tetrahedra.size();
  report.free_unknowns = cooked.free.size();
  report.settings = {{"settings", settings_json(settings)},
                     {"young", std::to_string(cooked.material.young)},
                     {"frequency", std::to_string(cooked.material.frequency)},
                     {"damping_ratio", std::to_string(cooked.material.damping_ratio)}};
  report.stages = cooked.stages;
  report.warnings = cooked.notes;
  if (!cooked.own)
    report.warnings.push_back(
        "The controls of a rig outside are no nodes of the file: its motion is written as morph targets; "
        "--curves writes their values.");
  return report;
}

std::shared_ptr<const RigControls> controls_of(const std::shared_ptr<const OpenRigSpace>& open,
                                               const Character& character, const RigSpaceSettings& settings) {
  const CookedRigSpace& cooked = *open->cooked;
  auto controls = std::make_shared<RigControls>();
  controls->rig = cooked.whole_rig;
  controls->own = cooked.own;
  controls->without_layers = open->plain_rig;
  std::vector<std::string> names{""};  // the rest pose
  for (const Clip& clip : character.clips) names.push_back(clip.name);
  controls->animation = [open, file = character.file, names = std::move(names)](int clip) -> const RigAnimation* {
    if (clip < 0) return nullptr;
    const RigAnimation* animation = open->animations[index(clip)].get();
    refuse_keyed(*open->cooked, *animation, file, names[index(clip)]);
    return animation;
  };
  controls->key_error = settings.key_error * cooked.height;
  controls->whole_clip = settings.whole_clip;
  return controls;
}

StageKey skinning_stage_key(RigSpaceSettings settings, const CharacterRevision& character) {
  if (!settings.rig.empty()) return 0;  // a program outside may have changed
  settings.look = {};
  settings.damping.reset();
  settings.keys.clear();
  return stage_key(settings_of(settings), Recooks::run, character);
}

// Everything but the keys.
struct PreparedRigSpace {
  std::shared_ptr<const OpenRigSpace> open;
};
using PreparedStage = CookStage<PreparedRigSpace>;

StageKey prepared_stage_key(RigSpaceSettings settings, const CharacterRevision& character) {
  if (!settings.rig.empty()) return 0;  // a program outside may have changed
  settings.keys.clear();
  return stage_key(settings_of(settings), Recooks::run, character);
}

PreparedRigSpace prepared(const RigSpaceSettings& settings, const CookInput& input, CookCache& cache,
                          const Progress& progress) {
  const auto open =
      std::make_shared<OpenRigSpace>(open_rig_space(settings, input.character, part_of(progress, 0, 0.2)));
  CookedRigSpace& cooked = *open->cooked;
  const auto controls = controls_of(open, input.character, settings);
  for (const int clip : input.clips) controls->animation(clip);  // throws before anything slow
  if (!settings.interior.empty())
    cooked.body->interior = read_skinning_file(settings.interior, skinning_key(cooked));
  else if (settings.inside != InteriorVertices::equilibrium || !settings.young)
    use_skinning(cache.of<FoundSkinningStage>().get(skinning_stage_key(settings, input.revision),
                                                    [&](const FoundSkinning*) {
                                                      return find_skinning(*open, input.character, settings,
                                                                           part_of(progress, 0.2, 1));
                                                    }),
                 cooked);
  correct_interior(cooked, settings);
  decide_rig_space_material(cooked, settings);
  return {open};
}

// Throws input_error if keys name a clip that the character lacks.
void check_clips(const FixedKeys& keys, const Character& character, const std::string& file) {
  std::vector<std::string> names;
  for (const Clip& clip : character.clips) names.push_back(clip.name);
  for (const auto& [clip, stretches] : keys.clips) check_clip_name(clip, names, character.file, file);
}

}  // namespace

MethodTraits RigSpaceMethod::traits() const { return {.gives_curves = true, .fields = rig_space_fields()}; }

void RigSpaceMethod::check() const {
  MethodOf::check();
  check_any_free(values);
}

// Frees what hangs in flesh or, where nothing does, the bones that a user could free instead.
void RigSpaceMethod::suit(const SimulationSurface& surface) {
  constexpr std::size_t most_named = 4;
  if (!values.free.empty()) return;
  if (!controls_in_flesh(surface).empty()) {
    values.free = {free_automatically};
    return;
  }
  for (const int bone : bones_to_name(surface, most_named)) values.free.push_back(surface.bones[index(bone)].name);
}

Scene RigSpaceMethod::cook(const CookInput& input, CookCache& cache, const Progress& progress) const {
  const Character& character = input.character;
  const PreparedRigSpace& made =
      cache.of<PreparedStage>().get(prepared_stage_key(values, input.revision),
                                    [&](const PreparedRigSpace*) { return prepared(values, input, cache, progress); });
  const auto controls = controls_of(made.open, character, values);
  for (const int clip : input.clips) controls->animation(clip);
  FixedKeys keys = read_fixed_keys(*made.open->cooked, values);
  check_clips(keys, character, keys_file(values.keys));
  Scene scene = rig_space_scene(made.open->cooked, values, std::move(keys));
  scene.report = report_of(*made.open->cooked, values);
  scene.controls = controls;
  return scene;
}

bool RigSpaceMethod::is_quick(const CookInput& input, const CookCache& cache) const {
  const auto* stage = cache.find<PreparedStage>();
  return stage && stage->has(prepared_stage_key(values, input.revision));
}

}  // namespace sinew
