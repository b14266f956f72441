#include "sinew/jobs/transfer_shapes.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/cook/flesh/cook_shapes.h"
#include "sinew/jobs/feature_points.h"
#include "sinew/shape/joint_turns.h"
#include "sinew/shape/shape_rig_json.h"
#include "tests/base/scratch.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

const std::filesystem::path samples = std::filesystem::path(SINEW_SOURCE_DIR) / "samples";

const std::string sumo_rigs = R"({"version": 1, "character": {"name": "sumo.glb", "height": 1.72, "bones": 38},
  "controls": [{"name": "breathe"}],
  "rigs": [{"name": "breathing", "template": "radial", "guide": "bone", "bone": "chest", "controls": ["breathe"],
            "samples": [{"at": 0, "displacement": 0, "radius": 0.3}, {"at": 1, "displacement": 0.02, "radius": 0.3}]},
           {"name": "biceps", "template": "bulge", "guide": "bone", "bone": "upper_arm_l", "controls": ["forearm_l"],
            "samples": [{"at": 0, "amplitude": 0}, {"at": 90, "displacement": 0}]}]})";

class TransferShapes : public testing::Test {
 protected:
  TransferShapes() {
    job_.source = samples / "sumo.glb";
    job_.rigs = test::scratch_path("sumo.json");
    job_.target = samples / "elephant.glb";
    job_.output = test::scratch_path("elephant.json");
    job_.flesh.tetrahedra = 700;
    write(R"("displacement": 0, "radius": 0.1}, {"at": 90, "displacement": 0.02, "radius": 0.1})");
  }

  // The rigs, with these samples of the biceps.
  void write(const std::string& biceps) {
    std::string text = sumo_rigs;
    const std::string old = R"("amplitude": 0}, {"at": 90, "displacement": 0})";
    text.replace(text.find(old), old.size(), biceps);
    write_file(job_.rigs, std::as_bytes(std::span(text)));
  }

  // The control points of the fitted lattice that was written.
  static std::vector<Vec3> control_points(const std::filesystem::path& obj) {
    std::istringstream lines(read_text_file(obj));
    std::vector<Vec3> points;
    for (std::string line; std::getline(lines, line);)
      if (Vec3 p; std::sscanf(line.c_str(), "v %lf %lf %lf", &p.x, &p.y, &p.z) == 3) points.push_back(p);
    return points;
  }

  std::string complaint() {
    try {
      transfer_shapes(job_);
    } catch (const Error& error) {
      EXPECT_FALSE(std::filesystem::exists(job_.output));
      return error.what();
    }
    return "";
  }

  // The farthest that a rig's last sample moves the target's skin at rest, metres.
  double farthest(const ShapeRig& rig) const {
    const Character character = open_rigged_character(job_.target).character;
    const CookedFlesh flesh = prepare_flesh(character, job_.flesh);
    const std::unique_ptr<ShapeBody> body = shape_body(flesh, job_.flesh);
    const std::vector<PointForce> force = sampled_forces(rig, flesh.surface, *body).back().force;
    body->set_pose(std::vector<Affine>(flesh.surface.bones.size()));
    const std::vector<Vec3> displacement = body->displacements(force);
    double most = 0;
    for (std::size_t s = 0; s < body->skin().rows(); ++s)
      most = std::max(most, norm(row_times(body->skin(), s, displacement)));
    return most;
  }

  TransferShapesJob job_;
};

TEST_F(TransferShapes, ControlPointsArriveWhereTheirFileMovesThem) {
  job_.cells = 150;
  job_.lattice = test::scratch_path("fitted.obj");
  transfer_shapes(job_);
  const std::vector<Vec3> before = control_points(job_.lattice);
  ASSERT_GT(before.size(), 40u);
  const Vec3 to = before[20] + Vec3{0, 0.02, 0.01};
  char line[256];
  std::snprintf(line, sizeof line, "# up and forward\n%.9g %.9g %.9g  %.9g %.9g %.9g\n", before[20].x, before[20].y,
                before[20].z, to.x, to.y, to.z);
  job_.control_points = test::scratch_path("moves.txt");
  const std::string text = line;
  write_file(job_.control_points, std::as_bytes(std::span(text)));
  const TransferredShapes moved = transfer_shapes(job_);
  const std::vector<Vec3> after = control_points(job_.lattice);
  EXPECT_LT(distance(after[20], to), 1e-6);
  EXPECT_EQ(moved.inverted_cells, 0);
  EXPECT_FALSE(moved.rigs.rigs[0].samples[1].forces.empty());
}

TEST_F(TransferShapes, WrongMovesOfControlPointsAreSaid) {
  for (const auto& [text, said] : {std::pair{"", "has no points"},
                                   {"1 2 3", "line 1: a point is missing"},
                                   {"\nbone:head 1 2 3", "line 2: 'bone:head' is no number"},
                                   {"1 2 3 4 5 6 7", "more than two points"},
                                   {"1 2 3 4 5 nan", "not finite"}}) {
    try {
      control_point_moves_from(text, "moves.txt");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
    }
  }
  job_.cells = 100;
  job_.control_points = test::scratch_path("moves.txt");
  const std::string far = "0 1 0 0 900 0\n";
  write_file(job_.control_points, std::as_bytes(std::span(far)));
  EXPECT_NE(complaint().find("inside out"), std::string::npos);
  job_.control_points.clear();
  job_.flesh.lattice.file = auto_lattice;
  EXPECT_NE(complaint().find("--lattice"), std::string::npos);
}

