#include "sinew/cook/flesh/flesh_cook.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/nearest_word.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/character/bind_parts.h"
#include "sinew/cook/body_cells.h"
#include "sinew/cook/flesh/anatomy_overrides.h"
#include "sinew/cook/flesh/cook_shapes.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/flesh/muscles_of_flesh.h"
#include "sinew/cook/lattice/painted_regions.h"
#include "sinew/cook/muscles/muscle_activation.h"
#include "sinew/deform/lattice/variable_step_flesh.h"
#include "sinew/files/keys_json.h"
#include "sinew/files/lattice_files.h"
#include "sinew/files/settings_json.h"
#include "sinew/rig/implicit/implicit_skin.h"
#include "sinew/rig/skinned_points.h"
#include "sinew/shape/shape_rig_json.h"

namespace sinew {
namespace {

bool moves_in_lattice(const FleshSettings& settings) { return !settings.lattice.file.empty(); }

// A note about an anatomy file that describes only some bones, for example because one was deleted by accident.
std::vector<std::string> missing_bones_note(const std::string& file, const std::vector<std::string>& bones) {
  if (bones.empty()) return {};
  constexpr std::size_t most = 8;
  std::string names;
  for (std::size_t k = 0; k < std::min(most, bones.size()); ++k) names += (k ? ", " : "") + bones[k];
  if (bones.size() > most) names += " and " + std::to_string(bones.size() - most) + " more";
  return {file + ": says nothing of these bones, which are taken for what they are found to be: " + names + "."};
}

std::vector<std::string> crease_notes(const FleshSettings& settings, const CookedFlesh& cooked) {
  std::vector<std::string> notes;
  if (settings.creases == Creases::resolve && settings.skinning != SkinningKind::implicit)
    notes.push_back("creases: implicit skinning poses the goal.");
  const std::shared_ptr<const ImplicitSkin>& fields = cooked.body->description.creases;
  if (fields && !cooked.surface.skinning.implicit && !fields->unfitted.empty())
    notes.push_back("creases: no field fits the skin of " + std::to_string(fields->unfitted.size()) +
                    (fields->unfitted.size() == 1 ? " bone" : " bones") + ", which nothing touches.");
  return notes;
}

CookReport report_of(const CookedFlesh& cooked, const FleshSettings& settings, const ControlLattice* control) {
  CookReport report;
  report.body_vertices = cooked.body->description.mesh.positions.size();
  report.tetrahedra = cooked.body->description.mesh.tetrahedra.size();
  report.free_unknowns = 3 * (cooked.lattice ? cooked.lattice->free_functions() : cooked.body->free_vertex.size());
  report.settings = {{"settings", settings_json(settings)},
                     {"young", std::to_string(cooked.material.young)},
                     {"sag", std::to_string(cooked.material.sag)},
                     {"frequency", std::to_string(cooked.material.frequency)},
                     {"damping_ratio", std::to_string(cooked.material.damping_ratio)}};
  if (!cooked.muscles.muscles.empty()) report.settings["muscles"] = muscles_json(cooked.muscles);
  if (control) report.settings["cells"] = std::to_string(control->cells());
  report.stages = cooked.stages;
  report.warnings = cooked.notes;
  for (const std::string& note : skinning_notes(cooked.surface)) report.warnings.push_back(note);
  for (const std::string& note : crease_notes(settings, cooked)) report.warnings.push_back(note);
  if (!cooked.muscles.left_out.empty())
    for (const std::string& note : notes_of_left_out(cooked.muscles, activation_of_setting(settings.activation)))
      report.warnings.push_back(note);
  return report;
}

// Names the automatic lattice if the settings ask for something that a lattice does better and name none. `note`
// becomes a sentence about that, or empty if nothing was changed.
FleshSettings with_lattice(const FleshSettings& settings, bool real_time, std::string* note = nullptr) {
  if (moves_in_lattice(settings)) return settings;
  const std::string reason = real_time ? "--real-time" : asks_for_lattice(settings);
  if (reason.empty()) return settings;
  FleshSettings result = settings;
  result.lattice.file = auto_lattice;
  if (note)
    *note = "Flesh moves in a control lattice, built for the character, which does better what `" + reason +
            "` asks for; name one with --lattice.";
  return result;
}

// Reads the keys of the settings. Throws input_error if they name a clip that the character lacks, or what this flesh
// cannot change.
TissueKeys read_keys(const FleshSettings& settings, const Character& character) {
  TissueKeys keys = keys_of_setting(settings.keys);
  const std::string file = keys_file(settings.keys);
  std::vector<std::string> names;
  for (const Clip& clip : character.clips) names.push_back(clip.name);
  for (const auto& [clip, of_clip] : keys.clips) {
    if (clip != any_clip) check_clip_name(clip, names, character.file, file);
    const bool stiffness = !of_clip.stiffness.keys.empty();
    if ((stiffness || !of_clip.damping.keys.empty()) && !can_change_tissue(settings))
      throw input_error(file + ": clip '" + clip + "': '" + (stiffness ? "stiffness" : "damping") +
                        "' can be keyed with " + changes_tissue_with + " only; set them so, or key gravity alone.");
  }
  return keys;
}

}  // namespace

FleshCook::Keys FleshCook::keys_of(const FleshSettings& settings, const CookInput& input) {
  const CharacterRevision& character = input.revision;
  FleshSettings of_control;
  of_control.lattice.file = settings.lattice.file;
  of_control.lattice.cells = settings.lattice.cells;
  const CharacterRevision skin{character.skin, 0, 0};
  Fingerprint statics, flesh;
  statics.add(std::array{settings.stiffening});
  for (Fingerprint* const of : {&statics, &flesh}) of->add(std::array{settings.energy});  // no setting of the table
  statics.add(std::array{stage_key(settings_of(settings), Recooks::factor, character)});
  FleshSettings without_rigs = settings;
  without_rigs.shapes.clear();
  without_rigs.control.clear();
  without_rigs.activation.clear();
  flesh.add(std::array{stage_key(settings_of(without_rigs), Recooks::nothing, character)});
  flesh.add(std::array{input.real_time, input.played_alone});
  flesh.add(std::span(input.clips));
  const bool known = character.skin != 0;
  return {stage_key(settings_of(settings), Recooks::everything, skin),
          stage_key(settings_of(settings), Recooks::body, character),
          stage_key(settings_of(of_control), Recooks::body, skin), known ? statics.value() : 0,
          known ? flesh.value() : 0};
}

bool FleshCook::is_quick(const FleshSettings& asked, const CookInput& input) const {
  const FleshSettings settings = with_lattice(asked, input.real_time);
  const Keys keys = keys_of(settings, input);
  return body_.has(keys.body) && (!moves_in_lattice(settings) || lattice_.has(keys.body));
}

bool FleshCook::needs_rigs(const FleshSettings& asked, const CookInput& input) const {
  if (asked.shapes.empty()) return false;
  try {
    const FleshSettings settings = with_lattice(asked, input.real_time);
    return !rigs_.has(keys_of(settings, input).statics, shapes_of_setting(settings.shapes).rigs);
  } catch (const Error&) {
    return false;  // prepare() says what is wrong with them
  }
}

bool FleshCook::needs_lattice(const FleshSettings& asked, const CookInput& input) const {
  const FleshSettings settings = with_lattice(asked, input.real_time);
  return moves_in_lattice(settings) && !control_.has(keys_of(settings, input).control);
}

FleshCook::Body FleshCook::prepare_body(const FleshSettings& settings, const CookInput& input, StageKey tetrahedra,
                                        const Body* last, const Progress& progress) {
  const Character& character = input.character;
  Body body;
  body.tetrahedra = tetrahedra;
  body.clips = input.revision.clips;
  if (names_anatomy_file(settings.anatomy)) {
    auto described = std::make_shared<Character>(character);
    adopt_anatomy(*described, settings.anatomy);
    body.described = std::move(described);
  }
  if (settings.free_body && !has_skin_weights(character)) {
    auto bound = std::make_shared<Character>(body.described ? *body.described : character);
    bind_to_own_nodes(*bound);
    body.described = std::move(bound);
  }
  const Character& known = body.described ? *body.described : character;
  body.base = last && tetrahedra != 0 && last->tetrahedra == tetrahedra
                  ? change_flesh_base(last->base, known, settings, progress, last->clips == body.clips)
                  : prepare_flesh_base(known, settings, progress);
  body.missing_bones_note = missing_bones_note(known.anatomy.file, body.base.cooked.anatomy.unlisted_bones);
  return body;
}

// Moves the flesh from its tetrahedra to the lattice of the settings.
void FleshCook::cook_in_lattice(const FleshSettings& settings, const CookInput& input, const Keys& keys,
                                CookedFlesh& flesh, const Progress& progress) {
  Stopwatch watch;
  const std::string& file = settings.lattice.file;
  const NamedLattice& control = control_.get(keys.control, [&](const NamedLattice*) {
    NamedLattice made = named_lattice(settings.lattice, input.character, flesh.surface, origin_, input.revision.skin,
                                      part_of(progress, 0, 0.6));
    flesh.stages.push_back({"lattice", watch.lap()});
    return made;
  });
  try {
    const LatticeBase& base = lattice_.get(keys.body, [&](const LatticeBase*) {
      return prepare_lattice_base(flesh, *control.lattice, settings, part_of(progress, 0.6, 0.9));
    });
    flesh.lattice = cook_lattice_flesh(base, flesh, settings, part_of(progress, 0.9, 1));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || file == auto_lattice) throw;
    throw input_error(name_of_lattice_setting(file) + ": " + error.what());
  }
  flesh.notes.insert(flesh.notes.end(), control.notes.begin(), control.notes.end());
  flesh.stages.push_back({"cook lattice", watch.lap()});
  if (!input.real_time) return;
  flesh.lattice_steps = cook_for_steps(flesh.lattice, longest_real_time_step);
  flesh.stages.push_back({"cook longer steps", watch.lap()});
}

