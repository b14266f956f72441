// Muscles from their file, or from the skeleton, to the flesh that they move.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "sinew/base/file.h"
#include "sinew/character/skeleton.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/flesh/muscles_of_flesh.h"
#include "sinew/cook/muscles/auto_muscles.h"
#include "sinew/cook/muscles/muscle_activation.h"
#include "sinew/cook/muscles/muscle_attachments.h"
#include "sinew/cook/muscles/muscles_in_body.h"
#include "sinew/cook/muscles/spindle.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/mesh/quality.h"
#include "sinew/session/session.h"
#include "tests/base/refusal.h"
#include "tests/character/influences.h"
#include "tests/character/two_bones.h"
#include "tests/elastic/blocks.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using test::refusal;

const std::string ends_of_arm = R"("origin": {"joint": "lower", "place": [0, 0.1, 0.02]},
                                   "insertion": {"joint": "upper", "place": [0, 0.9, 0.02]})";

std::string muscle_text(const std::string& more, const std::string& name = "flexor") {
  return R"({"version": 1, "muscles": [{"name": ")" + name + "\", " + ends_of_arm + more + "}]}";
}

MuscleFile flexor(const std::string& more = R"(, "radius": 0.05)") {
  return muscles_from_json(muscle_text(more), "arm.json");
}

// A tube that stands on two joints, 1 m high, whose upper half bends.
Character arm() {
  Character character = test::two_bone_tube(16, 12, 1, 0.1, [](double height) { return height > 0.5 ? 1.0 : 0.0; });
  character.file = "arm.glb";
  character.metres_per_unit = 1;
  return character;
}

TEST(Muscles, FilesAreReadAsTheyAreWritten) {
  const MuscleFile file = flexor(R"(, "radius": 0.05, "path": [[0, 0.5, 0.05]], "stress": 3e5, "optimal_length": 0.9,
                                    "stiffness": 2, "activation": {"control": "upper:x", "from": 20, "to": 90})");
  const Muscle& muscle = file.muscles[0];
  EXPECT_EQ(muscle.origin, (MuscleEnd{"lower", {0, 0.1, 0.02}}));
  EXPECT_EQ(muscle.path, (std::vector<Vec3>{{0, 0.5, 0.05}}));
  EXPECT_EQ(muscle.stress, 3e5);
  EXPECT_EQ(muscle.activation, (MuscleActivation{ActivationSource::control, 0, "upper:x", 20, 90}));
  EXPECT_EQ(muscles_json(muscles_from_json(muscles_json(file), "again")), muscles_json(file));
  const MuscleFile box = flexor(R"(, "mesh": {"positions": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                                    "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}, "activation": 0.5)");
  EXPECT_EQ(box.muscles[0].activation.value, 0.5);
  EXPECT_EQ(muscles_json(muscles_from_json(muscles_json(box), "again")), muscles_json(box));
}

// A tetrahedron without a side, and one turned inside out.
TEST(Muscles, MeshesAreClosedAndFaceOutwards) {
  for (const char* triangles : {"[0, 2, 1], [0, 1, 3], [0, 3, 2]", "[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]"}) {
    const std::string mesh = std::string(R"(, "mesh": {"positions": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                                           "triangles": [)") +
                             triangles + "]}";
    EXPECT_NE(refusal(ErrorKind::input, [&] { flexor(mesh); }).find("closed surface"), std::string::npos) << triangles;
  }
}

