// Force rigs from meshes, poses, dragged points and morph targets.
#include "sinew/jobs/shape/fit_shape_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/gltf/document.h"
#include "sinew/jobs/shape/shape_work.h"
#include "sinew/session/session.h"
#include "sinew/shape/joint_turns.h"
#include "sinew/shape/shape_forces.h"
#include "sinew/shape/shape_rig_json.h"
#include "tests/base/scratch.h"
#include "tests/contract/glb.h"

namespace sinew {
namespace {

const std::string sumo = std::string(SINEW_SOURCE_DIR) + "/samples/sumo.glb";

// A belly that stands out: along the normal, in front of the trunk.
Vec3 swollen(const Vec3& x, const Vec3& navel, double by) {
  return x + by * bell(distance(x, navel), 0.45) * normalized(x - navel + Vec3{0, 0, 0.6});
}

struct Posed {
  OpenedCharacter opened = open_rigged_character(sumo);
  SimulationSurface surface = simulation_surface(opened.character);

  std::vector<Vec3> skin(const Pose& pose) const {
    const std::vector<Affine> bones = bone_transforms(opened.character, surface, pose);
    VertexFrames frames;
    predict_frames(surface.rest.positions, surface.influences, bones, frames);
    return frames.goal;
  }
  // The foremost point of the trunk.
  Vec3 navel() const {
    Vec3 found;
    for (const Vec3& x : surface.rest.positions)
      if (std::abs(x.x) < 0.1 && x.z > found.z) found = x;
    return found;
  }
};

void write_obj(const std::filesystem::path& path, std::span<const Vec3> positions, std::span<const Triangle> triangles,
               double scale = 1) {
  std::string text;
  char line[128];
  for (const Vec3& x : positions) {
    std::snprintf(line, sizeof line, "v %.9g %.9g %.9g\n", scale * x.x, scale * x.y, scale * x.z);
    text += line;
  }
  for (const Triangle& t : triangles) {
    std::snprintf(line, sizeof line, "f %d %d %d\n", t[0] + 1, t[1] + 1, t[2] + 1);
    text += line;
  }
  write_file(path, std::as_bytes(std::span(text)));
}

FitShapeJob fit_on_sumo(const std::filesystem::path& rigs) {
  FitShapeJob job;
  job.input = sumo;
  job.rigs = rigs;
  job.flesh.tetrahedra = 1500;
  job.name = "swollen";
  return job;
}

std::string complaint(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FitShapeFileJob, AMeshInAPoseBecomesForcesOfTheJointThatPoses) {
  const Posed posed;
  const std::filesystem::path rigs = test::scratch_path("shapes.json"), target = test::scratch_path("belly.obj");
  const JointTurn bend{"spine", 'x', 20};
  std::vector<Vec3> skin =
      posed.skin(turned(posed.opened.character, sample(posed.opened.character.skeleton, nullptr, 0), {&bend, 1}));
  const Vec3 navel = posed.navel();
  for (std::size_t s = 0; s < skin.size(); ++s)
    skin[s] += swollen(posed.surface.rest.positions[s], navel, 0.08) - posed.surface.rest.positions[s];
  write_obj(target, skin, posed.surface.rest.triangles);
  FitShapeJob job = fit_on_sumo(rigs);
  job.target = target.string();
  job.control = "spine:x";
  job.pose.turns = {"spine:x=20"};
  const AddedShape added = fit_shape(job);
  ASSERT_EQ(added.left.size(), 1u);
  EXPECT_LT(added.left[0], 2e-3);
  const ShapeFile file = read_shapes(rigs);
  ASSERT_EQ(file.rigs.size(), 1u);
  ASSERT_GE(file.rigs[0].samples.size(), 2u);
  EXPECT_EQ(file.rigs[0].samples[0].at[0], 0);
  EXPECT_NEAR(file.rigs[0].samples.back().at[0], 20, 1e-4);
  EXPECT_GT(file.rigs[0].samples.back().reach, 0.01);
  EXPECT_GT(file.rigs[0].samples.back().forces.size(), 100u);
}

// The skin at rest under forces in static equilibrium.
std::vector<Vec3> skin_under(std::span<const PointForce> forces, ShapeWork& work) {
  work.body->set_pose(std::vector<Affine>(work.surface().bones.size()));
  std::vector<Vec3> skin(work.surface().rest.positions.size());
  multiply(work.body->skin(), work.body->displacements(forces), skin);
  for (std::size_t s = 0; s < skin.size(); ++s) skin[s] += work.surface().rest.positions[s];
  return skin;
}

TEST(FitShapeFileJob, InALatticeTheShapeOfAHiddenFieldComesBack) {
  const std::filesystem::path rigs = test::scratch_path("shapes.json"), target = test::scratch_path("hidden.obj");
  FitShapeJob job = fit_on_sumo(rigs);
  job.flesh.lattice.file = auto_lattice;
  job.flesh.lattice.cells = 200;
  ShapeWork work = open_work(job.input, {}, {}, job.flesh, {});
  ASSERT_TRUE(work.flesh.lattice);
  EXPECT_EQ(work.body->points(), work.flesh.lattice->description.role.size());
  const Vec3 navel = Posed().navel();
  const std::vector<Vec3> hidden =
      skin_under(work.body->integrate({[&](const Vec3& x) {
                                         return Vec3{0, 0, 3e4 * bell(distance(x, navel), 0.4)};
                                       },
                                       navel, 0.4, 0.4}),
                 work);
  double moved = 0;
  for (std::size_t s = 0; s < hidden.size(); ++s)
    moved = std::max(moved, distance(hidden[s], work.surface().rest.positions[s]));
  EXPECT_GT(moved, 0.01 * work.height()) << "there is something to fit";
  write_obj(target, hidden, work.surface().rest.triangles);
  job.target = target.string();
  EXPECT_LT(fit_shape(job).left[0], 1e-3);
  // Another search, from the forces that the file has, finds the shape as well.
  const ShapeRig rig = read_shapes(rigs).rigs.at(0);
  const std::vector<Vec3> found = skin_under(sampled_forces(rig, work.surface(), *work.body).back().force, work);
  const double height = work.height();
  for (std::size_t s = 0; s < hidden.size(); ++s) EXPECT_LT(distance(found[s], hidden[s]), 1e-3 * height);
}

TEST(FitShapeFileJob, WhatCannotBeFittedIsSaid) {
  const Posed posed;
  const std::filesystem::path rigs = test::scratch_path("shapes.json"), target = test::scratch_path("large.obj");
  write_obj(target, posed.surface.rest.positions, posed.surface.rest.triangles, 100);
  FitShapeJob job = fit_on_sumo(rigs);
  const auto said = [&](const std::string& expected) {
    const std::string text = complaint([&] { fit_shape(job); });
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n" << text;
    EXPECT_FALSE(std::filesystem::exists(rigs));
  };
  said("say what the rig is fitted to");
  job.target = target.string();
  said("the target is 100 times as large as the character; give --target-scale 0.01");
  // Loose vertices behind those of the skin make it another mesh.
  std::vector<Vec3> loose = posed.surface.rest.positions;
  loose.push_back({0, 1, 0});
  write_obj(target, loose, posed.surface.rest.triangles);
  job.target_scale = 1;
  job.name = "belly";  // a joint of the wrestler
  said("is 0 in this pose");
  job.name = "swollen";
  std::vector<Triangle> turned_round = posed.surface.rest.triangles;
  for (Triangle& t : turned_round) std::swap(t[0], t[1]);
  write_obj(target, posed.surface.rest.positions, turned_round);
  said("faces away from the skin");
  write_obj(target, posed.surface.rest.positions, posed.surface.rest.triangles, 100);
  job.target = "morph:grin";
  said("has none of this name, but ");
  job.target.clear();
  job.drags = {{{0, 1, 0.4}, {0, 1, 0.5}}};
  said("has no template rig 'swollen'");
  job.pose.turns = {"spine"};
  job.target = target.string(), job.target_scale = 0.01, job.drags.clear();
  said("is no joint with an angle");
  job.pose.turns = {"tail=20"};
  said("has no joint 'tail'");
  job.pose.turns = {};
  job.control = "spine";
  said("is 0 in this pose");
}

TEST(FitShapeFileJob, ATemplateFollowsADraggedPoint) {
  const Posed posed;
  const std::filesystem::path rigs = test::scratch_path("shapes.json");
  AddShapeJob add;
  add.input = sumo;
  add.rigs = rigs;
  add.flesh.tetrahedra = 1500;
  add.name = "swollen";
  add.kind = "bump";
  const Vec3 navel = posed.navel();
  add.guide = Guide{GuideKind::skin, "", navel};
  add.controls = {"full"};
  add.at = {{0}, {1}};
  add.amplitudes = {0, 0.005};
  add.by_displacement = true;
  add.parameters = {{"radius", {0.3}}, {"depth", {0.1}}};
  add_shape(add);
  FitShapeJob job = fit_on_sumo(rigs);
  Vec3 normal;
  for (const Triangle& t : posed.surface.rest.triangles) {
    const auto x = [&](std::size_t k) { return posed.surface.rest.positions[static_cast<std::size_t>(t[k])]; };
    if (x(0) == navel || x(1) == navel || x(2) == navel) normal += area_vector(x(0), x(1), x(2));
  }
  job.drags = {{navel, navel + 0.05 * normalized(normal)}};
  job.fixed = {"radius"};
  const AddedShape added = fit_shape(job);
  EXPECT_LT(added.left.at(0), 0.005);
  const ShapeRig rig = read_shapes(rigs).rigs.at(0);
  EXPECT_EQ(rig.samples[1].eta[1], 0.3);
  EXPECT_NE(rig.samples[1].eta[0], 0.005);
}

// The wrestler whose belly a morph target blows up within a tenth of a second.
void write_swelling_sumo(const std::filesystem::path& path) {
  const Posed posed;
  const GltfDocument document = read_gltf_document(sumo);
  nlohmann::json json = *document.json;
  std::vector<std::byte> bytes(document.buffers.at(0).begin(), document.buffers.at(0).end());
  const auto add = [&](const std::vector<float>& numbers, const char* type, std::size_t width) {
    bytes.resize((bytes.size() + 3) / 4 * 4);
    json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", 4 * numbers.size()}});
    nlohmann::json accessor{{"bufferView", json["bufferViews"].size() - 1},
                            {"componentType", 5126},
                            {"count", numbers.size() / width},
                            {"type", type}};
    accessor["min"] = std::vector<float>(width, -100.0f);
    accessor["max"] = std::vector<float>(width, 100.0f);
    json["accessors"].push_back(accessor);
    bytes.resize(bytes.size() + 4 * numbers.size());
    std::memcpy(bytes.data() + bytes.size() - 4 * numbers.size(), numbers.data(), 4 * numbers.size());
    return json["accessors"].size() - 1;
  };
  const Vec3 navel = posed.navel();
  const Character& character = posed.opened.character;
  for (std::size_t k = 0; k < posed.surface.parts.size(); ++k) {
    const Part& part = character.parts[static_cast<std::size_t>(posed.surface.parts[k])];
    std::vector<float> offsets;
    for (const Vec3& x : part.surface.positions) {
      const Vec3 by = swollen(x, navel, 0.1) - x;  // the file is in metres, and its bind space the world
      for (std::size_t axis = 0; axis < 3; ++axis) offsets.push_back(static_cast<float>(by[axis]));
    }
    nlohmann::json& mesh = json["meshes"][static_cast<std::size_t>(part.mesh)];
    mesh["primitives"][static_cast<std::size_t>(part.primitive)]["targets"] = {{{"POSITION", add(offsets, "VEC3", 3)}}};
    mesh["extras"]["targetNames"] = {"swell"};
    mesh["weights"] = {0};
    const std::size_t times = add({0, 0.1f, 2}, "SCALAR", 1), weights = add({0, 1, 1}, "SCALAR", 1);
    json["animations"] = {{{"name", "Swell"},
                           {"samplers", {{{"input", times}, {"output", weights}}}},
                           {"channels", {{{"sampler", 0}, {"target", {{"node", part.joint}, {"path", "weights"}}}}}}}};
  }
  json["buffers"][0]["byteLength"] = bytes.size();
  test::write_glb(path, json, bytes);
}

TEST(FitShapeFileJob, AMorphTargetKeepsItsShapeAndSwings) {
  const std::filesystem::path file = test::scratch_path("swelling.glb"), rigs = test::scratch_path("shapes.json");
  write_swelling_sumo(file);
  MorphsToForces job{file, rigs, {}, {}, {}};
  job.flesh.tetrahedra = 1500;
  const AddedShape added = shapes_from_morphs(job);
  ASSERT_EQ(added.left.size(), 1u);
  EXPECT_LT(added.left[0], 2e-3);
  EXPECT_EQ(read_shapes(rigs).rigs.at(0).morph, "swell");

  const OpenedCharacter opened = open_rigged_character(file);
  FleshMethod flesh;
  flesh.values.tetrahedra = 1500;
  flesh.values.shapes = rigs.string();
  const Scene scene = cook(flesh, {opened.character});
  Session session(opened.character, scene, whole(opened.character.clips.at(0)));
  std::vector<Vec3> from_rig(scene.surface->rest.positions.size());
  const auto largest = [&] {
    const Moment moment = session.moment_at(session.elapsed());
    session.displacements(moment, 0, from_rig);
    double most = 0;
    for (const Vec3& u : from_rig) most = std::max(most, norm(u));
    return most;
  };
  EXPECT_LT(largest(), 1e-4 * scene.height) << "nothing pushes yet";
  double most = 0;
  while (session.elapsed() < 1.9) {
    session.step();
    if (session.elapsed() < 0.6) most = std::max(most, largest());
  }
  EXPECT_GT(most, 0.005 * scene.height) << "flesh lags behind the shape and swings";
  EXPECT_LT(largest(), 0.1 * most) << "and settles in it";
  // Held at 0, the flesh takes back what the target shows.
  Action released;
  released.kind = Action::Kind::control;
  released.name = "swell";
  released.value = 0;
  Session held(opened.character, scene, whole(opened.character.clips.at(0)));
  held.act(released);
  while (held.elapsed() < 1.9) held.step();
  held.displacements(held.moment_at(held.elapsed()), 0, from_rig);
  double drawn_in = 0;
  for (const Vec3& u : from_rig) drawn_in = std::max(drawn_in, norm(u));
  EXPECT_GT(drawn_in, 0.5 * 0.1) << "the target swells the skin by 0.1 m";
}

}  // namespace
}  // namespace sinew
