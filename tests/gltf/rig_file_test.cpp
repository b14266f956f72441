#include "sinew/files/rig_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/rig/outside/pipe_rig.h"
#include "tests/base/refusal.h"
#include "tests/base/scratch.h"
#include "tests/rig/layered_character.h"
#include "tests/rig/rig_checks.h"

namespace sinew {
namespace {

using namespace test;

struct Made {
  Character character = rig_character();
  SimulationSurface surface;

  Made() {
    std::vector<Vec3> right, left;
    for (const double share : {0.25, 0.4, 0.55, 0.7}) {
      right.push_back(on_tube(character, share, 1));
      left.push_back(on_tube(character, share, -1));
    }
    add_control_nodes(character, spine_joint, "right", right);
    add_control_nodes(character, spine_joint, "left", left);
    surface = simulation_surface(character);
  }
};

// Wires of one kind and of the other, and lattices of both: all do what they say.
constexpr const char* stack = R"({"layers": [
  {"wire": {"controls": ["right0", "right1", "right2"], "radius": 0.4}},
  {"wires": {"blend": 2, "curves": [{"controls": ["left0", "left1"], "radius": 0.5},
                                    {"controls": ["left2", "left3"], "radius": 0.6}]}},
  {"lattice": {"box": [[-1, -1, -2], [3, 5, 1]], "degrees": [1, 2, 3],
               "controls": [{"node": "right3", "index": [1, 1, 2]}]}},
  {"lattice": {"origin": [-1, -1, -2], "axes": [[4, 0, 0], [0, 6, 0], [0, 0, 3]], "controls": ["left3", "belly"]}}
]})";

TEST(RigFile, ReadsAStack) {
  const RigFile file = rig_file_from_json(stack, "folder/rig.json");
  ASSERT_EQ(file.layers.size(), 4u);
  const auto& wire = std::get<RigFileWires>(file.layers[0]);
  ASSERT_EQ(wire.wires.size(), 1u);
  EXPECT_EQ(wire.wires[0].controls, (std::vector<std::string>{"right0", "right1", "right2"}));
  EXPECT_EQ(wire.wires[0].radius, 0.4);
  const auto& wires = std::get<RigFileWires>(file.layers[1]);
  EXPECT_EQ(wires.blend, 2);
  EXPECT_EQ(wires.wires[1].radius, 0.6);
  const auto& lattice = std::get<RigFileLattice>(file.layers[2]);
  EXPECT_EQ(lattice.box.degrees, (std::array<int, 3>{1, 2, 3}));
  EXPECT_EQ(lattice.box.axes[1], (Vec3{0, 6, 0}));
  EXPECT_EQ(lattice.controls[0].point, (LatticeIndex{1, 1, 2}));
  EXPECT_FALSE(std::get<RigFileLattice>(file.layers[3]).controls[0].point);

  const Made made;
  CharacterRig rig(made.character, made.surface), plain(made.character, made.surface);
  add_layers(file, rig);
  std::vector<double> p = rest_parameters(rig);
  EXPECT_EQ(evaluated(rig, p), evaluated(plain, p));
  for (const char* name : {"right1", "left0", "left3", "right3"}) {
    std::vector<double> moved = p;
    for (std::size_t i = 0; i < p.size(); ++i)
      if (rig.parameters()[i].name == std::string(name) + ".translation.x") moved[i] = 0.1;
    EXPECT_GT(largest_distance(evaluated(rig, moved), evaluated(plain, moved)), 0.001) << name;
  }
  expect_exact_jacobian(rig, random_parameters(rig, 1, 0.4), 1e-7);
}

TEST(RigFile, ALatticeTakesNodesToTheirNearestPoints) {
  const Made made;
  CharacterRig by_index(made.character, made.surface), by_place(made.character, made.surface);
  const Vec3 at = sample(made.character.skeleton, nullptr, 0).world[static_cast<std::size_t>(rig_joints)].translation *
                  made.character.metres_per_unit;  // of right0
  const auto numbers = [](const Vec3& v) { return nlohmann::json{v.x, v.y, v.z}.dump(); };
  const Vec3 size{0.6, 0.6, 0.6};
  // The node is a little off the point 2, 1, 0 of a grid of spacing 0.2.
  const Vec3 origin = at - Vec3{0.43, 0.16, 0.03};
  const std::string box = "{\"layers\": [{\"lattice\": {\"degrees\": [3, 3, 3], \"box\": [" + numbers(origin) + ", " +
                          numbers(origin + size) + "], \"controls\": [";
  add_layers(rig_file_from_json(box + "\"right0\"]}}]}", "a.json"), by_place);
  add_layers(rig_file_from_json(box + "{\"node\": \"right0\", \"index\": [2, 1, 0]}]}}]}", "b.json"), by_index);
  const std::vector<double> p = random_parameters(by_index, 5);
  EXPECT_EQ(evaluated(by_index, p), evaluated(by_place, p));
}

