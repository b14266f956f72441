#include "sinew/cook/mixed/mixed_settings.h"

#include "sinew/cook/body_settings.h"
#include "sinew/cook/painted_surface.h"
#include "sinew/files/handles_json.h"

namespace sinew {
namespace {

constexpr Word<MixedMaterial> materials[] = {{"arap", MixedMaterial::arap},
                                             {"corotated", MixedMaterial::corotated},
                                             {"neo-hookean", MixedMaterial::stable_neo_hookean},
                                             {"stvk", MixedMaterial::st_venant_kirchhoff}};
constexpr Word<MixedClusters> cluster_rules[] = {{"automatic", MixedClusters::automatic},
                                                 {"weights", MixedClusters::weights},
                                                 {"segment", MixedClusters::segment},
                                                 {"midpoint", MixedClusters::midpoint},
                                                 {"hierarchy", MixedClusters::hierarchy}};
constexpr Word<Pinning> pinnings[] = {{"held", Pinning::held}, {"tied", Pinning::tied}};

}  // namespace

// clang-format off
SettingsTable MixedJoint::describe() {
  return {
      {.key = "joints", .value = &MixedJoint::joints, .help = "Name of a joint, or a pattern with * and ?",
       .required = true},
      {.key = "stiffness", .value = &MixedJoint::stiffness,
       .help = "Multiplies Young's modulus where elements follow these joints", .range = above(0),
       .recooks = Recooks::body},
  };
}

SettingsTable MixedSettings::describe() {
  constexpr OnCommandLine rare = OnCommandLine::rare;
  return {
      {.key = "material", .value = choice(&MixedSettings::material, materials),
       .help = "Energy of the stretch (as rigid as possible, co-rotated linear, stable neo-Hookean, St. "
               "Venant-Kirchhoff)",
       .option = rare, .page = "mixed_fem.md", .recooks = Recooks::body},
      young_setting(&MixedSettings::young),
      poisson_setting(&MixedSettings::poisson, between(0, 0.49)),
      tetrahedra_setting(&MixedSettings::tetrahedra, 20, 5e6),
      cell_size_setting(&MixedSettings::cell_size),
      {.key = "clusters", .value = choice(&MixedSettings::clusters, cluster_rules),
       .help = "Whose rotation an element takes (the bone's that the skin weights name, or that has the nearest "
               "segment, midpoint or joint; automatic: weights where there are any, else segment)",
       .option = rare, .page = "mixed_characters.md", .recooks = Recooks::body},
      {.key = "smooth", .value = &MixedSettings::smooth,
       .help = "Reach over which rotations fade from bone to bone, in radii of the limb; 0: not at all",
       .range = between(0, 100), .option = rare, .takes = "RADII", .recooks = Recooks::body},
      {.key = "pins", .value = choice(&MixedSettings::pins, pinnings),
       .help = "Whether vertices near bones move with them exactly, or are tied to them by springs", .option = rare,
       .takes = "HOW", .recooks = Recooks::body},
      {.key = "spring", .value = &MixedSettings::spring, .help = "Stiffness of tied pins", .range = above(0),
       .unit = units::newtons_per_metre, .none = "ten times what a cell resists", .option = rare,
       .takes = "STIFFNESS", .example = "1000", .recooks = Recooks::body,
       .rule = [](const MixedSettings& s) {
         return s.spring && s.pins != Pinning::tied ? "held pins have no springs; set pins to tied." : "";
       }},
      {.key = "gravity", .value = &MixedSettings::gravity,
       .help = "The body hangs in its own weight; else the modelled shape is at rest", .option = rare,
       .recooks = Recooks::run},
      density_setting(&MixedSettings::density),
      {.key = "skeleton", .value = &MixedSettings::skeleton,
       .help = "Topmost joint of the skeleton of a character without skin weights", .none = "found", .option = rare,
       .takes = "JOINT", .example = "hips", .page = "mixed_characters.md", .recooks = Recooks::everything},
      ground_setting(&MixedSettings::ground),
      colliders_setting(list(&MixedSettings::colliders)),
      loads_setting(list(&MixedSettings::loads)),
      color_stiffness_setting(&MixedSettings::color_stiffness),
      along_setting(&MixedSettings::along),
      {.key = "joints", .value = list(&MixedSettings::joints),
       .help = "What some joints have of their own; of two entries that match a joint, the later one wins",
       .recooks = Recooks::body},
      {.key = "handles", .value = &MixedSettings::handles, .file = true, .object = handles_schema(),
       .help = "Points and frames anywhere in the body that lead it, beside bones or without a skeleton (.json)",
       .none = "none", .option = rare, .example = "handles.json", .page = "mixed_characters.md",
       .recooks = Recooks::body},
      {.key = "rotations", .value = &MixedSettings::rotations, .file = true,
       .help = "Rotations of all elements over time, in place of those of bones and handles, as --write-rotations writes "
               "them",
       .none = "none", .option = rare, .example = "hero.rotations", .page = "mixed_characters.md",
       .recooks = Recooks::run},
  };
}
// clang-format on

}  // namespace sinew