TEST(Muscles, RefusalsNameFileMuscleAndKey) {
  for (const auto& [more, said] : {std::pair<std::string, std::string>{"", "radius"},
                                   {R"(, "radius": 0)", "must be positive"},
                                   {R"(, "radius": 0.1, "mesh": {})", "mesh"},
                                   {R"(, "radius": 0.1, "stress": -1)", "stress"},
                                   {R"(, "radius": 0.1, "width": 2)", "width"},
                                   {R"(, "radius": 0.1, "activation": 2)", "from 0 to 1"},
                                   {R"(, "radius": 0.1, "activation": {"from": 3, "to": 3})", "must differ"},
                                   {R"(, "radius": 0.1, "activation": {"controls": "a"})", "controls"},
                                   {R"(, "radius": 0.1, "path": [[0, 1]])", "place"},
                                   {R"(, "mesh": {"positions": [[0, 0, 0]], "triangles": [[0, 1, 2]]})", "counted"}}) {
    const std::string sentence = refusal(ErrorKind::input, [&, &of = more] { flexor(of); });
    EXPECT_NE(sentence.find("arm.json"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(said), std::string::npos) << sentence;
  }
  EXPECT_NE(refusal(ErrorKind::input, [] { muscles_from_json(R"({"version": 2})", "arm.json"); }).find("version"),
            std::string::npos);
  EXPECT_NE(refusal(ErrorKind::input,
                    [] { activation_from_json(R"({"version": 1, "muscles": [{"name": "a"}]})", "flex.json"); })
                .find("activation"),
            std::string::npos);
}

TEST(Muscles, TheSchemaHasTheKeysThatFilesHave) {
  const auto schema = nlohmann::json::parse(read_text_file(SINEW_SOURCE_DIR "/docs/muscles.schema.json"));
  std::set<std::string> in_schema, in_file;
  for (const auto& [key, value] : schema["$defs"]["muscle"]["properties"].items()) in_schema.insert(key);
  MuscleFile file = flexor(R"(, "radius": 0.05, "path": [[0, 0.5, 0.05]], "stress": 1, "optimal_length": 2,
                              "stiffness": 2)");
  const auto written = nlohmann::json::parse(muscles_json(file));
  for (const auto& [key, value] : written["muscles"][0].items()) in_file.insert(key);
  in_file.insert("mesh");
  EXPECT_EQ(in_schema, in_file);
}

TEST(Muscles, SpindlesAreThickestInTheMiddleAndFollowTheirCurve) {
  const std::vector<Vec3> places{{0, 0, 0}, {0.5, 0.2, 0}, {1, 0, 0}};
  const Spindle spindle(places, 0.1);
  EXPECT_NEAR(spindle.radius(0.5), 0.1, 1e-12);
  EXPECT_NEAR(spindle.radius(0), 0, 1e-12);
  EXPECT_TRUE(spindle.locate({0.5, 0.29, 0}).inside);
  EXPECT_FALSE(spindle.locate({0.5, 0.31, 0}).inside);
  EXPECT_FALSE(spindle.locate({-0.01, 0, 0}).inside);
  const InSpindle middle = spindle.locate({0.5, 0.2, 0});
  EXPECT_NEAR(middle.along, 0.5, 0.02);
  EXPECT_NEAR(middle.direction.x, 1, 0.02);
  EXPECT_GT(spindle.locate({0.1, 0.05, 0}).direction.y, 0.3);
}

TetrahedralMesh muscle_block() {
  TetrahedralMesh mesh = test::block({6, 20, 6}, {0.3, 1, 0.3}).mesh;
  for (Vec3& x : mesh.positions) x -= Vec3{0.15, 0, 0.15};
  return mesh;
}

double volume_in(const MusclesInBody& muscles, const TetrahedralMesh& mesh) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const std::array<Vec3, 4> x = corners_of(mesh, t);
    sum += muscles.share[t] * volume(x[0], x[1], x[2], x[3]);
  }
  return sum;
}

