#include "sinew/cook/mixed/mixed_settings.h"

#include "sinew/cook/body_settings.h"

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
Settings settings_of(MixedJoint& j) {
  return {
      {.key = "joints", .value = &j.joints, .help = "Name of a joint, or a pattern with * and ?", .required = true},
      {.key = "stiffness", .value = &j.stiffness,
       .help = "Multiplies Young's modulus where elements take these joints' rotations", .range = above(0),
       .recooks = Recooks::body},
  };
}

Settings settings_of(MixedSettings& s) {
  constexpr OnCommandLine rare = OnCommandLine::rare;
  return {
      {.key = "material", .value = choice(s.material, materials),
       .help = "Energy of the stretch (as rigid as possible, co-rotated linear, stable neo-Hookean, St. "
               "Venant-Kirchhoff)",
       .option = rare, .page = "mixed_fem.md", .recooks = Recooks::body},
      young_setting(&s.young),
      poisson_setting(s.poisson, between(0, 0.49)),
      tetrahedra_setting(s.tetrahedra, 20, 5e6),
      cell_size_setting(s.cell_size),
      {.key = "clusters", .value = choice(s.clusters, cluster_rules),
       .help = "Whose rotation an element takes (the bone's that the skin weights name, or that has the nearest "
               "segment, midpoint or joint; automatic: weights where there are any, else segment)",
       .option = rare, .page = "mixed_characters.md", .recooks = Recooks::body},
      {.key = "smooth", .value = &s.smooth,
       .help = "Reach over which rotations fade from bone to bone, in radii of the limb; 0: not at all",
       .range = between(0, 100), .option = rare, .takes = "RADII", .recooks = Recooks::body},
      {.key = "pins", .value = choice(s.pins, pinnings),
       .help = "Whether vertices near bones move with them exactly, or are tied to them by springs", .option = rare,
       .takes = "HOW", .recooks = Recooks::body},
      {.key = "spring", .value = &s.spring, .help = "Stiffness of tied pins", .range = above(0),
       .unit = units::newtons_per_metre, .none = "ten times what a cell resists", .option = rare,
       .takes = "STIFFNESS", .example = "1000", .recooks = Recooks::body,
       .rule = [&s] {
         return std::string(s.spring && s.pins != Pinning::tied ? "held pins have no springs; set pins to tied." : "");
       }},
      {.key = "gravity", .value = &s.gravity,
       .help = "The body hangs in its own weight; else the modelled shape is at rest", .option = rare,
       .recooks = Recooks::run},
      density_setting(s.density),
      {.key = "skeleton", .value = &s.skeleton,
       .help = "Topmost joint of the skeleton of a character without skin weights", .none = "found", .option = rare,
       .takes = "JOINT", .example = "hips", .page = "mixed_characters.md", .recooks = Recooks::everything},
      ground_setting(s.ground),
      colliders_setting(s.colliders),
      loads_setting(s.loads),
      color_stiffness_setting(s.color_stiffness),
      {.key = "joints", .value = list(s.joints),
       .help = "What some joints have of their own; of two entries that match a joint, the later one wins",
       .recooks = Recooks::body},
  };
}
// clang-format on

}  // namespace sinew