TEST(RigFile, ReadsACommand) {
  const RigFile file = rig_file_from_json(R"({"command": ["python3", "rig.py"], "timeout": 2.5})", "folder/rig.json");
  EXPECT_EQ(file.command, (std::vector<std::string>{"python3", "rig.py"}));
  EXPECT_EQ(file.folder, "folder");
  EXPECT_EQ(file.timeout, 2.5);
  EXPECT_TRUE(file.layers.empty());
}

// From the file to the program: it runs in the file's folder, and is asked about the character's vertices.
TEST(RigFile, MakesRigs) {
  const Made made;
  const std::shared_ptr<Rig> own = make_rig(nullptr, made.character, made.surface).rig;
  EXPECT_EQ(own->vertices(), made.surface.rest.positions.size());
  const RigFile layered = rig_file_from_json(stack, "rig.json");
  const std::vector<int> vertices{3, 9, 100};
  const std::shared_ptr<Rig> some = make_rig(&layered, made.character, made.surface, std::vector<int>(vertices)).rig;
  EXPECT_EQ(some->vertices(), 3u);

  const std::filesystem::path folder = scratch_path("folder");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "rig.sh") << R"(read hello
case "$hello" in
  *'"vertices":[[0,0,3],[0,0,9]]'*) ;;
  *) echo '{"error": "asked for something else"}'; exit ;;