TEST(Muscles, ElementsHaveTheMusclesVolumeAndDirection) {
  const SimulationSurface surface = simulation_surface(arm());
  const TetrahedralMesh mesh = muscle_block();
  const std::vector<char> core(mesh.positions.size(), 0);
  const MusclesInBody muscles = muscles_in_body(flexor(R"(, "radius": 0.1)"), surface, {.mesh = mesh, .core = core});
  const double exact = std::numbers::pi * 0.1 * 0.1 * 0.8 / 2;  // of a spindle whose radius is a sine
  EXPECT_NEAR(volume_in(muscles, mesh), exact, 0.05 * exact);
  for (const MuscleFibre& fibre : muscles.fibres.fibres) {
    EXPECT_NEAR(fibre.direction.y, 1, 1e-12);
    EXPECT_GT(fibre.share, 0);
    EXPECT_LE(fibre.share, 1);
  }
  // A closed box of 0.1 x 0.6 x 0.1 m, as a surface.
  Muscle box = flexor().muscles[0];
  box.radius = 0;
  box.mesh = test::box({-0.05, 0.2, -0.05}, {0.05, 0.8, 0.05});
  EXPECT_NEAR(volume_in(muscles_in_body({"box.json", {box}}, surface, {.mesh = mesh, .core = core}), mesh), 0.006,
              0.0006);
}

// All springs of a tendon together yield to the largest force of its muscle by 3.3 % of the tendon's length.
TEST(Muscles, TendonsYieldByTheirStrainToTheLargestForce) {
  const SimulationSurface surface = simulation_surface(arm());
  const TetrahedralMesh mesh = muscle_block();
  const std::vector<char> core(mesh.positions.size(), 0);
  const MusclesInBody muscles = muscles_in_body(flexor(R"(, "radius": 0.1)"), surface, {.mesh = mesh, .core = core});
  MuscleFibres fibres = muscles.fibres;
  fibres.muscles[0].stress = 2e5;
  std::vector<double> springs(mesh.tetrahedra.size());
  hold_tendons(muscles, fibres, springs);
  double of_origin = 0, of_insertion = 0;
  for (std::size_t t = 0; t < springs.size(); ++t) {
    const std::array<Vec3, 4> corner = corners_of(mesh, t);
    (corner[0].y < 0.5 ? of_origin : of_insertion) += springs[t] * volume(corner[0], corner[1], corner[2], corner[3]);
  }
  const double force = 2e5 * std::numbers::pi * 0.1 * 0.1, yields = 0.033 * 0.1 * 0.8;
  EXPECT_NEAR(force / of_origin, yields, 0.01 * yields);
  EXPECT_NEAR(force / of_insertion, yields, 0.01 * yields);
}

// A chain of four bones, and one beside the second.
TEST(Muscles, BonesOfAnEndStayWithItHoweverTheJointsBetweenTurn) {
  std::vector<Bone> bones(5);
  for (int b = 0; b < 4; ++b) bones[static_cast<std::size_t>(b)].parent = b - 1;
  bones[4].parent = 1;
  EXPECT_EQ(bones_of_end(bones, 1, 2), (std::vector<char>{1, 1, 0, 0, 1}));
  EXPECT_EQ(bones_of_end(bones, 2, 1), (std::vector<char>{0, 0, 1, 1, 0}));
  EXPECT_EQ(bones_of_end(bones, 0, 3), (std::vector<char>{1, 0, 0, 0, 0}));
  EXPECT_EQ(bones_of_end(bones, 4, 2), (std::vector<char>{0, 0, 0, 0, 1}));
  EXPECT_EQ(bones_of_end(bones, 2, 2), (std::vector<char>(5, 0)));
}