TEST_F(TransferShapes, FromAWrestlerToAnElephant) {
  job_.preview = test::scratch_path("elephant.png");
  const TransferredShapes carried = transfer_shapes(job_);
  EXPECT_EQ(carried.inverted_cells, 0);
  EXPECT_LT(carried.surface_error, 0.025);
  EXPECT_TRUE(std::filesystem::exists(job_.preview));
  const ShapeFile file = read_shapes(job_.output);
  EXPECT_EQ(file.character.name, "elephant.glb");
  EXPECT_EQ(file.controls[0].name, "breathe");
  ASSERT_EQ(file.rigs.size(), 2u);
  EXPECT_EQ(file.rigs[1].controls[0], "front_lower_l");
  for (const ShapeRig& rig : file.rigs) {
    EXPECT_EQ(rig.kind, TemplateKind::field);
    EXPECT_TRUE(rig.samples.front().forces.empty());
    const double most = farthest(rig);
    EXPECT_GT(most, 0.02) << rig.name;
    EXPECT_LT(most, 0.2) << rig.name;
  }
}

TEST_F(TransferShapes, ToTheSameCharacterTheSkinMovesAsItDid) {
  job_.target = job_.source;
  const TransferredShapes carried = transfer_shapes(job_);
  EXPECT_TRUE(carried.warnings.empty()) << carried.warnings.front();
  EXPECT_LT(carried.surface_error, 1e-6);
  const ShapeFile file = read_shapes(job_.output);
  EXPECT_EQ(file.rigs[1].controls[0], "forearm_l");
  for (const auto& [rig, wanted] : {std::pair{0, 0.02}, {1, 0.02}}) {
    EXPECT_NEAR(farthest(file.rigs[index(rig)]), wanted, 0.1 * wanted);
  }
}

// Under an amplitude, a strain and a stiffness, the skin moves as it did, and the tissue is changed where it was.
TEST_F(TransferShapes, ToTheSameCharacterTissueIsChangedAsItWas) {
  write(R"("displacement": 0, "radius": 0.1}, {"at": 90, "displacement": 0.01, "radius": 0.1,
           "strain": 0.8, "stiffness": 4})");
  job_.target = job_.source;
  const ShapeFile before = read_shapes(job_.rigs);
  const TransferredShapes carried = transfer_shapes(job_);
  EXPECT_TRUE(carried.warnings.empty()) << carried.warnings.front();
  const ShapeFile after = read_shapes(job_.output);
  const Character character = open_rigged_character(job_.source).character;
  const CookedFlesh flesh = prepare_flesh(character, job_.flesh);
  const std::unique_ptr<ShapeBody> body = shape_body(flesh, job_.flesh);
  const SampledForce own = sampled_forces(before.rigs[1], flesh.surface, *body).back(),
                     other = sampled_forces(after.rigs[1], flesh.surface, *body).back();
  ASSERT_EQ(other.stiffening.size(), own.stiffening.size());
  for (std::size_t k = 0; k < own.stiffening.size(); ++k) {
    EXPECT_EQ(other.stiffening[k].point, own.stiffening[k].point);
    EXPECT_NEAR(other.stiffening[k].logarithm, own.stiffening[k].logarithm, 1e-6);
  }
  EXPECT_EQ(after.rigs[1].samples.back().strain, 0.8);
  body->set_pose(std::vector<Affine>(flesh.surface.bones.size()));
  const std::vector<Vec3> a = displacements_of(own, *body), b = displacements_of(other, *body);
  double most = 0, off = 0;
  for (std::size_t s = 0; s < body->skin().rows(); ++s) {
    const Vec3 moved = row_times(body->skin(), s, a);
    most = std::max(most, norm(moved));
    off = std::max(off, distance(row_times(body->skin(), s, b), moved));
  }
  EXPECT_GT(most, 0.005);
  EXPECT_LT(off, 0.1 * most);
}