FleshCook::Cooked FleshCook::cook(const FleshSettings& settings, const CookInput& input, const Keys& keys,
                                  const Progress& progress) {
  const double share = moves_in_lattice(settings) ? 0.5 : 1.0;
  Body& body = body_.get(keys.body, [&](const Body* last) {
    return prepare_body(settings, input, keys.tetrahedra, last, part_of(progress, 0, 0.7 * share));
  });
  const Progress cooking = part_of(progress, 0.7 * share, share);
  CookedFlesh flesh = input.played_alone
                          ? cook_flesh(body.base, settings, cooking, SteppedFor::clips,
                                       poses_of_clips(input.character, body.base.cooked.surface, input.clips))
                          : cook_flesh(body.base, settings, cooking);
  body.base.cooked.stages.clear();  // each is reported once
  if (moves_in_lattice(settings)) cook_in_lattice(settings, input, keys, flesh, part_of(progress, share, 1));
  for (std::string& note : notes_on_regions(flesh.surface.fields, settings.lattice))
    flesh.notes.push_back(std::move(note));
  const bool in_lattice = flesh.lattice != nullptr;
  return {std::make_shared<const CookedFlesh>(std::move(flesh)),
          in_lattice ? control_.last()->lattice : nullptr,
          {},
          body.described,
          body.missing_bones_note};
}

