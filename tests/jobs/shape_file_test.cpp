#include "sinew/jobs/shape_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/gltf/animation_target.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/gltf/write/write_edit.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/shape/shape_work.h"
#include "sinew/shape/presets.h"
#include "sinew/shape/shape_forces.h"
#include "sinew/shape/shape_rig_json.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

AddShapeJob on_sumo(const std::filesystem::path& rigs) {
  AddShapeJob job;
  job.input = std::string(SINEW_SOURCE_DIR) + "/samples/sumo.glb";
  job.rigs = rigs;
  job.flesh.tetrahedra = 700;
  return job;
}

TEST(ShapeFileJob, PresetsAndTemplatesAreAddedAndListed) {
  const std::filesystem::path rigs = test::scratch_path("shapes.json");
  AddShapeJob job = on_sumo(rigs);
  job.preset = "breathing";
  add_shape(job);
  job = on_sumo(rigs);
  job.name = "flex";
  job.kind = "bulge";
  job.guide = guide_from("bone:upper_arm_l");
  job.controls = {"forearm_l"};
  job.at = {{0}, {90}};
  job.amplitudes = {0, -4000};
  job.parameters = {{"radius", {0.15}}, {"slide", {0.4, 0.6}}};
  add_shape(job);
  job.amplitudes = {0, -5000};
  add_shape(job);  // in place of the one before
  const ShapeFile file = read_shapes(rigs);
  ASSERT_EQ(file.rigs.size(), 2u);
  EXPECT_EQ(file.controls[0].name, "breathe");
  EXPECT_EQ(file.rigs[1].samples[1].eta, (std::vector<double>{-5000, 0.15, 0.6, 0, 0, 0}));
  EXPECT_EQ(list_shapes(rigs).size(), 4u);
}

// The farthest that the skin moves at rest under the last samples of all rigs together, metres.
double reach_together(const std::vector<ShapeRig>& rigs, ShapeWork& work) {
  std::vector<Vec3> sum(work.body->points());
  for (const ShapeRig& rig : rigs) add_forces(sampled_forces(rig, work.surface(), *work.body).back().force, 1, sum);
  work.body->set_pose(std::vector<Affine>(work.surface().bones.size()));
  const std::vector<Vec3> moved = work.body->displacements(nonzero_forces(sum));
  double most = 0;
  for (std::size_t s = 0; s < work.body->skin().rows(); ++s)
    most = std::max(most, norm(row_times(work.body->skin(), s, moved)));
  return most;
}

double largest_displacement(const std::vector<ShapeRig>& rigs) {
  double most = 0;
  for (const ShapeRig& rig : rigs) most = std::max(most, std::abs(rig.samples.back().eta[amplitude_parameter]));
  return most;
}

TEST(ShapeFileJob, AllPiecesOfEachPresetTogetherMoveTheSkinAsFarAsTheySay) {
  const AddShapeJob job = on_sumo(test::scratch_path("shapes.json"));
  ShapeWork work = open_work(job.input, {}, {}, job.flesh, {});
  for (const ShapePreset& preset : shape_presets()) {
    const std::vector<ShapeRig> pieces = preset_rigs(preset, preset.name, {}, {}, work.surface());
    const double wanted = largest_displacement(pieces);
    const double reached = reach_together(sized_together(pieces, work.surface(), *work.body), work);
    EXPECT_NEAR(reached / wanted, 1, 0.011) << preset.name;
  }
}

TEST(ShapeFileJob, AllPiecesOfAFrownTogetherMoveTheSkinAsFarAsItSays) {
  const std::filesystem::path rigs = test::scratch_path("shapes.json");
  AddShapeJob job = on_sumo(rigs);
  ShapeWork work = open_work(job.input, {}, {}, job.flesh, {});
  job.preset = "frown";
  add_shape(job);
  const std::vector<ShapeRig> written = read_shapes(rigs).rigs;
  ASSERT_EQ(written.size(), 4u);
  const double wanted = largest_displacement(preset_rigs(shape_preset("frown"), "frown", {}, {}, work.surface()));
  EXPECT_NEAR(reach_together(written, work) / wanted, 1, 0.011);
}

TEST(ShapeFileJob, WrongRequestsAreSaidAndLeaveNoFile) {
  const std::filesystem::path rigs = test::scratch_path("shapes.json");
  AddShapeJob job = on_sumo(rigs);
  EXPECT_THROW(add_shape(job), Error);  // no name
  job.name = "far";
  job.kind = "bump";
  job.guide = guide_from("free");
  job.controls = {"push"};
  job.at = {{1}};
  job.amplitudes = {0.01};
  job.by_displacement = true;
  job.parameters = {{"x", {9}}};
  try {
    add_shape(job);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("rig 'far': its force does not move the skin"), std::string::npos)
        << error.what();
  }
  job.parameters = {{"slide", {1}}};
  EXPECT_THROW(add_shape(job), Error);
  EXPECT_FALSE(std::filesystem::exists(rigs));
  for (const char* wrong : {"bone:", "skin:1,2", "skin:1,2,3x", "skin:nan,0,0", "chest"})
    EXPECT_THROW(guide_from(wrong), Error) << wrong;
}

// samples/tube.glb with a custom property `breathe` that its first clip moves by a pointer, from 0 to 1 in a second.
std::filesystem::path breathing_tube() {
  const GltfDocument tube = read_gltf_document(test::sample_file("tube.glb"));
  GltfEdit edit(tube);
  nlohmann::json& json = edit.json();
  json["nodes"][0]["extras"]["breathe"] = 0;
  nlohmann::json& animation = json["animations"][0];
  const std::vector<float> keys{0, 1};
  const std::size_t accessor = edit.add_scalars(keys, true);
  animation["samplers"].push_back({{"input", accessor}, {"output", accessor}});
  animation["channels"].push_back(
      {{"sampler", animation["samplers"].size() - 1}, {"target", pointer_target("/nodes/0/extras/breathe")}});
  array_of(json, "extensionsUsed").push_back(pointer_extension);
  const std::filesystem::path path = test::scratch_files() / "tube.glb";
  write_gltf_files(edit, path);
  return path;
}