// A bar of 0.1 x 0.6 x 0.1 m, of which the last layer of tetrahedra follows the upper bone, and half of the one before.
// In a layer the whole section pulls.
TEST(Muscles, FleshThatFollowsTheBoneOfAnEndTakesItsPull) {
  const SimulationSurface surface = simulation_surface(arm());
  const TetrahedralMesh mesh = muscle_block();
  const std::vector<char> core(mesh.positions.size(), 0);
  Muscle bar = flexor().muscles[0];
  bar.radius = 0;
  bar.mesh = test::box({-0.05, 0.2, -0.05}, {0.05, 0.8, 0.05});
  const auto springs = [&](double from) {
    std::vector<Influences> influences;
    for (const Vec3& x : mesh.positions) influences.push_back(test::between(0, 1, x.y > from - 1e-9 ? 1 : 0));
    const BodyOfMuscles body{.mesh = mesh, .core = core, .influences = influences};
    const MusclesInBody muscles = muscles_in_body({"bar.json", {bar}}, surface, body);
    MuscleFibres fibres = muscles.fibres;
    fibres.muscles[0].stress = 2e5;
    std::vector<double> density(mesh.tetrahedra.size());
    hold_tendons(muscles, fibres, density);
    std::array<double, 3> sum{};  // below the part that follows, where it begins, and in it
    for (std::size_t t = 0; t < density.size(); ++t) {
      const std::array<Vec3, 4> x = corners_of(mesh, t);
      const double middle = 0.25 * (x[0].y + x[1].y + x[2].y + x[3].y);
      sum[middle > from ? 2 : middle > from - 0.05 ? 1 : 0] += density[t] * volume(x[0], x[1], x[2], x[3]);
    }
    return sum;
  };
  const double follows = 1.5 * 0.05 / 0.6, of_layer = 2e5 * 0.1 * 0.1 / (0.033 * 0.1 * 0.8);
  const std::array<double, 3> sum = springs(0.75);
  EXPECT_EQ(sum[0], 0);
  EXPECT_GT(sum[1], 0);
  EXPECT_NEAR(sum[2], (1 - 2 * follows) * of_layer, 1e-6 * sum[2]);
  // Where most of it follows the upper bone, it lies along that one and is attached to the lower one.
  const std::array<double, 3> most = springs(0.3);
  EXPECT_EQ(most[2], 0);
  EXPECT_GT(most[0], 0);
}

TEST(Muscles, ActivationsOfThoseThatAreLeftOutAreSaid) {
  MuscleFile muscles = flexor();
  muscles.left_out = {"neck.L", "neck.R"};
  const auto notes = [&](const std::string& name) {
    return notes_of_left_out(
        muscles, activation_from_json(R"({"version": 1, "muscles": [{"name": ")" + name + R"(", "activation": 1}]})",
                                      "flex.json"));
  };
  EXPECT_EQ(notes("neck.*"), std::vector<std::string>{"flex.json: 'neck.*' flexes nothing: this muscle is left out, as "
                                                      "it would lie in no flesh."});
  EXPECT_TRUE(notes("*").empty()) << "the flexor flexes";
  EXPECT_TRUE(notes("flexor").empty());
}

TEST(Muscles, ThoseThatPassThroughNothingAreSentences) {
  const SimulationSurface surface = simulation_surface(arm());
  const TetrahedralMesh mesh = muscle_block();
  const std::vector<char> free(mesh.positions.size(), 0), rigid(mesh.positions.size(), 1);
  const auto said = [&](const Muscle& muscle, const std::vector<char>& core) {
    return refusal(ErrorKind::input, [&] {
      muscles_in_body({"arm.json", {muscle}}, surface, {.mesh = mesh, .core = core});
    });
  };
  Muscle muscle = flexor().muscles[0];
  EXPECT_NE(said(muscle, rigid).find("arm.json: muscle 'flexor' passes through no flesh"), std::string::npos);
  Muscle away = muscle;
  away.origin.place.z = away.insertion.place.z = 5;
  EXPECT_NE(said(away, free).find("passes through no flesh"), std::string::npos);
  EXPECT_EQ(muscles_in_body({"", {away, muscle}}, surface, {.mesh = mesh, .core = free}, MissingFlesh::leave_out)
                .file.muscles.size(),
            1u);
  Muscle point = muscle;
  point.insertion.place = point.origin.place;
  EXPECT_NE(said(point, free).find("are the same"), std::string::npos);
  Muscle elsewhere = muscle;
  elsewhere.insertion.joint = "uper";
  EXPECT_NE(said(elsewhere, free).find("did you mean 'upper'"), std::string::npos);
}