esac
echo '{"protocol": "sinew-rig", "version": 1, "vertices": 2, "parameters": [{"name": "a"}]}'
read request
echo '{"id": 1, "surfaces": [[1, 2, 3, 4, 5, 6]]}'
)";
  std::ofstream(folder / "rig.json") << R"({"command": ["sh", "rig.sh"]})";
  const RigFile outside = read_rig_file(folder / "rig.json");
  const std::shared_ptr<Rig> program = make_rig(&outside, made.character, made.surface, std::vector<int>{3, 9}).rig;
  EXPECT_EQ(evaluated(*program, {0.0}), (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
}

TEST(RigFile, EveryMistakeHasASentence) {
  const auto refused = [](const std::string& text) {
    return refusal(ErrorKind::input, [&] { rig_file_from_json(text, "rig.json"); });
  };
  const auto expect = [&](const std::string& text, const std::string& part) {
    const std::string sentence = refused(text);
    EXPECT_EQ(sentence.find("rig.json"), 0u) << sentence;
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  };
  const auto layer = [](const std::string& text) { return "{\"layers\": [" + text + "]}"; };
  expect("{", "is not JSON");
  expect("[]", "must be an object");
  expect("{}", "'layers' is missing");
  expect("{\"layer\": []}", "'layer' is not known here; there are layers, command, timeout, $schema");
  expect("{\"layers\": {}}", "'layers' must be a list");
  expect("{\"layers\": [], \"timeout\": 1}", "'timeout' is for a \"command\"");
  expect("{\"layers\": [], \"command\": [\"a\"]}", "give one of them");
  expect("{\"command\": \"a\"}", "'command' must be a list");
  expect("{\"command\": []}", "'command' must begin with the name of a program");
  expect("{\"command\": [1]}", "'command' must be a list");
  expect("{\"command\": [\"a\"], \"timeout\": 0}", "'timeout' must be a positive number");
  expect("{\"command\": [\"a\"], \"timeout\": \"1\"}", "'timeout' must be a number");
  expect(layer("3"), "layers[0]: must be an object");
  expect(layer("{}"), "layers[0]: must have one key");
  expect(layer("{\"bend\": {}}"), "layers[0]: 'bend' is not known here");
  expect(layer("{\"wire\": {\"controls\": [\"a\", \"b\"]}}"), "layers[0].wire: 'radius' is missing");
  expect(layer("{\"wire\": {\"radius\": 1}}"), "layers[0].wire: 'controls' is missing");
  expect(layer("{\"wire\": {\"radius\": \"1\", \"controls\": [\"a\", \"b\"]}}"), "'radius' must be a number");
  expect(layer("{\"wire\": {\"radius\": 1, \"controls\": [\"a\", 1]}}"), "'controls' must be a list of names");
  expect(layer("{\"wires\": {}}"), "layers[0].wires: 'curves' is missing");
  expect(layer("{\"wires\": {\"curves\": []}}"), "'curves' must be a list of wires");
  expect(layer("{\"wires\": {\"curves\": [{\"raduis\": 1}]}}"),
         "layers[0].wires.curves[0]: 'raduis' is not known here");
  const auto lattice = [&](const std::string& text) { return layer("{\"lattice\": {" + text + "}}"); };
  expect(lattice("\"controls\": []"), "'origin' is missing");
  expect(lattice("\"origin\": [0, 0, 0]"), "'axes' is missing");
  expect(lattice("\"origin\": [0, 0], \"axes\": []"), "'origin' must be three numbers");
  expect(lattice("\"origin\": [0, 0, 0], \"axes\": [[1, 0, 0], [0, 1, 0], 1]"), "'axes' must be three edges");
  expect(lattice("\"box\": [[0, 0, 0]]"), "'box' must be two corners");
  expect(lattice("\"box\": [[0, 0, 0], [1, 1, 1]], \"axes\": []"), "give one");
  expect(lattice("\"box\": [[0, 0, 0], [1, 1, 1]]"), "'controls' is missing");
  expect(lattice("\"box\": [[0, 0, 0], [1, 1, 1]], \"degrees\": [1, 2.5, 1]"), "'degrees' must be three whole numbers");
  expect(lattice("\"box\": [[0, 0, 0], [1, 1, 1]], \"controls\": [{\"node\": \"a\"}]"),
         "layers[0].lattice.controls[0]: 'index' is missing");
  expect(lattice("\"box\": [[0, 0, 0], [1, 1, 1]], \"controls\": [{\"index\": [0, 0, 0]}]"), "'node' is missing");

  const auto misplaced = [](const std::string& text, Character character) {
    const RigFile file = rig_file_from_json(text, "rig.json");
    const SimulationSurface surface = simulation_surface(character);
    return refusal(ErrorKind::input, [&] { make_rig(&file, character, surface); });
  };
  const Made made;
  EXPECT_NE(misplaced(layer("{\"wire\": {\"radius\": 1, \"controls\": [\"right0\", \"nobody\"]}}"), made.character)
                .find("rig.json: layers[0]: the character has no node named 'nobody'"),
            std::string::npos);
  Character twins = made.character;
  twins.skeleton.joints.back().name = "right0";
  EXPECT_NE(misplaced(layer("{\"wire\": {\"radius\": 1, \"controls\": [\"right0\", \"right1\"]}}"), twins)
                .find("two nodes named 'right0'"),
            std::string::npos);
  EXPECT_NE(misplaced(layer("{\"wire\": {\"radius\": -1, \"controls\": [\"right0\", \"right1\"]}}"), made.character)
                .find("rig.json: layers[0]: the radius"),
            std::string::npos);
  EXPECT_NE(
      misplaced(lattice("\"box\": [[0, 0, 0], [0, 1, 1]], \"controls\": [\"right0\"]"), made.character).find("flat"),
      std::string::npos);
  EXPECT_NE(refusal(ErrorKind::input, [] { read_rig_file("no_such_rig.json"); }).find("no_such_rig.json"),
            std::string::npos);
}

// What docs/rigs.md shows as a file is one.
TEST(RigFile, TheManualShowsRigFiles) {
  const std::string page = read_text_file(std::filesystem::path(SINEW_SOURCE_DIR) / "docs/rigs.md");
  int examples = 0;
  for (std::size_t at = 0; (at = page.find("```json\n", at)) != std::string::npos; ++examples) {
    at += 8;
    const RigFile file = rig_file_from_json(page.substr(at, page.find("```", at) - at), "docs/rigs.md");
    EXPECT_NE(file.layers.empty(), file.command.empty());
  }
  EXPECT_EQ(examples, 2);
}

// Every object of the schema has the keys that the program knows: asked for one that it does not, it lists them.
TEST(RigFile, TheSchemaSaysTheSame) {
  const auto schema =
      nlohmann::json::parse(read_text_file(std::filesystem::path(SINEW_SOURCE_DIR) / "docs/rig.schema.json"));
  const auto known = [](const std::string& text) {
    const std::string sentence = refusal(ErrorKind::input, [&] { rig_file_from_json(text, "rig.json"); });
    const std::string before = "'?' is not known here; there are ";
    const std::size_t begin = sentence.find(before);
    EXPECT_NE(begin, std::string::npos) << sentence;
    std::set<std::string> keys;
    std::istringstream list(sentence.substr(begin + before.size(), sentence.size() - begin - before.size() - 1));
    for (std::string key; list >> key;) {
      if (key.back() == ',') key.pop_back();
      keys.insert(key);
    }
    return keys;
  };
  const auto named = [](const nlohmann::json& object) {
    std::set<std::string> keys;
    for (const auto& [key, value] : object["properties"].items()) keys.insert(key);
    return keys;
  };
  const nlohmann::json& defs = schema["$defs"];
  EXPECT_EQ(known("{\"?\": 1}"), named(schema));
  EXPECT_EQ(known("{\"layers\": [{\"?\": 1}]}"), named(defs["layer"]));
  EXPECT_EQ(known("{\"layers\": [{\"wire\": {\"?\": 1}}]}"), named(defs["wire"]));
  EXPECT_EQ(known("{\"layers\": [{\"wires\": {\"?\": 1}}]}"), named(defs["wires"]));
  EXPECT_EQ(known("{\"layers\": [{\"lattice\": {\"?\": 1}}]}"), named(defs["lattice"]));
  EXPECT_EQ(known("{\"layers\": [{\"lattice\": {\"box\": [[0, 0, 0], [1, 1, 1]], \"controls\": [{\"?\": 1}]}}]}"),
            named(defs["lattice"]["properties"]["controls"]["items"]["anyOf"][1]));
}

}  // namespace
}  // namespace sinew