TEST(ShapeFileJob, ACustomPropertyOfTheFileDrivesARigAndStaysInTheOutput) {
  AddShapeJob job;
  job.input = breathing_tube();
  job.rigs = job.input.parent_path() / "shapes.json";
  job.flesh.tetrahedra = 700;
  job.name = "swell";
  job.kind = "radial";
  job.guide = guide_from("bone:upper");
  job.controls = {"breathe"};
  job.at = {{0}, {1}};
  job.amplitudes = {0, 0.02};
  job.by_displacement = true;
  job.parameters = {{"radius", {0.3}}};
  add_shape(job);
  EXPECT_TRUE(read_shapes(job.rigs).controls.empty()) << "the file keys it";
  const auto baked = [&](const std::filesystem::path& shapes) {
    AnimateJob animate;
    animate.input = job.input;
    animate.frames_per_second = 10;
    animate.output = job.input.parent_path() / "out.glb";
    test::flesh(animate.method).tetrahedra = 1500;
    test::flesh(animate.method).shapes = shapes.string();
    animate_file(animate);
    return read_character(animate.output);
  };
  const Character with = baked(job.rigs), without = baked({}), before = read_character(job.input);
  ASSERT_EQ(with.clips[0].properties.size(), 1u);
  EXPECT_EQ(with.skeleton.properties[0].pointer, "/nodes/0/extras/breathe");
  EXPECT_EQ(with.clips[0].properties[0].keys.values, before.clips[0].properties[0].keys.values);
  const auto largest_difference = [&](double time) {
    double most = 0;
    const Pose a = sample(with.skeleton, &with.clips[0], time), b = sample(without.skeleton, &without.clips[0], time);
    const std::vector<Vec3> x = posed_positions(with, with.parts[0], a),
                            y = posed_positions(without, without.parts[0], b);
    for (std::size_t v = 0; v < x.size(); ++v) most = std::max(most, distance(x[v], y[v]));
    return most;
  };
  EXPECT_GT(largest_difference(2), 0.01);
  EXPECT_LT(largest_difference(0), 0.3 * largest_difference(2)) << "morph targets of two bakes";
}

// A rig that stiffens and strains, held at a value, and the largest distance of the skin from the rig over a clip.
TEST(ShapeFileJob, RigsStiffenFleshAndShortenIt) {
  AddShapeJob job;
  job.input = test::sample_file("tube.glb");
  job.rigs = test::scratch_files() / "shapes.json";
  job.flesh.tetrahedra = 700;
  job.name = "flex";
  job.kind = "radial";
  job.guide = guide_from("bone:upper");
  job.controls = {"flex"};
  job.at = {{0}, {1}};
  job.stiffnesses = {1, 12};
  job.parameters = {{"radius", {1.5}}};
  add_shape(job);
  AnimateJob animate;
  animate.input = job.input;
  animate.clip = "shake";
  animate.frames_per_second = 15;
  animate.output = job.rigs.parent_path() / "out.glb";
  FleshSettings& settings = test::flesh(animate.method);
  settings.tetrahedra = 1500;
  const auto bytes = [&] {
    animate_file(animate);
    return test::bytes_of(animate.output);
  };
  const auto seen = [&](const std::string& held) {
    settings.shapes = job.rigs.string();
    settings.control = {held};
    return animate_file(animate).report.clips.at(0).quality->seen;
  };
  const auto without = bytes();
  const double soft = seen("flex=0"), stiff = seen("flex=1");
  EXPECT_LT(stiff, 0.6 * soft);
  settings.control = {"flex=0"};
  EXPECT_EQ(bytes(), without) << "the same bits";
  settings.elasticity = Elasticity::linear;
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { animate_file(animate); }).find("rig 'flex': linear flesh"),
            std::string::npos);

  // A tube that shortens by a fifth at its free end.
  job.stiffnesses = {};
  job.strains = {1, 0.8};
  add_shape(job);
  EXPECT_EQ(read_shapes(job.rigs).rigs.at(0).samples.at(1).strain, 0.8);
  ShapeWork work = open_work(job.input, job.rigs, {}, job.flesh, {});
  const std::vector<PointForce> force = sampled_forces(work.file.rigs[0], work.surface(), *work.body).back().force;
  work.body->set_pose(std::vector<Affine>(work.surface().bones.size()));
  const std::vector<Vec3> moved = work.body->displacements(force);
  const ShapeRig& rig = work.file.rigs[0];
  const Affine frame = guide_frame(rig.guide, std::span(rig.samples[1].eta).subspan(2), work.surface());
  const Vec3 along = frame.linear.column(0);
  double apart = 0, outwards = 0, most = 0;  // moments of the displacement, and its largest
  for (std::size_t v = 0; v < moved.size(); ++v) {
    const Vec3 from = work.flesh.body->description.mesh.positions[v] - frame.translation;
    apart += dot(from, along) * dot(moved[v], along);
    outwards += dot(from - dot(from, along) * along, moved[v]);
    most = std::max(most, norm(moved[v]));
  }
  EXPECT_LT(apart, 0) << "it shortens";
  EXPECT_GT(outwards, 0) << "and swells";
  EXPECT_GT(most, 0.002);
}

}  // namespace
}  // namespace sinew
