#include "sinew/cook/mixed/mixed_method.h"

#include <array>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/character/bind_parts.h"
#include "sinew/character/fingerprint.h"
#include "sinew/cook/mixed/bind_automatically.h"
#include "sinew/cook/mixed/mixed_scene.h"
#include "sinew/deform/cook_stage.h"
#include "sinew/deform/mixed/mixed_deformer.h"
#include "sinew/files/handles_json.h"
#include "sinew/files/settings_json.h"

namespace sinew {
namespace {

CookReport report_of(const CookedMixed& cooked, const MixedSettings& settings) {
  CookReport report;
  report.body_vertices = cooked.mesh.positions.size();
  report.tetrahedra = cooked.mesh.tetrahedra.size();
  report.free_unknowns = 3 * static_cast<std::size_t>(cooked.body->free.count());
  report.settings = {{"settings", settings_json(settings)},
                     {"bones", std::to_string(cooked.bones.size())},
                     {"pins", std::to_string(cooked.pins.vertex.size())}};
  report.stages = cooked.stages;
  report.warnings = cooked.notes;
  return report;
}

// Refuses the option --skeleton for characters that have one.
void check_skeleton(const Character& character, const MixedSettings& settings) {
  if (character.adopted_skeleton.value_or("") == settings.skeleton) return;
  throw usage_error("--skeleton: " + character.file +
                    (character.adopted_skeleton ? " was given another skeleton already; open it again."
                                                : " has skin weights, whose joints are its skeleton; leave the option "
                                                  "out."));
}

// The filled body, with the skeleton that its character was given.
struct FilledCharacter {
  FilledMixed filled;
  std::shared_ptr<Character> completed;  // with a skeleton, without skin weights yet; null: it has both
  std::string sentence;                  // about the skeleton; empty: nothing was chosen
};
using FilledStage = CookStage<FilledCharacter>;

// A body with everything but the motion of its handles.
struct PreparedMixed {
  std::shared_ptr<const CookedMixed> cooked;
  std::shared_ptr<const Character> completed;  // Scene::completed
  std::string sentence;
};
using PreparedMixedStage = CookStage<PreparedMixed>;

// A body does not depend on clips; a character that is given a skeleton is kept with its clips.
CharacterRevision revision_of(const CookInput& input) {
  CharacterRevision revision = input.revision;
  if (has_skin_weights(input.character)) revision.clips = 0;
  return revision;
}

StageKey filled_key(const MixedSettings& settings, const CharacterRevision& character) {
  MixedSettings filling;
  filling.tetrahedra = settings.tetrahedra;
  filling.cell_size = settings.cell_size;
  filling.clusters = settings.clusters;
  filling.skeleton = settings.skeleton;
  filling.color_stiffness = settings.color_stiffness;
  filling.along = settings.along;
  if (!settings.along.empty()) filling.poisson = settings.poisson;  // curves blend into it
  // Whether a mesh without a skeleton is led by handles.
  if (!settings.handles.empty()) filling.handles = "{}";
  return stage_key(settings_of(filling), Recooks::factor, character);
}

StageKey body_key(MixedSettings settings, const CharacterRevision& character) {
  settings.handles = handles_json(without_motion(handles_of_setting(settings.handles)));
  const StageKey key = stage_key(settings_of(settings), Recooks::factor, character);
  if (!settings.energy || key == 0) return key;
  return Fingerprint().add(std::array{key}).add(std::array{settings.energy}).value();  // no setting of the table
}

FilledCharacter filled_character(const MixedSettings& settings, const Character& character, const Progress& progress) {
  FilledCharacter result;
  if (has_skin_weights(character)) {
    result.filled = fill_mixed(character, settings, true, progress);
    return result;
  }
  result.completed = std::make_shared<Character>(character);
  const bool bones_pose = settings.handles.empty() || !settings.skeleton.empty() || has_skeleton_to_adopt(character);
  if (bones_pose)
    result.sentence = adopt_skeleton(*result.completed, settings.skeleton);
  else
    bind_to_own_nodes(*result.completed);
  result.filled = fill_mixed(*result.completed, settings, bones_pose, progress);
  return result;
}

PreparedMixed prepared_mixed(const MixedSettings& settings, const CookInput& input, CookCache& cache,
                             const Progress& progress) {
  const FilledCharacter& filled = cache.of<FilledStage>().get(
      filled_key(settings, revision_of(input)),
      [&](const FilledCharacter*) { return filled_character(settings, input.character, part_of(progress, 0, 0.7)); });
  PreparedMixed result{
      std::make_shared<const CookedMixed>(prepare_mixed(filled.filled, settings, part_of(progress, 0.7, 1))),
      {},
      filled.sentence};
  if (!filled.completed) return result;
  const auto completed = std::make_shared<Character>(*filled.completed);
  if (filled.filled.bones_pose) bind_automatically(*completed, *result.cooked, settings);
  result.completed = completed;
  return result;
}

}  // namespace

MethodTraits MixedMethod::traits() const {
  return {.needs_skin_weights = false,
          .has_memory = false,
          .given_rotations = true,
          .obeys = mixed_obeys,
          .fields = fields_in_use(values)};
}

Scene MixedMethod::cook(const CookInput& input, CookCache& cache, const Progress& progress) const {
  if (has_skin_weights(input.character)) check_skeleton(input.character, values);
  const PreparedMixed& made = cache.of<PreparedMixedStage>().get(
      body_key(values, revision_of(input)),
      [&](const PreparedMixed*) { return prepared_mixed(values, input, cache, progress); });
  Scene scene = mixed_scene(made.cooked, values);
  scene.report = report_of(*made.cooked, values);
  if (!made.sentence.empty()) scene.report.warnings.insert(scene.report.warnings.begin(), made.sentence);
  scene.completed = made.completed;
  return scene;
}

bool MixedMethod::is_quick(const CookInput& input, const CookCache& cache) const {
  const auto* stage = cache.find<FilledStage>();
  return stage && stage->has(filled_key(values, revision_of(input)));
}

}  // namespace sinew
