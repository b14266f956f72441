// Weights corrected by hand: they stay sums of one, locked joints stay, and names carry them to another rig.
#include "sinew/rigging/painted_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/rigging/joints_json.h"
#include "sinew/rigging/rig_mesh.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

Influences influences(const std::vector<std::pair<int, double>>& weights) {
  Influences result;
  for (const auto& [joint, weight] : weights) {
    result.joint[static_cast<std::size_t>(result.count)] = joint;
    result.weight[static_cast<std::size_t>(result.count++)] = weight;
  }
  return result;
}
double weight_at(const Influences& weights, int joint) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(weights.count); ++k)
    if (weights.joint[k] == joint) return weights.weight[k];
  return 0;
}
double sum_of(const Influences& weights) {
  double sum = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(weights.count); ++k) sum += weights.weight[k];
  return sum;
}

TEST(PaintedWeights, AChangedWeightMakesTheOthersMakeWay) {
  const Influences before = influences({{0, 0.6}, {1, 0.3}, {2, 0.1}});
  Influences after = with_weight(before, 1, 0.65, {});
  EXPECT_NEAR(weight_at(after, 1), 0.65, 1e-12);
  EXPECT_NEAR(weight_at(after, 0), 0.3, 1e-12);
  EXPECT_NEAR(sum_of(after), 1, 1e-12);
  EXPECT_EQ(after.joint[0], 1) << "sorted";
  EXPECT_NEAR(weight_at(with_weight(before, 3, 0.5, {}), 3), 0.5, 1e-12);
  EXPECT_EQ(with_weight(before, 1, 9, {}).count, 1);
  EXPECT_EQ(weight_at(with_weight(before, 1, -9, {}), 1), 0);
  const std::vector<char> locked{1, 0, 0, 0};
  after = with_weight(before, 1, 9, locked);
  EXPECT_NEAR(weight_at(after, 0), 0.6, 1e-12);
  EXPECT_NEAR(weight_at(after, 1), 0.4, 1e-12);
  EXPECT_EQ(with_weight(before, 0, 0, locked), before);
  EXPECT_NEAR(weight_at(with_weight(influences({{0, 0.6}, {1, 0.4}}), 1, 0, locked), 1), 0.4, 1e-12)
      << "nothing else may take it";
  EXPECT_NEAR(weight_at(with_weight(influences({{1, 1.0}}), 1, 0, {}), 1), 1, 1e-12);
  const Influences many = influences({{0, 0.25}, {1, 0.25}, {2, 0.25}, {3, 0.25}});
  EXPECT_EQ(with_weight(many, 4, 0.5, {}).count, 4);
  EXPECT_NEAR(sum_of(with_weight(many, 4, 0.5, {})), 1, 1e-12);
}

TEST(PaintedWeights, SmoothingGoesTowardsNeighboursAcrossSeams) {
  // Two triangles that share an edge in place only.
  TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2}, {3, 5, 4}}};
  std::vector<Influences> weights(6, influences({{0, 1.0}}));
  weights[5] = influences({{1, 1.0}});
  smooth_weights_by_hand(weights, {{1, 0.5}, {3, 0.5}}, mesh, {});
  EXPECT_GT(weight_at(weights[1], 1), 0.1);
  EXPECT_EQ(weights[1], weights[3]) << "both sides of the seam alike";
  EXPECT_EQ(weights[0], influences({{0, 1.0}}));
  const std::vector<Influences> before = weights;
  smooth_weights_by_hand(weights, {{1, 1}}, mesh, std::vector<char>{1, 1});
  EXPECT_EQ(weights, before) << "all are locked";
}

TEST(PaintedWeights, TheRightGetsTheWeightsOfTheLeft) {
  const TriangleMesh mesh = box({-1, 0, -1}, {1, 2, 1});
  const std::vector<PlacedJoint> joints{{"root", "", {}}, {"arm.L", "root", {1, 1, 0}}, {"arm.R", "root", {-1, 1, 0}}};
  std::vector<Influences> weights;
  for (const Vec3& p : mesh.positions) weights.push_back(influences({{p.x > 0 ? 1 : 0, 1.0}}));
  mirror_weights(weights, mesh, {MirrorAxis::x, 0, 0.01}, 0.1, joints);
  for (std::size_t v = 0; v < weights.size(); ++v)
    EXPECT_NEAR(weight_at(weights[v], mesh.positions[v].x > 0 ? 1 : 2), 1, 1e-9);
}

TEST(PaintedWeights, NamesCarryThemToTheFileAndToOtherJoints) {
  const std::vector<PlacedJoint> joints{{"a", "", {}}, {"b", "a", {0, 1, 0}}};
  const std::vector<Influences> before(3, influences({{0, 1.0}}));
  std::vector<Influences> after = before;
  add_weights(after, {{1, 0.3}}, 1, {});
  const PaintedWeights painted = painted_over({}, before, after, joints);
  ASSERT_EQ(painted.size(), 1u);
  EXPECT_EQ(painted.at(1)[0].first, "a");

  const JointsFile file{MirrorAxis::none, joints, painted};
  EXPECT_EQ(joints_from_json(joints_json(file), "file").painted, painted);
  for (const char* wrong :
       {R"("painted": 1)", R"("painted": [1])", R"("painted": [[-1, {"a": 1}]])", R"("painted": [[0, {"a": "x"}]])",
        R"("painted": [[0, {"a": -1}]])", R"("painted": [[0, {"a": 1e999}]])", R"("painted": [[0]])",
        R"("painted": [[0.5, {"a": 1}]])", R"("painted": [[0, {}]])"})
    EXPECT_THROW(
        joints_from_json(
            R"({"version": 1, "joints": [{"name": "a", "position": [0, 0, 0]}], )" + std::string(wrong) + "}", "file"),
        Error)
        << wrong;

  Character character;
  character.file = "mesh.obj";
  Part part;
  part.surface = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  part.influences = before;
  character.parts.push_back(part);
  apply_painted_weights(character, painted, joints, "file");
  EXPECT_EQ(surface_influences(character), after);
  apply_painted_weights(character, painted, {{"a", "", {}}}, "file");  // b is gone
  EXPECT_EQ(surface_influences(character)[1], before[1]);
  apply_painted_weights(character, {{2, {{"nobody", 1}}}}, joints, "file");
  EXPECT_EQ(surface_influences(character)[2], before[2]);
  EXPECT_THROW(apply_painted_weights(character, {{3, {{"a", 1}}}}, joints, "file"), Error);
}

}  // namespace
}  // namespace sinew
