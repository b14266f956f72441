#include "sinew/cook/rig_space/rig_space_settings.h"

#include "sinew/base/error.h"
#include "sinew/cook/body_settings.h"
#include "sinew/cook/painted_surface.h"
#include "sinew/deform/skinning_setting.h"
#include "sinew/files/fixed_keys_json.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

constexpr Word<HyperelasticLaw> laws[] = {{"modified-stvk", HyperelasticLaw::modified_st_venant_kirchhoff},
                                          {"stvk", HyperelasticLaw::st_venant_kirchhoff},
                                          {"corotated", HyperelasticLaw::corotated}};
constexpr Word<InteriorVertices> insides[] = {{"corrected", InteriorVertices::corrected},
                                              {"skinning", InteriorVertices::skinning},
                                              {"equilibrium", InteriorVertices::equilibrium}};

// The goal's kind of skinning. Before there was one, the key named the file of `interior`, and it still may.
Setting skinning_or_interior() {
  Setting setting = skinning_setting(&RigSpaceSettings::skinning, Recooks::body);
  std::get<Choice>(setting.value).otherwise = [interior = Member(&RigSpaceSettings::interior)](
                                                  Settings settings, const std::string& file) {
    if (file.empty()) return;
    if (!file.ends_with(".vskin")) throw usage_error("skinning: '" + file + "' is not one of linear and dualquat.");
    if (interior.of(settings).empty()) interior.of(settings) = file;
  };
  setting.rule = [](const RigSpaceSettings& s) {
    return corrects_skin(s.skinning)
               ? "volume and implicit move each point by the whole skin at once, whose derivatives rig space lacks; "
                 "choose linear or dualquat."
               : "";
  };
  return setting;
}

}  // namespace

// clang-format off
SettingsTable RigSpaceControl::describe() {
  return {
      {.key = "controls", .value = &RigSpaceControl::controls,
       .help = "Pattern with * and ? over names of controls or of parameters", .required = true},
      {.key = "stiffness", .value = &RigSpaceControl::stiffness, .help = "Multiplies Young's modulus of what they move",
       .range = above(0), .recooks = Recooks::body},
      {.key = "range", .value = &RigSpaceControl::range,
       .help = "Multiplies the rig's own range, at whose end the soft stop is", .range = above(0), .none = "1",
       .recooks = Recooks::body},
  };
}

SettingsTable RigSpaceSettings::describe() {
  constexpr OnCommandLine rare = OnCommandLine::rare;
  return {
      {.key = "free", .value = &RigSpaceSettings::free,
       .help = "Controls that physics moves: 'belly*,chest*', or auto (what hangs in flesh)",
       .option = OnCommandLine::common, .page = "rig_space.md", .recooks = Recooks::body},
      {.key = "rig", .value = &RigSpaceSettings::rig, .file = true,
       .help = "Wires, lattices or a rig outside that move the surface on: a stack file (.json)",
       .none = "the skin alone", .option = rare, .page = "rigs.md", .recooks = Recooks::everything},
      look_setting(&RigSpaceSettings::look),
      reference_setting(&RigSpaceSettings::reference),
      {.key = "material", .value = choice(&RigSpaceSettings::material, laws), .help = "Law of elasticity",
       .page = "rig_space.md", .recooks = Recooks::body},
      young_setting(&RigSpaceSettings::young),
      poisson_setting(&RigSpaceSettings::poisson, {.least = -1, .most = 0.5, .without_least = true, .without_most = true}),
      density_setting(&RigSpaceSettings::density),
      damping_setting(&RigSpaceSettings::damping),
      {.key = "gravity", .value = &RigSpaceSettings::gravity,
       .help = "With the reference elastic: the body hangs in its own weight", .recooks = Recooks::run,
       .rule = [](const RigSpaceSettings& s) {
         return s.gravity && s.reference == Reference::rig
                    ? "with the reference rig every pose carries its own weight already; leave it out or choose the "
                      "reference elastic."
                    : "";
       }},
      tetrahedra_setting(&RigSpaceSettings::tetrahedra, 100, 2e5),
      cell_size_setting(&RigSpaceSettings::cell_size),
      color_stiffness_setting(&RigSpaceSettings::color_stiffness),
      along_setting(&RigSpaceSettings::along),
      step_setting(&RigSpaceSettings::step, between(1e-4, 0.1)),
      {.key = "adaptive_step", .value = &RigSpaceSettings::adaptive,
       .help = "Halve steps, up to five times, where the motion asks for it",
       .option = rare, .recooks = Recooks::run},
      {.key = "inside", .value = choice(&RigSpaceSettings::inside, insides),
       .help = "Inside of the body (by a learned map of its boundary and what that leaves out, by the map alone, or "
               "solved for at every iteration)",
       .option = rare, .takes = "HOW", .page = "volumetric_skinning.md", .recooks = Recooks::body},
      {.key = "deferred_jacobian", .value = &RigSpaceSettings::deferred,
       .help = "Keep the rig's derivatives for as long as they are good", .recooks = Recooks::run},
      {.key = "predictor", .value = &RigSpaceSettings::predictor,
       .help = "Look ahead before a step with old derivatives", .recooks = Recooks::run},
      {.key = "linearity", .value = &RigSpaceSettings::linearity,
       .help = "Error of the linear rig over a step that is accepted, as a fraction of the height",
       .range = {.least = 0, .most = 0.1, .without_least = true}, .recooks = Recooks::run},
      {.key = "limit", .value = &RigSpaceSettings::limit,
       .help = "Strength of the soft stops at the ends of ranges; 0: none", .range = from(0), .recooks = Recooks::run},
      {.key = "interior", .value = &RigSpaceSettings::interior, .file = true,
       .help = "Inside of the body as `sinew learn` found it (.vskin)", .none = "found anew", .option = rare,
       .example = "character.vskin", .page = "volumetric_skinning.md", .recooks = Recooks::body},
      skinning_or_interior(),
      {.key = "poses", .value = &RigSpaceSettings::poses,
       .help = "Poses of clips and calisthenics that the inside is learned from", .range = between(4, 1000),
       .recooks = Recooks::body},
      {.key = "candidates", .value = &RigSpaceSettings::candidates,
       .help = "Boundary vertices that a vertex inside may follow, at first", .range = between(4, 500),
       .recooks = Recooks::body},
      {.key = "key_error", .value = &RigSpaceSettings::key_error,
       .help = "How far the surface may be off where keys are thinned, as a fraction of the height; 0: a key per frame",
       .range = between(0, 0.1), .option = rare, .takes = "E", .recooks = Recooks::nothing},
      {.key = "whole_clip", .value = &RigSpaceSettings::whole_clip,
       .help = "Give the new clip the keyed channels too, for viewers that play one clip at a time", .option = rare,
       .recooks = Recooks::nothing},
      {.key = "controls", .value = list(&RigSpaceSettings::controls),
       .help = "What single controls have of their own; later ones win", .recooks = Recooks::body},
      {.key = "keys", .value = &RigSpaceSettings::keys, .file = true, .object = fixed_keys_schema(),
       .help = "Keys that fix free parameters over the time of clips; the others react to them", .none = "none",
       .option = rare, .page = "rig_space.md", .recooks = Recooks::run},
  };
}
// clang-format on

void check_any_free(const RigSpaceSettings& s) {
  if (s.free.empty())
    throw usage_error(
        "Rig-space physics needs the names of the controls that it may move: give the setting 'free' some, for example "
        "'belly*', or auto for those that hang in flesh (--free auto; `sinew info FILE --controls` lists them).");
}

}  // namespace sinew