std::shared_ptr<const ShapeForces> FleshCook::cook_rigs(const FleshSettings& settings, const Character& character,
                                                        const Keys& keys, Cooked& cooked, bool rough) {
  rigs_.begin(keys.statics, rough);
  if (settings.shapes.empty()) return {};
  if (!cooked.statics) cooked.statics = shape_body(*cooked.flesh, settings, cooked.control.get());
  return cook_shapes(settings, *cooked.flesh, character, *cooked.statics, rigs_);
}

Scene FleshCook::prepare(const FleshSettings& asked, const CookInput& input, const Progress& progress, bool rough) {
  std::string lattice_note;
  const FleshSettings settings = with_lattice(asked, input.real_time, &lattice_note);
  if (!settings.muscles.empty() && moves_in_lattice(settings))
    throw usage_error("muscles: act on flesh in tetrahedra, and " +
                      (input.real_time ? std::string("--real-time") : "this") +
                      " moves it in a lattice; leave out one of the two.");
  TissueKeys tissue_keys = read_keys(settings, input.character);
  const Keys keys = keys_of(settings, input);
  const bool again = cooked_.has(keys.flesh);
  Cooked& made = cooked_.get(keys.flesh, [&](const Cooked*) { return cook(settings, input, keys, progress); });
  const std::shared_ptr<const CookedFlesh>& cooked = made.flesh;
  const std::shared_ptr<const ControlLattice>& control = made.control;
  Scene scene = flesh_scene(cooked, settings, std::move(tissue_keys));
  scene.shapes = cook_rigs(settings, made.described ? *made.described : input.character, keys, made, rough);
  scene.muscles =
      muscle_controls(settings, cooked->muscles, made.described ? *made.described : input.character, cooked->surface);
  if (scene.muscles) scene.muscle_lines = [cooked] { return muscle_lines(cooked->body, cooked->muscle_points); };
  scene.completed = made.described;
  scene.report = report_of(*cooked, settings, control.get());
  if (again) scene.report.stages.clear();  // each is reported once
  if (control)
    scene.cells = [cooked, control] { return flesh_cells(cooked->lattice, *control); };
  else
    scene.cells = [cooked] { return flesh_cells(cooked->body); };
  std::vector<std::string>& warnings = scene.report.warnings;
  if (!lattice_note.empty()) warnings.insert(warnings.begin(), lattice_note);
  for (const std::string& note : made.missing_bones_note) {
    warnings.push_back(note);
    scene.report.failures.push_back(note);
  }
  return scene;
}

}  // namespace sinew