// Activations of muscles on both sides of the tube, bent by `degrees` about x.
std::vector<double> activations(const std::string& given, double degrees) {
  const Character character = arm();
  MuscleFile file = flexor();
  Muscle back = file.muscles[0];
  back.name = "extensor";
  back.origin.place.z = back.insertion.place.z = -0.02;
  file.muscles.push_back(back);
  const SimulationSurface surface = simulation_surface(character);
  const MuscleActivations muscles(file, activation_of_setting(given), character, surface);
  Pose pose = sample(character.skeleton, nullptr, 0);
  const Mat3 turn = to_matrix(axis_angle({1, 0, 0}, degrees * std::numbers::pi / 180));
  pose.world[2].linear = turn * pose.world[2].linear;
  std::vector<double> found;
  muscles.find(pose, 0.5, bone_transforms(character, surface, pose), found);
  return found;
}

TEST(Muscles, FlexWithTheTurnThatTheyMakeAndAntagonistsWithItsOpposite) {
  EXPECT_EQ(activations("", 0), (std::vector<double>{0, 0}));
  EXPECT_NEAR(activations("", 55)[0], 0.5, 1e-9) << "half way from 10 to 100 degrees";
  EXPECT_EQ(activations("", 55)[1], 0);
  EXPECT_EQ(activations("", -55)[0], 0);
  EXPECT_NEAR(activations("", -55)[1], 0.5, 1e-9);
  EXPECT_EQ(activations("", 120), (std::vector<double>{1, 0}));
}

TEST(Muscles, FlexByNumbersControlsAndKeys) {
  const auto given = [](const std::string& activation, const std::string& name = "flexor") {
    return R"({"version": 1, "controls": [{"name": "flex", "keys": [[0, 0], [1, 1]]}], "muscles": [{"name": ")" + name +
           R"(", "activation": )" + activation + "}]}";
  };
  EXPECT_EQ(activations(given("0.3"), 0), (std::vector<double>{0.3, 0}));
  EXPECT_EQ(activations(given("0.3", "*"), 0), (std::vector<double>{0.3, 0.3}));
  EXPECT_NEAR(activations(given(R"({"control": "flex"})"), 0)[0], 0.5, 1e-12) << "at 0.5 s";
  EXPECT_NEAR(activations(given(R"({"control": "upper:x", "from": 40, "to": 20})"), 30)[0], 0.5, 1e-6);
  const auto said = [&](const std::string& text) { return refusal(ErrorKind::input, [&] { activations(text, 0); }); };
  EXPECT_NE(said(given("0.3", "biceps")).find("no muscle is called 'biceps'; there are flexor, extensor"),
            std::string::npos);
  EXPECT_NE(said(given(R"({"control": "knee"})")).find("muscle 'flexor'"), std::string::npos);
}

class MusclesOfSumo : public testing::Test {
 protected:
  MusclesOfSumo() : character_(read_character(SINEW_SOURCE_DIR "/samples/sumo.glb")) { character_.metres_per_unit = 1; }

  Character character_;
};

TEST_F(MusclesOfSumo, AreFoundOnBothSidesAndMirrored) {
  const MuscleFile file = find_muscles(simulation_surface(character_));
  std::map<std::string, Muscle> by_name;
  for (const Muscle& muscle : file.muscles) by_name[muscle.name] = muscle;
  for (const char* name :
       {"biceps", "triceps", "deltoid", "pectoral", "gluteal", "quadriceps", "hamstrings", "calf", "neck"}) {
    ASSERT_TRUE(by_name.contains(std::string(name) + ".L")) << name;
    ASSERT_TRUE(by_name.contains(std::string(name) + ".R")) << name;
    const Muscle &left = by_name[std::string(name) + ".L"], &right = by_name[std::string(name) + ".R"];
    EXPECT_NEAR(left.path[0].x, -right.path[0].x, 0.02) << name;
    EXPECT_NEAR(left.path[0].y, right.path[0].y, 0.02) << name;
    EXPECT_NEAR(left.radius, right.radius, 0.3 * left.radius) << name;
    EXPECT_GT(left.path[0].x, 0) << name;
  }
  EXPECT_GT(by_name["biceps.L"].path[0].z, by_name["triceps.L"].path[0].z);
  EXPECT_GT(by_name["quadriceps.L"].path[0].z, by_name["hamstrings.L"].path[0].z);
}

