// What is painted on a mesh reaches the simulation, and stays where it was painted.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "folder.h"
#include "glb.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/open_character.h"
#include "tests/bake/bake_cooked.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// The tube with one more vertex attribute, of floats that `value` gives for a vertex's rest position.
fs::path painted_tube(const fs::path& folder, const std::string& attribute, const std::string& type,
                      const std::function<std::vector<float>(const Vec3&)>& value) {
  const GltfDocument document = read_gltf_document(fs::path(SINEW_SOURCE_DIR) / "samples/tube.glb");
  const Character character = character_from(document);
  nlohmann::json json = *document.json;
  std::vector<std::byte> binary = document.buffers[0];
  for (const Part& part : character.parts) {
    while (binary.size() % 4 != 0) binary.push_back(std::byte{0});
    const std::size_t offset = binary.size();
    for (const Vec3& position : part.surface.positions)
      for (const float number : value(position)) {
        binary.resize(binary.size() + sizeof(float));
        std::memcpy(binary.data() + binary.size() - sizeof(float), &number, sizeof(float));
      }
    json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", offset}, {"byteLength", binary.size() - offset}});
    json["accessors"].push_back({{"bufferView", json["bufferViews"].size() - 1},
                                 {"componentType", 5126},
                                 {"count", part.surface.positions.size()},
                                 {"type", type}});
    json["meshes"][static_cast<std::size_t>(part.mesh)]["primitives"][static_cast<std::size_t>(part.primitive)]
        ["attributes"][attribute] = json["accessors"].size() - 1;
  }
  const fs::path path = folder / "painted.glb";
  test::write_glb(path, std::move(json), std::move(binary));
  return path;
}

struct PaintedMotion {
  double lower = 0, upper = 0;              // sums of squared displacement of the tube's halves, m^2
  double late = 0;                          // the same of all, over the last tenth of the recording
  double young_lower = 0, young_upper = 0;  // means, pascals
};

double middle_height(const Character& character) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const Vec3& p : character.parts[0].surface.positions) low = std::fmin(low, p.y), high = std::fmax(high, p.y);
  return (low + high) / 2;
}

PaintedMotion shaken(const fs::path& path, FleshSettings settings) {
  settings.tetrahedra = 2000;
  const Character character = open_character(path).character;
  const CookedFlesh scene = prepare_flesh(character, settings);
  BakeOptions options;
  for (std::size_t c = 0; c < character.clips.size(); ++c)
    if (character.clips[c].name == "shake") options.clip = static_cast<int>(c);
  const BakeResult bake = test::bake_flesh(character, scene, settings, options);
  PaintedMotion motion;
  const double middle = middle_height(character);
  const std::size_t frames = bake.recording.times.size();
  const PartRecording& part = bake.recording.parts[0];
  const auto count = static_cast<std::size_t>(part.vertices);
  for (std::size_t f = 0; f < frames; ++f)
    for (std::size_t v = 0; v < count; ++v) {
      const float* d = part.displacement.data() + 3 * (f * count + v);
      const double square = squared_norm(Vec3{d[0], d[1], d[2]});
      (character.parts[0].surface.positions[v].y < middle ? motion.lower : motion.upper) += square;
      if (10 * f >= 9 * frames) motion.late += square;
    }
  const FleshDescription& body = scene.body->description;
  std::size_t lower = 0, upper = 0;
  for (std::size_t t = 0; t < body.young.size(); ++t) {
    double y = 0;
    for (int v : body.mesh.tetrahedra[t]) y += body.mesh.positions[static_cast<std::size_t>(v)].y / 4;
    (y < middle ? motion.young_lower : motion.young_upper) += body.young[t];
    ++(y < middle ? lower : upper);
  }
  motion.young_lower /= static_cast<double>(lower);
  motion.young_upper /= static_cast<double>(upper);
  return motion;
}

class Painted : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::scratch_folder(testing::UnitTest::GetInstance()->current_test_info()->name());
    middle_ = middle_height(read_character(plain_));
  }

  const fs::path plain_ = fs::path(SINEW_SOURCE_DIR) / "samples/tube.glb";
  fs::path folder_;
  double middle_ = 0;
};

TEST_F(Painted, StifferRegionsMoveLessAndTheOthersAsBefore) {
  const PaintedMotion plain = shaken(plain_, {});
  const PaintedMotion painted =
      shaken(painted_tube(folder_, "_SINEW_STIFFNESS", "SCALAR",
                          [&](const Vec3& p) { return std::vector<float>{p.y >= middle_ ? 4.0f : 1.0f}; }),
             {});
  EXPECT_NEAR(plain.young_upper / plain.young_lower, 1, 1e-6);
  // Where the two values meet, what is painted fades over a few cells.
  EXPECT_NEAR(painted.young_upper / plain.young_upper, 4, 0.4);
  EXPECT_NEAR(painted.young_lower / plain.young_lower, 1, 0.2);
  EXPECT_LT(painted.upper, plain.upper / 4);
  EXPECT_GT(painted.lower, plain.lower / 3);
}

TEST_F(Painted, ColorsDoTheSameOnRequest) {
  const fs::path path = painted_tube(folder_, "COLOR_0", "VEC3", [&](const Vec3& p) {
    return std::vector<float>{p.y >= middle_ ? 0.25f : 1.0f, 0.5f, 0.5f};
  });
  FleshSettings settings;
  const PaintedMotion plain = shaken(plain_, settings), ignored = shaken(path, settings);
  EXPECT_EQ(ignored.upper, plain.upper);
  settings.color_stiffness = true;
  const PaintedMotion painted = shaken(path, settings);
  EXPECT_NEAR(painted.young_upper / plain.young_upper, 0.25, 0.05);
  const PaintedMotion attribute =
      shaken(painted_tube(folder_, "_SINEW_STIFFNESS", "SCALAR",
                          [&](const Vec3& p) { return std::vector<float>{p.y >= middle_ ? 0.25f : 1.0f}; }),
             {});
  EXPECT_EQ(painted.upper, attribute.upper);
  EXPECT_EQ(painted.lower, attribute.lower);
  EXPECT_NE(painted.upper, plain.upper);
}

TEST_F(Painted, DampedFleshSettlesSooner) {
  FleshSettings settings;
  settings.look = Look::lively;
  const PaintedMotion plain = shaken(plain_, settings);
  const PaintedMotion painted =
      shaken(painted_tube(folder_, "_SINEW_DAMPING", "SCALAR", [](const Vec3&) { return std::vector<float>{5.0f}; }),
             settings);
  EXPECT_GT(plain.late, 0);
  EXPECT_LT(painted.late, plain.late / 4);
  EXPECT_NEAR(painted.young_upper / plain.young_upper, 1, 1e-6);
}

TEST_F(Painted, PaintPassesThroughTheMainJob) {
  AnimateJob job;
  job.input = painted_tube(folder_, "_SINEW_STIFFNESS", "SCALAR",
                           [&](const Vec3& p) { return std::vector<float>{p.y >= middle_ ? 4.0f : 1.0f}; });
  job.output = folder_ / "flesh.glb";
  job.clip = "shake";
  test::flesh(job.method).tetrahedra = 500;
  ASSERT_TRUE(animate_file(job).complete);
  const Character in = read_character(job.input), out = read_character(job.output);
  EXPECT_EQ(out.parts[0].fields[field("stiffness")], in.parts[0].fields[field("stiffness")]);
  EXPECT_FALSE(in.parts[0].fields[field("stiffness")].empty());
  EXPECT_GT(out.parts[0].targets.size(), 0u);
}

}  // namespace
}  // namespace sinew
