// Force rigs as morph targets that play without physics.
#include "sinew/jobs/shape/export_shapes.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/gltf/write/write_correctives.h"
#include "sinew/gltf/write/write_edit.h"
#include "sinew/jobs/shape/corrective_shapes.h"
#include "sinew/jobs/shape/shape_work.h"
#include "sinew/jobs/shape_file.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/shape/joint_turns.h"
#include "sinew/shape/shape_forces.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"
#include "tests/jobs/tangents.h"

namespace sinew {
namespace {

constexpr int export_tetrahedra = 1500;

// The tube with a rig by its bend, one by two controls, and one that breathes.
ExportShapesJob tube_with_rigs() {
  ExportShapesJob job;
  job.input = test::sample_file("tube.glb");
  job.rigs = test::scratch_files() / "shapes.json";
  job.output = job.rigs.parent_path() / "out.glb";
  job.report = job.rigs.parent_path() / "report.json";
  job.flesh.tetrahedra = export_tetrahedra;
  job.frames_per_clip = 3;
  AddShapeJob add;
  add.input = job.input;
  add.rigs = job.rigs;
  add.flesh = job.flesh;
  add.by_displacement = true;
  add.name = "flex";
  add.kind = "radial";
  add.guide = guide_from("bone:upper");
  add.controls = {"upper"};
  add.at = {{0}, {45}, {90}};
  add.amplitudes = {0, 0.01, 0.03};
  add.parameters = {{"radius", {0.3}}};
  add_shape(add);
  add.name = "breath";
  add.guide = guide_from("bone:lower");
  add.controls = {"breathe"};
  add.at = {{0}, {1}};
  add.amplitudes = {0, 0.02};
  add_shape(add);
  add.name = "both";
  add.controls = {"upper", "breathe"};
  add.at = {{0, 0}, {90, 0}, {90, 1}};
  add.amplitudes = {0, 0.01, 0.02};
  add_shape(add);
  return job;
}

nlohmann::json drivers_of(const std::filesystem::path& file) {
  return (*read_gltf_document(file).json)["meshes"][0]["extras"][correctives_key];
}

// The skin of the first part, with one target of this name at 1.
std::vector<Vec3> skin_with(const Character& character, Pose pose, const std::string& target) {
  const Part& part = character.parts[0];
  const auto at = std::find(part.target_names.begin(), part.target_names.end(), target);
  std::vector<double>& weights = pose.morph_weights[static_cast<std::size_t>(part.joint)];
  weights.assign(part.target_names.size(), 0.0);
  if (at != part.target_names.end()) weights[static_cast<std::size_t>(at - part.target_names.begin())] = 1;
  return posed_positions(character, part, pose);
}

TEST(ExportShapes, ShapesOfSamplesAreThoseOfStaticsAndWeightsFollowTheControl) {
  const ExportShapesJob job = tube_with_rigs();
  const ExportedShapes exported = export_shapes(job);
  EXPECT_EQ(exported.lines.size(), 6u) << "three rigs and three clips";
  const Character character = read_character(job.output);
  const std::vector<std::string>& names = character.parts[0].target_names;
  EXPECT_EQ(names, (std::vector<std::string>{"flex_45", "flex_90", "breath_1", "both_90_0", "both_90_1"}));

  // Statics by a body of its own, in the pose of the sample.
  ShapeWork work = open_work(job.input, job.rigs, {}, job.flesh, {});
  const JointTurn turn = joint_turn_from("upper=90");
  const Pose bent = turned(character, sample(character.skeleton, nullptr, 0), std::span(&turn, 1));
  const std::vector<PointForce> force = sampled_forces(work.file.rigs[0], work.surface(), *work.body).back().force;
  work.body->set_pose(bone_transforms(work.character(), work.surface(), bent));
  std::vector<Vec3> moved = work.body->displacements(force), skin(work.surface().rest.positions.size());
  for (std::size_t f = 0; f < moved.size(); ++f) moved[f] = work.body->rotations()[f] * moved[f];
  multiply(work.body->skin(), moved, skin);
  const std::vector<Vec3> with = skin_with(character, bent, "flex_90"), without = skin_with(character, bent, "");
  double largest = 0;
  for (std::size_t v = 0; v < with.size(); ++v) {
    const Vec3& expected = skin[static_cast<std::size_t>(work.surface().vertex_of[0][v])];
    EXPECT_LT(distance(with[v] - without[v], expected), 1e-6) << v;
    largest = std::max(largest, norm(expected));
  }
  EXPECT_GT(largest, 0.01);

  // Weights in a clip, by the angle of the joint.
  const ControlValues controls(work.file, {}, work.character(), work.surface());
  std::vector<double> values(controls.size());
  const Clip& clip = character.clips[0];
  for (double time = clip.start; time <= clip.end; time += 0.1) {
    const Pose pose = sample(character.skeleton, &clip, time);
    controls.find(pose, time, values);
    const double angle = values[controls.of_rig(0)[0]];
    const std::vector<double>& weights = pose.morph_weights[static_cast<std::size_t>(character.parts[0].joint)];
    EXPECT_NEAR(weights[0], std::max(0.0, angle < 45 ? angle / 45 : (90 - angle) / 45), 0.05) << time;
    EXPECT_NEAR(weights[1], std::clamp((angle - 45) / 45, 0.0, 1.0), 0.05) << time;
  }

  const nlohmann::json report = nlohmann::json::parse(read_text_file(job.report));
  for (const nlohmann::json& rig : report["rigs"]) {
    EXPECT_LT(rig["at_samples"]["largest_mm"], 1e-3) << rig;
    EXPECT_GT(rig["between"]["largest_mm"], rig["at_samples"]["largest_mm"]) << rig;
    EXPECT_LT(rig["between"]["largest_mm"].get<double>(), 0.3 * rig["moves_mm"].get<double>()) << rig;
  }
  EXPECT_EQ(report["clips"][2]["frames"].size(), 3u);
}

// Normals of the shapes, against those of the triangles that are moved: as near to them as at rest.
TEST(ExportShapes, ShapesHaveNormals) {
  const ExportShapesJob job = tube_with_rigs();
  export_shapes(job);
  const GltfDocument written = read_gltf_document(job.output);
  for (const nlohmann::json& primitive : (*written.json)["meshes"][0]["primitives"]) {
    ASSERT_TRUE(primitive["attributes"].contains("NORMAL"));
    for (const nlohmann::json& target : primitive["targets"]) EXPECT_TRUE(target.contains("NORMAL"));
  }
  ShapeWork work = open_work(job.input, job.rigs, {}, job.flesh, {});
  const ControlValues controls(work.file, {}, work.character(), work.surface());
  const CorrectiveShapes shapes = corrective_shapes(work, controls, 1);
  const PartMorphs& morphs = shapes.fit.meshes.at(0).parts.at(0);
  const Part& part = work.character().parts[static_cast<std::size_t>(morphs.part)];
  ASSERT_EQ(morphs.normal.size(), morphs.position.size());
  const std::size_t vertices = part.normals.size();
  const auto sum_of = [&](const std::vector<Vec3>& positions) {
    return vertex_area_vectors(positions, part.surface.triangles);
  };
  double most = 0;
  for (std::size_t at = 0; at < morphs.position.size(); at += 3 * vertices) {
    std::vector<Vec3> moved = part.surface.positions, normals = part.normals;
    for (std::size_t v = 0; v < vertices; ++v) {
      for (std::size_t k = 0; k < 3; ++k) {
        moved[v][k] += static_cast<double>(morphs.position[at + 3 * v + k]);
        normals[v][k] += static_cast<double>(morphs.normal[at + 3 * v + k]);
      }
      most = std::max(most, distance(normals[v], part.normals[v]));
    }
    const std::vector<Vec3> before = sum_of(part.surface.positions), after = sum_of(moved);
    for (std::size_t v = 0; v < vertices; ++v) {
      EXPECT_NEAR(norm(normals[v]), 1, 1e-3) << v;
      EXPECT_GT(dot(normals[v], normalized(after[v])), dot(part.normals[v], normalized(before[v])) - 0.02) << v;
    }
  }
  EXPECT_GT(most, 0.1);
}

TEST(ExportShapes, ShapesHaveTangentsWhereTheMeshHas) {
  ExportShapesJob job = tube_with_rigs();
  export_shapes(job);
  const GltfDocument written = read_gltf_document(job.output);
  for (const nlohmann::json& target : (*written.json)["meshes"][0]["primitives"][0]["targets"])
    EXPECT_FALSE(target.contains("TANGENT"));
  job.input = test::with_tangents(job.input, job.rigs.parent_path());
  // Twice, so that targets of the file have tangents too.
  for (const char* output : {"out.glb", "twice.glb"}) {
    job.output = job.output.parent_path() / output;
    export_shapes(job);
    EXPECT_GT(test::check_tangents_of_targets(job.output), 0.1);
    job.input = job.output;
  }
}

TEST(ExportShapes, DriversNameTheirTargetsAndASecondExportHasNamesOfItsOwn) {
  ExportShapesJob job = tube_with_rigs();
  export_shapes(job);
  const nlohmann::json drivers = drivers_of(job.output);
  ASSERT_EQ(drivers.size(), 3u);
  EXPECT_EQ(drivers[0]["controls"][0]["node_name"], "upper");
  EXPECT_EQ(drivers[0]["controls"][0]["measure"], "angle");
  EXPECT_EQ(drivers[0]["interpolation"], "linear");
  EXPECT_EQ(drivers[2]["interpolation"], "radial");
  EXPECT_TRUE(drivers[0]["samples"][0]["target"].is_null());
  EXPECT_EQ(drivers[0]["samples"][2]["target"], "flex_90");
  job.input = job.output;
  job.output = job.output.parent_path() / "again.glb";
  export_shapes(job);
  const Character twice = read_character(job.output);
  const std::vector<std::string>& names = twice.parts[0].target_names;
  EXPECT_EQ(names.size(), 10u);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(drivers_of(job.output).size(), 6u);
  EXPECT_EQ(drivers_of(job.output)[3]["samples"][2]["target"], "flex_90_2");
}

TEST(ExportShapes, WhatCannotBeExportedIsSaid) {
  ExportShapesJob job = tube_with_rigs();
  job.rigs = job.rigs.parent_path() / "none.json";
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { export_shapes(job); }).find("no such file of rigs"),
            std::string::npos);
  job = tube_with_rigs();
  job.output = job.input;
  test::refusal(ErrorKind::usage, [&] { export_shapes(job); });
  job = tube_with_rigs();
  nlohmann::json json = nlohmann::json::parse(read_text_file(job.rigs));
  for (nlohmann::json& rig : json["rigs"])
    for (nlohmann::json& sample : rig["samples"]) sample["displacement"] = 0;
  write_text_file(job.rigs, json.dump());
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { export_shapes(job); }).find("none of its rigs has a shape"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(job.output));
}

}  // namespace
}  // namespace sinew