// Distances of the surface's vertices from the rig, metres.
std::vector<double> ways_after_20_steps(const Character& character, const Scene& scene) {
  Session session(character, scene, {});
  for (int k = 0; k < 20; ++k) session.step();
  std::vector<Vec3> surface(scene.surface->rest.positions.size()), goal(surface.size());
  session.surface(surface);
  session.goal(session.moment_at(session.elapsed()), goal);
  std::vector<double> way;
  for (std::size_t v = 0; v < surface.size(); ++v) way.push_back(distance(surface[v], goal[v]));
  return way;
}

// The farthest that the surface is from the rig after half a second at rest.
TEST_F(MusclesOfSumo, MoveFleshAsTheyAreActivatedAndNotAtAllOtherwise) {
  CookCache cache;
  const auto displaced = [&](const std::string& muscles, const std::string& activation) {
    FleshMethod flesh;
    flesh.values.tetrahedra = 1500;
    flesh.values.muscles = muscles;
    flesh.values.activation = activation;
    const std::vector<double> way =
        ways_after_20_steps(character_, cook(flesh, {character_, {}, false, {1, 1}}, cache));
    return *std::max_element(way.begin(), way.end());
  };
  const double without = displaced("", ""), at_rest = displaced("auto", "");
  EXPECT_LT(at_rest, without + 1e-6) << "muscles that do not flex leave flesh where it is";
  EXPECT_GT(displaced("auto", R"({"version": 1, "muscles": [{"name": "biceps.*", "activation": 1}]})"), 0.01);
}

// Muscles of limbs held at full activation: their bellies flex, and skin beyond the joint stays on its bone.
TEST_F(MusclesOfSumo, FlexWithoutDraggingWhatIsBeyondTheirJoint) {
  CookCache cache;
  for (const auto& [muscle, on, beyond] : {std::array{"biceps.L", "upper_arm_l", "forearm_l"},
                                           {"triceps.L", "upper_arm_l", "forearm_l"},
                                           {"quadriceps.L", "thigh_l", "shin_l"},
                                           {"hamstrings.L", "thigh_l", "shin_l"},
                                           {"calf.L", "shin_l", "foot_l"}}) {
    FleshMethod flesh;
    flesh.values.muscles = "auto";
    flesh.values.activation =
        std::string(R"({"version": 1, "muscles": [{"name": ")") + muscle + R"(", "activation": 1}]})";
    const Scene scene = cook(flesh, {character_, {}, false, {1, 1}}, cache);
    const std::vector<double> way = ways_after_20_steps(character_, scene);
    double moved = 0, dragged = 0;
    for (std::size_t v = 0; v < way.size(); ++v) {
      const Influences& of = scene.surface->influences[v];
      const auto strongest = static_cast<std::size_t>(
          std::max_element(of.weight.begin(), of.weight.begin() + of.count) - of.weight.begin());
      const std::string& bone = scene.bones[static_cast<std::size_t>(of.joint[strongest])].name;
      double& most = bone == beyond ? dragged : moved;
      if (bone == beyond || bone == on) most = std::max(most, way[v]);
    }
    EXPECT_GT(moved, 0.015) << muscle;
    EXPECT_LT(dragged, 0.006) << muscle;
  }
}

TEST_F(MusclesOfSumo, AreRefusedWhereNoFleshObeysThem) {
  const auto said = [&](const auto& change) {
    FleshMethod flesh;
    flesh.values.muscles = "auto";
    change(flesh.values);
    return refusal(ErrorKind::usage, [&] { cook(flesh, {character_}); });
  };
  EXPECT_NE(said([](FleshSettings& s) { s.elasticity = Elasticity::linear; }).find("nonlinear"), std::string::npos);
  EXPECT_NE(said([](FleshSettings& s) { s.lattice.file = "auto"; }).find("lattice"), std::string::npos);
  EXPECT_NE(said([](FleshSettings& s) {
              s.muscles.clear();
              s.activation = "flex.json";
            }).find("activat"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
