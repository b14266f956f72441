// What tables say that a change takes is what the cook does: below each level everything is as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "sinew/cook/rig_space/prepare_rig_space.h"
#include "sinew/deform/cook_stage.h"
#include "sinew/jobs/open_character.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/skinned_points.h"
#include "tests/bake/tube_character.h"
#include "tests/deform/changed_setting.h"

namespace sinew {
namespace {

// Of two lists of numbers, the one factor between them; 0 where there is none.
template <class Blocks>
double factor_between(const Blocks& a, const Blocks& b) {
  if (a.size() != b.size()) return 0;
  double largest = 0, factor = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i)
      if (std::abs(a[k](i, i)) > largest) largest = std::abs(a[k](i, i)), factor = b[k](i, i) / a[k](i, i);
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        if (std::abs(b[k](i, j) - factor * a[k](i, j)) > 1e-9 * factor * largest) return 0;
  return factor;
}

// The level of what differs: the highest at which keys of stages do (deform/cook_stage.h).
Recooks recooks_between(ConstSettings before, ConstSettings after) {
  Recooks most = Recooks::nothing;
  for (const Recooks level : {Recooks::run, Recooks::factor, Recooks::stiffness, Recooks::body, Recooks::everything})
    if (stage_key(before, level, {1, 1}) != stage_key(after, level, {1, 1})) most = level;
  return most;
}

// Every option can be had with these.
FleshSettings base_settings() {
  FleshSettings settings;
  settings.tetrahedra = 100;
  settings.reference = Reference::elastic;
  settings.lattice.levels = 2;
  return settings;
}

TEST(Recooks, SaysWhatAChangeLeavesAsItWas) {
  const Character character = open_character(SINEW_SOURCE_DIR "/samples/tube.glb").character;
  const FleshSettings usual = base_settings();
  const CookedFlesh first = prepare_flesh(character, usual);
  const FleshBody& a = *first.body;
  int compared = 0;
  for (const Setting& setting : table_of<FleshSettings>()) {
    FleshSettings settings = usual;
    SCOPED_TRACE(setting.key);
    test::change(setting, settings_of(settings));
    EXPECT_EQ(recooks_between(settings_of(usual), settings_of(settings)), setting.recooks);
    for (JointSettings& joint : settings.joints) joint = {"*", 2, 1, {}};
    // Lattices are cooked from this body, things that need more than a number act on a run alone, files are not there,
    // and of `everything` nothing is said.
    if (*setting.section || !first_complaint(settings_of(settings)).empty() || setting.recooks == Recooks::everything ||
        setting.file)
      continue;
    ++compared;
    const CookedFlesh second = prepare_flesh(character, settings);
    const FleshBody& b = *second.body;
    EXPECT_EQ(a.description.mesh.positions, b.description.mesh.positions);
    if (setting.recooks == Recooks::body) continue;
    EXPECT_EQ(a.mass, b.mass);
    EXPECT_EQ(a.free_vertex, b.free_vertex);
    EXPECT_GT(factor_between(a.elastic_stiffness.block, b.elastic_stiffness.block), 0);
    if (setting.recooks == Recooks::stiffness) continue;
    EXPECT_EQ(factor_between(a.stiffness.block, b.stiffness.block), 1);
    const bool same_steps = a.description.stiffness_damping == b.description.stiffness_damping &&
                            a.description.mass_damping == b.description.mass_damping &&
                            a.dynamics.step == b.dynamics.step &&
                            a.dynamics.spectral_radius == b.dynamics.spectral_radius;
    EXPECT_TRUE(same_steps || setting.recooks == Recooks::factor);
  }
  EXPECT_GE(compared, 18);
}

// Of a scene, by level, the numbers that a change of this level may change, and no change below it.
using Aspects = std::map<Recooks, std::vector<double>>;

template <class Numbers>
void add(const Numbers& numbers, std::vector<double>& to) {
  to.insert(to.end(), numbers.begin(), numbers.end());
}
void add(const TetrahedralMesh& mesh, std::vector<double>& to) {
  for (const Vec3& p : mesh.positions) add(std::array{p.x, p.y, p.z}, to);
  for (const Tetrahedron& t : mesh.tetrahedra) add(t, to);
}
// Moduli as they are, and as shares of the first one: what scaling leaves.
void add_moduli(const std::vector<double>& moduli, double first, Aspects& aspects) {
  for (const double modulus : moduli) {
    aspects[Recooks::stiffness].push_back(modulus);
    aspects[Recooks::body].push_back(modulus / first);
  }
}

// Every setting's change leaves what is above its level as it was, to the bit, but for what scaling rounds; and at its
// level changes something, unless it is one of `unseen`, which act later or have nothing to act on.
template <class Struct>
void expect_levels(const Struct& usual, const std::set<std::string>& unseen,
                   const std::function<void(const std::string& key, Struct&)>& set_by_hand,
                   const std::function<Aspects(const Struct&)>& aspects_of) {
  const Aspects before = aspects_of(usual);
  int compared = 0, files = 0;
  for (const Setting& setting : table_of<Struct>()) {
    Struct settings = usual;
    const Settings view = settings_of(settings);
    const Recooks level = setting.recooks;
    SCOPED_TRACE(setting.key);
    set_by_hand(setting.key, settings);
    if (same_value(setting, settings_of(usual), view)) test::change(setting, view);
    EXPECT_EQ(recooks_between(settings_of(usual), view), level);
    if (!first_complaint(view).empty()) continue;  // things that need more than a number
    files += setting.file ? 1 : 0;
    if (setting.file) continue;
    ++compared;
    const Aspects after = aspects_of(settings);
    const double rounding = level == Recooks::stiffness ? 1e-9 : 0;
    for (const auto& [of, numbers] : before) {
      const auto close = [&](double a, double b) { return std::abs(a - b) <= rounding * std::abs(a); };
      const std::vector<double>& now = after.at(of);
      const bool same = std::equal(numbers.begin(), numbers.end(), now.begin(), now.end(), close);
      if (of > level) {
        EXPECT_TRUE(same) << "level " << static_cast<int>(of);
      } else if (of == level && !unseen.contains(setting.key)) {
        EXPECT_FALSE(same) << "its own level";
      }
    }
  }
  EXPECT_GE(compared + files, static_cast<int>(table_of<Struct>().size()) - 3);
}

// With colours that a setting may take for stiffness.
Character colored_tube() {
  Character character = test::tube_character();
  for (Part& part : character.parts)
    for (std::size_t v = 0; v < part.surface.positions.size(); ++v)
      part.colors.push_back({v % 2 == 0 ? 0.5 : 1.0, 0, 0});
  return character;
}

TEST(Recooks, OfMixedElementsSaysWhatAChangeLeavesAsItWas) {
  const Character character = colored_tube();
  MixedSettings usual;
  usual.tetrahedra = 300;
  usual.pins = Pinning::tied;
  const auto by_hand = [](const std::string& key, MixedSettings& settings) {
    if (key == "tetrahedra") settings.tetrahedra = 900;
    if (key == "cell_size") settings.cell_size = 0.05;
    if (key == "clusters") settings.clusters = MixedClusters::midpoint;
    if (key == "joints") settings.joints = {{"*", 2}};
  };
  // What acts, acts on a run alone; the skeleton is chosen before the body is prepared.
  expect_levels<MixedSettings>(usual, {"skeleton"}, by_hand, [&](const MixedSettings& settings) {
    const CookedMixed scene = prepare_mixed(character, settings);
    const MixedBody& body = *scene.body;
    Aspects aspects;
    add(scene.mesh, aspects[Recooks::everything]);
    std::vector<double>& of_body = aspects[Recooks::body];
    add(scene.mass, of_body);
    add(scene.weights.bone, of_body);
    add(scene.weights.weight, of_body);
    add(scene.stiffness_multiplier, of_body);
    add(body.pins.held, of_body);
    add(body.pins.tied, of_body);
    for (const MixedMaterial material : {MixedMaterial::arap, MixedMaterial::corotated,
                                         MixedMaterial::stable_neo_hookean, MixedMaterial::st_venant_kirchhoff})
      of_body.push_back(body.energy.value == stretch_energy(material).value);
    const double first = body.samples.shear[0];
    add_moduli(body.samples.shear, first, aspects);
    add_moduli(body.samples.lambda, first, aspects);
    add_moduli(body.pins.spring, first, aspects);
    add_moduli(body.skew_modulus, first, aspects);
    return aspects;
  });
}

TEST(Recooks, OfRigSpaceSaysWhatAChangeLeavesAsItWas) {
  const Character character = colored_tube();
  RigSpaceSettings usual;
  usual.free = {"upper.translation.*"};
  usual.tetrahedra = 300;
  usual.reference = Reference::elastic;  // gravity needs it
  usual.inside = InteriorVertices::equilibrium;
  usual.step = 0.004;
  const auto by_hand = [](const std::string& key, RigSpaceSettings& settings) {
    if (key == "tetrahedra") settings.tetrahedra = 900;
    if (key == "cell_size") settings.cell_size = 0.05;
    if (key == "free") settings.free = {"upper.rotation.*"};
    if (key == "controls") settings.controls = {{"upper.translation.x", 2, 0.5}};
  };
  // The inside is learned later, kinds of skinning differ away from rest, steps are halved in a run, curves are thinned
  // after it.
  const std::set<std::string> unseen{"skinning", "poses", "candidates", "adaptive_step", "key_error", "whole_clip"};
  expect_levels<RigSpaceSettings>(usual, unseen, by_hand, [&](const RigSpaceSettings& settings) {
    CookedRigSpace scene = prepare_rig_space(character, settings, [&](std::span<const int> vertices) {
      SimulationSurface surface = simulation_surface(character);
      set_skinning(settings.skinning, surface);
      return make_rig(nullptr, character, surface, vertices);
    });
    decide_rig_space_material(scene, settings);
    const RigSpaceBody& body = *scene.body;
    const RigSpaceDynamics& dynamics = scene.dynamics;
    Aspects aspects;
    add(body.mesh, aspects[Recooks::everything]);
    std::vector<double>& of_body = aspects[Recooks::body];
    add(body.mass, of_body);
    add(scene.free, of_body);
    add(dynamics.range, of_body);
    add(std::array{static_cast<double>(body.material.law), static_cast<double>(dynamics.rest),
                   static_cast<double>(dynamics.interior)},
        of_body);
    add_moduli(body.material.shear, body.material.shear[0], aspects);
    add_moduli(body.material.lambda, body.material.shear[0], aspects);
    aspects[Recooks::factor] = {dynamics.stiffness_damping, dynamics.mass_damping};
    aspects[Recooks::run] = {double(dynamics.deferred), double(dynamics.predictor), dynamics.linearity,
                             dynamics.limit_stiffness, dynamics.gravity.y};
    return aspects;
  });
}

TEST(Recooks, AChangeTakesTheMostOfItsSettings) {
  FleshSettings usual, changed;
  EXPECT_EQ(recooks_between(settings_of(usual), settings_of(changed)), Recooks::nothing);
  changed.damping = 0.2;
  EXPECT_EQ(recooks_between(settings_of(usual), settings_of(changed)), Recooks::factor);
  changed.look = Look::lively;
  EXPECT_EQ(recooks_between(settings_of(usual), settings_of(changed)), Recooks::stiffness);
  changed.tetrahedra = 9000;
  EXPECT_EQ(recooks_between(settings_of(usual), settings_of(changed)), Recooks::everything);
}

}  // namespace
}  // namespace sinew