// Forces that were fitted in a pose make there what they made, however they deform the rest.
TEST_F(TransferShapes, ForcesOfAPoseAreCarriedInThatPose) {
  job_.flesh.tetrahedra = 1500;  // in fewer, the bulge of an arm is a matter of a few of them
  const Character character = open_rigged_character(job_.source).character;
  const CookedFlesh flesh = prepare_flesh(character, job_.flesh);
  const std::unique_ptr<ShapeBody> body = shape_body(flesh, job_.flesh);
  const GuideAnchor on_arm({GuideKind::bone, "upper_arm_l", {}}, flesh.surface);
  const Affine arm = on_arm.frame(std::vector<double>{0.7, 0.05, 0, 0});
  ShapeRig rig{"bulge", TemplateKind::field, {}, {}, false, 0, {"forearm_l"}, {{{0}, {1}}, {{90}, {1}}}};
  for (std::size_t s = 0; s < flesh.surface.rest.positions.size(); ++s)
    if (const double share = bell(distance(flesh.surface.rest.positions[s], arm.translation), 0.18); share > 0)
      rig.samples[1].forces.push_back({static_cast<int>(s), (2 * share) * arm.linear.column(1)});
  job_.given = read_shapes(job_.rigs);
  job_.given->rigs = {rig};
  job_.target = job_.source;
  const TransferredShapes carried = transfer_shapes(job_);
  const JointTurn turn = joint_turn_from("forearm_l=90");
  const Pose bent = turned(character, sample(character.skeleton, nullptr, 0), {&turn, 1});
  const auto moved = [&](const ShapeRig& by) {
    const SampledForce force = sampled_forces(by, flesh.surface, *body).back();
    body->set_pose(bone_transforms(character, flesh.surface, bent));
    return displacements_of(force, *body);
  };
  const std::vector<Vec3> a = moved(rig), b = moved(carried.rigs.rigs[0]);
  double most = 0, off = 0;
  for (std::size_t s = 0; s < body->skin().rows(); ++s) {
    const Vec3 by_rig = row_times(body->skin(), s, a);
    most = std::max(most, norm(by_rig));
    off = std::max(off, distance(row_times(body->skin(), s, b), by_rig));
  }
  EXPECT_GT(most, 0.003);
  EXPECT_LT(off, 0.1 * most);
}

TEST_F(TransferShapes, FromAWrestlerToACow) {
  const std::filesystem::path folder = test::characters();
  if (folder.empty()) GTEST_SKIP() << "Not tested: the characters are not there.";
  job_.target = folder / "gltf/quat_cow/Cow.glb";
  const TransferredShapes carried = transfer_shapes(job_);
  EXPECT_EQ(carried.inverted_cells, 0);
  EXPECT_LT(carried.surface_error, 0.025);
  EXPECT_EQ(read_shapes(job_.output).rigs[1].controls[0], "FrontLowerLeg.L");
}

TEST_F(TransferShapes, PointsReplaceBonesThatDoNotCorrespond) {
  job_.target = samples / "tube.glb";
  job_.features = test::scratch_path("features.txt");
  const std::string text = "0 0.9 0  0 0.1 0\n0 1.6 0  0 0.9 0\n0.3 1.2 0  0.1 0.5 0\n-0.3 1.2 0  -0.1 0.5 0\n";
  write_file(job_.features, std::as_bytes(std::span(text)));
  const TransferredShapes carried = transfer_shapes(job_);
  EXPECT_EQ(carried.inverted_cells, 0);
  EXPECT_FALSE(carried.warnings.empty()) << "nothing drives the biceps";
  const ShapeFile file = read_shapes(job_.output);
  EXPECT_EQ(file.controls.back().name, "forearm_l");
  EXPECT_FALSE(file.rigs[0].samples.back().forces.empty());
}

TEST_F(TransferShapes, WrongRequestsAreSaidAndLeaveNoFile) {
  job_.features = test::scratch_path("features.txt");
  const auto features = [&](const std::string& text) {
    write_file(job_.features, std::as_bytes(std::span(text)));
    return complaint();
  };
  EXPECT_NE(features("# none\n").find("has no points"), std::string::npos);
  EXPECT_NE(features("\n0 1 nan 0 0 0").find("line 2: a place has numbers that are not finite"), std::string::npos);
  EXPECT_NE(features("0 1 2 0 0").find("a point is missing"), std::string::npos);
  EXPECT_NE(features("0 1 2 0 0 one").find("'one' is no number"), std::string::npos);
  EXPECT_NE(features("0 1 2 0 0 0 0").find("more than two points"), std::string::npos);
  EXPECT_NE(features("bone:head bone:wing").find("no bone 'wing'"), std::string::npos);
  job_.features.clear();
  job_.target = samples / "tube.glb";
  EXPECT_NE(complaint().find("no bone of sumo.glb corresponds to one of tube.glb"), std::string::npos);
  job_.source = samples / "tube.glb";
  EXPECT_NE(complaint().find("its rigs are for sumo.glb"), std::string::npos);
  job_.source = samples / "sumo.glb";
  job_.output = job_.rigs;
  EXPECT_THROW(transfer_shapes(job_), Error);
}

TEST(FeaturePoints, PlacesAndBones) {
  SimulationSurface source, target;
  source.bones.resize(1), target.bones.resize(1);
  source.bones[0].name = "head";
  source.bones[0].segments = {{{0, 1, 0}, {0, 2, 0}}};
  const std::vector<PointPair> pairs =
      feature_points_from("# nose\n bone:head 1 2 3\r\n1e-1 0 0  0 0 -1 # tail\n", "features.txt", source, target);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].source, (Vec3{0, 1, 0}));
  EXPECT_EQ(pairs[0].target, (Vec3{1, 2, 3}));
  EXPECT_EQ(pairs[1].target, (Vec3{0, 0, -1}));
}

}  // namespace
}  // namespace sinew
