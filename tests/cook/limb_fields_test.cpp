// The setting `along` under every method that has it: a constant curve is paint, to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_cook.h"
#include "sinew/cook/methods.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "sinew/cook/painted_surface.h"
#include "sinew/cook/rig_space/open_rig_space.h"
#include "sinew/cook/surface/model_factors.h"
#include "sinew/cook/surface/prepare_surface.h"
#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/deform/surface/surface_body.h"
#include "sinew/files/limb_curves_json.h"
#include "tests/bake/tube_character.h"

namespace sinew {
namespace {

// A curve over the whole tube, from one value at its foot to another one at its top.
std::string along_tube(const char* name, double low, double high) {
  const double slope = high - low;
  return limb_curves_json({{name, "lower", "upper", {{0, low, slope, slope}, {1, high, slope, slope}}}});
}

std::string constant_along_tube(const char* name, double value) {
  return limb_curves_json({{name, "lower", "upper", {{0.5, value, {}, {}}}}});
}

// Where the limb of the tube ends, metres.
double tip_of_tube() {
  const SimulationSurface surface = simulation_surface(test::tube_character());
  return limb_chain(surface.bones, {"stiffness", "lower", "upper", {}}, "").points.back().y;
}

Character tube_painted(std::size_t f, double value) {
  Character character = test::tube_character();
  for (Part& part : character.parts) part.fields[f].assign(part.surface.positions.size(), value);
  return character;
}

TEST(LimbFields, EveryMethodThatObeysFieldsHasTheSetting) {
  for (const std::unique_ptr<Method>& method : all_methods()) {
    const std::vector<FieldInUse> fields = method->traits().fields;
    const SettingsTable& table = method->settings().table;
    const bool has = std::any_of(table.begin(), table.end(),
                                 [](const Setting& setting) { return setting.key == std::string("along"); });
    // Springs and skinning have no body: what is rigid there goes with its bone, and only paint tells what gives way.
    const std::string name = method->name();
    EXPECT_EQ(has, !fields.empty() && name != "springs" && name != "volume") << name;
    for (const FieldInUse& use : fields) EXPECT_TRUE(acts_in_scenes(painted_fields[use.field])) << method->name();
  }
}

TEST(LimbFields, AConstantIsPaintForFlesh) {
  for (const char* name : {"stiffness", "damping", "density", "poisson"}) {
    FleshSettings settings = test::quick_settings();
    settings.tetrahedra = 300;
    const FleshBase painted = prepare_flesh_base(tube_painted(find_field(name), 0.375), settings);
    settings.along = constant_along_tube(name, 0.375);
    const FleshBase given = prepare_flesh_base(test::tube_character(), settings);
    EXPECT_EQ(given.assembled.mass, painted.assembled.mass) << name;
    EXPECT_TRUE(given.assembled.stiffness.block == painted.assembled.stiffness.block) << name;
    EXPECT_EQ(given.assembled.description.damping, painted.assembled.description.damping) << name;
    EXPECT_EQ(given.sag.whole, painted.sag.whole) << name;
  }
}

TEST(LimbFields, FleshGetsStifferAlongTheLimb) {
  FleshSettings settings = test::quick_settings();
  settings.along = along_tube("stiffness", 0.5, 4.5);
  const FleshBase base = prepare_flesh_base(test::tube_character(), settings);
  const FleshDescription& description = base.assembled.description;
  const double tip = tip_of_tube();
  for (std::size_t t = 0; t < description.young.size(); ++t) {
    double y = 0;
    for (const int v : description.mesh.tetrahedra[t])
      y += 0.25 * description.mesh.positions[static_cast<std::size_t>(v)].y;
    if (y > 0.1 && y < 0.8) {
      EXPECT_NEAR(description.young[t] / description.material.young, 0.5 + 4 * y / tip, 0.25) << y;
    }
  }
}

TEST(LimbFields, ALiveChangeHasTheBitsOfACookFromNothing) {
  FleshSettings settings = test::quick_settings();
  settings.tetrahedra = 300;
  const Character character = test::tube_character();
  FleshCook live;
  const auto input = [&] { return CookInput{character, {0}, false, {1, 1}}; };
  const Scene plain = live.prepare(settings, input());
  settings.along = along_tube("stiffness", 0.5, 2);
  const Scene changed = live.prepare(settings, input());
  const Scene anew = FleshCook().prepare(settings, input());
  EXPECT_EQ(changed.fingerprint, anew.fingerprint);
  EXPECT_NE(changed.fingerprint, plain.fingerprint);
  settings.along.clear();
  EXPECT_EQ(live.prepare(settings, input()).fingerprint, plain.fingerprint);
}

TEST(LimbFields, TheSameBitsForAnyNumberOfThreads) {
  FleshSettings settings = test::quick_settings();
  settings.tetrahedra = 300;
  settings.along = along_tube("stiffness", 0.3, 3);
  std::uint64_t one = 0;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    const std::uint64_t print = FleshCook().prepare(settings, {test::tube_character()}).fingerprint;
    if (threads == 1) one = print;
    EXPECT_EQ(print, one) << threads;
  }
  set_thread_count(0);
}

TEST(LimbFields, AConstantIsPaintForMixed) {
  MixedSettings settings;
  settings.tetrahedra = 300;
  const CookedMixed painted = prepare_mixed(tube_painted(field("stiffness"), 3), settings);
  settings.along = constant_along_tube("stiffness", 3);
  const CookedMixed given = prepare_mixed(test::tube_character(), settings);
  EXPECT_EQ(given.stiffness_multiplier, painted.stiffness_multiplier);
}

TEST(LimbFields, AConstantIsPaintForRigSpace) {
  RigSpaceSettings settings;
  settings.free = {"upper*"};
  settings.tetrahedra = 300;
  const OpenRigSpace painted = open_rig_space(settings, tube_painted(field("stiffness"), 3), {});
  settings.along = constant_along_tube("stiffness", 3);
  const OpenRigSpace given = open_rig_space(settings, test::tube_character(), {});
  EXPECT_EQ(given.cooked->body->material.shear, painted.cooked->body->material.shear);
  settings.along.clear();
  const OpenRigSpace plain = open_rig_space(settings, test::tube_character(), {});
  for (std::size_t t = 0; t < plain.cooked->body->material.shear.size(); ++t)
    EXPECT_NEAR(given.cooked->body->material.shear[t] / plain.cooked->body->material.shear[t], 3, 1e-9);
}

SurfaceModel even_model(const Character& character) {
  const SimulationSurface surface = simulation_surface(character);
  SurfaceModelOptions options;
  options.height = standing_height(surface.rest);
  SurfaceModel model = build_surface_model(character, surface, options);
  for (VertexParameters& p : model.parameters)
    p = {.alpha = 0.08, .beta = 0.3, .gamma = 0.05, .lambda = 0.1, .delta = 0.15};
  return model;
}

TEST(ModelFactors, MultiplyTheirParameterWithinItsRange) {
  const Character character = test::tube_character();
  SurfaceModel model = even_model(character);
  const std::vector<std::byte> file = cook_runtime_file(model);
  const CookedSurface cooked = prepare_surface(character, file, "model", along_tube("alpha_factor", 0.5, 2.5));
  EXPECT_TRUE(has_factors(cooked.surface.fields));
  multiply_parameters(cooked.surface.fields, model);
  const double tip = tip_of_tube();
  for (std::size_t v = 0; v < model.rest.size(); ++v) {
    EXPECT_NEAR(model.parameters[v].alpha, 0.08 * (0.5 + 2 * std::min(1.0, model.rest[v].y / tip)), 1e-12);
    EXPECT_EQ(model.parameters[v].beta, 0.3);
    EXPECT_EQ(model.parameters[v].delta, 0.15);
  }
  SurfaceModel stiff = even_model(character);
  Fields fields;
  fields[field("lambda_factor")].assign(stiff.rest.size(), 50.0);
  multiply_parameters(fields, stiff);
  for (const VertexParameters& p : stiff.parameters) EXPECT_EQ(p.lambda, 0.5);
}

// A stroke is felt while the model moves: its body goes on where it was.
TEST(ModelFactors, ARunningBodyGoesOnWithOtherParameters) {
  const Character character = test::tube_character();
  SurfaceModel model = even_model(character);
  const auto first = std::make_shared<const OpenSurfaceModel>(cook_runtime_file(model), "model");
  for (VertexParameters& p : model.parameters) p.alpha *= 0.5;
  const auto second = std::make_shared<const OpenSurfaceModel>(cook_runtime_file(model), "model");
  std::vector<Affine> bones(model.bones.size());
  SurfaceBody a(first), b(second);
  a.reset(bones, bones);
  b.reset(bones, bones);
  for (int k = 0; k < 5; ++k) {
    for (Affine& bone : bones) bone.translation.x += 0.01;
    a.step(bones);
  }
  std::vector<Vec3> of_a, of_b;
  const std::vector<double> state = a.save();
  EXPECT_THROW(b.load(state), Error);
  b.take_over(state);
  a.positions(of_a);
  b.positions(of_b);
  EXPECT_EQ(of_a, of_b);
  a.step(bones);
  b.step(bones);
  a.positions(of_a);
  b.positions(of_b);
  EXPECT_NE(of_a, of_b);
  for (std::size_t damaged = 0; damaged < state.size(); damaged += state.size() / 50) {
    std::vector<double> wrong = state;
    wrong[damaged] = wrong[damaged] == 7 ? 8 : 7;
    if (damaged == 2 || damaged == 3) continue;  // the checksum of the model
    EXPECT_THROW(b.take_over(wrong), Error) << damaged;
  }
  EXPECT_THROW(b.take_over({}), Error);
}

TEST(ModelFactors, WithoutPaintThereAreNone) {
  const Character character = test::tube_character();
  const CookedSurface cooked = prepare_surface(character, cook_runtime_file(even_model(character)), "model");
  EXPECT_FALSE(has_factors(cooked.surface.fields));
}

}  // namespace
}  // namespace sinew
