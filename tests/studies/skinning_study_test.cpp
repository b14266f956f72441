// Sentences that the comparison of skinning makes about the tube must hold on any machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "sinew/character/simulation_surface.h"
#include "sinew/gltf/read/read_character.h"
#include "studies/skinning/bent_tube.h"
#include "studies/skinning/tables.h"
#include "tests/base/refusal.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

const SkinningComparison& geometric_families() {
  static const SkinningComparison comparison =
      compare_skinning(bent_tube(), "tube", "upper", {.geometric = true, .physical = false});
  return comparison;
}

const SkinMeasures& measured(const std::string& family, const std::string& bend) {
  const SkinningComparison& comparison = geometric_families();
  for (const SkinningRun& run : comparison.runs)
    for (std::size_t b = 0; b < run.results.size(); ++b)
      if (run.family == family && comparison.bends[b].name == bend) return run.results[b].measures;
  throw std::runtime_error("no result of " + family + ", " + bend);
}

TEST(SkinningStudy, LinearLosesVolumeThatVolumeSkinningKeeps) {
  EXPECT_NEAR(measured("linear", "upper 135").volume_change, -0.08, 0.015);
  for (const Bend& bend : geometric_families().bends)
    EXPECT_LE(std::abs(measured("volume", bend.name).volume_change), 1e-3) << bend.name;
  EXPECT_LT(measured("linear", "upper 45").volume_change, 0);
}

TEST(SkinningStudy, RigidSkinTears) {
  for (const char* bend : {"upper 45", "upper 90", "upper 135", "upper twist 180"})
    EXPECT_GT(measured("rigid", bend).largest_stretch, 2 * measured("linear", bend).largest_stretch) << bend;
}

TEST(SkinningStudy, ATwistCollapsesLinearSkinAndNoDualQuaternions) {
  EXPECT_LT(measured("linear", "upper twist 180").thinnest, 0.1);
  EXPECT_NEAR(measured("dualquat", "upper twist 180").thinnest, 1, 1e-6);
  EXPECT_TRUE(std::isnan(measured("linear", "upper 90").thinnest));
}

TEST(SkinningStudy, SharpBendsPassThroughThemselves) {
  EXPECT_EQ(measured("linear", "upper 45").twice_inside, 0);
  EXPECT_GT(measured("linear", "upper 135").twice_inside, 50);
  EXPECT_GT(measured("linear", "upper 135").depth, 0.02);
  EXPECT_LT(measured("linear", "upper 135").depth, 0.1);  // the tube's radius
}

// Two balls of radius r, each on its own bone, whose centres come to a distance d: vertices of one within the other are
// counted by distances, and the deepest is sqrt(2 r r - r d) below the circle in which the balls meet.
TEST(SkinningStudy, OverlapAndDepthOfTwoBalls) {
  constexpr double r = 0.5, d = 0.7;
  SimulationSurface surface;
  surface.rest = test::sphere({0, r, 0}, r, 48);
  const auto half = static_cast<int>(surface.rest.positions.size());
  const TriangleMesh second = test::sphere({3 * r, r, 0}, r, 48);
  surface.rest.positions.insert(surface.rest.positions.end(), second.positions.begin(), second.positions.end());
  for (const Triangle& t : second.triangles) surface.rest.triangles.push_back({t[0] + half, t[1] + half, t[2] + half});
  surface.bones.resize(2);
  surface.influences.resize(surface.rest.positions.size());
  std::vector<Vec3> met = surface.rest.positions;
  int inside = 0;
  for (std::size_t v = 0; v < met.size(); ++v) {
    const bool other = v >= static_cast<std::size_t>(half);
    surface.influences[v] = {1, {other ? 1 : 0}, {1}};
    if (other) met[v].x -= 3 * r - d;
    inside += distance(met[v], {other ? 0 : d, r, 0}) < 0.99 * r ? 1 : 0;  // faces lie within the ball
  }
  Bend bend;
  bend.turns.push_back({1, {0, 1, 0}, {}, 0});
  const SkinMeasures measures = SkinMeasurement(surface).measure(bend, std::vector<Affine>(2), met);
  EXPECT_GT(inside, 50);
  EXPECT_NEAR(measures.twice_inside, inside, 0.05 * inside);
  EXPECT_NEAR(measures.depth, std::sqrt(2 * r * r - r * d), 0.04 * r);
  EXPECT_TRUE(std::isnan(measures.volume_change));  // nothing bends
}

// A skin that is where it was at rest measures as nothing.
TEST(SkinningStudy, RestIsUnchanged) {
  const SimulationSurface surface = simulation_surface(bent_tube());
  const SkinMeasurement measurement(surface);
  const Bend twist = bends_of_joint(surface.bones, "upper").back();
  const SkinMeasures rest = measurement.measure(twist, std::vector<Affine>(2), surface.rest.positions);
  EXPECT_NEAR(rest.volume_change, 0, 1e-12);
  EXPECT_EQ(rest.twice_inside, 0);
  for (const double stretch : {rest.stretch, rest.largest_stretch, rest.smallest_stretch, rest.thinnest})
    EXPECT_NEAR(stretch, 1, 1e-12);
  EXPECT_EQ(measurement.around(twist).size(), surface.rest.positions.size());
}

// Rows of a table of one character that are about a family.
std::ptrdiff_t rows_of(const char* family, const Table& table) {
  return std::count_if(table.rows.begin(), table.rows.end(),
                       [&](const auto& row) { return row[1] == TableCell(std::string(family)); });
}

TEST(SkinningStudy, TheTableNamesEveryFamily) {
  FamilyOptions few;
  few.tetrahedra = 300;
  few.cells = 40;
  few.most_rest = 0.2;
  few.geometric = false;
  const SkinningComparison physical = compare_skinning(bent_tube(), "tube", "upper", few);
  for (const char* family : {"linear", "dualquat", "volume", "rigid"})
    EXPECT_EQ(rows_of(family, skinning_table(geometric_families())), 4) << family;
  for (const char* family : {"mixed", "springs", "flesh, lattice", nonlinear_family})
    EXPECT_EQ(rows_of(family, skinning_table(physical)), 4) << family;
  EXPECT_EQ(skinning_summary({geometric_families(), physical}).rows.size(),
            geometric_families().runs.size() + physical.runs.size());
  for (const SkinningRun& run : physical.runs) EXPECT_EQ(run.failure, "") << run.family;
  EXPECT_EQ(physical.runs.back().results.front().distance, 0);
  EXPECT_GT(physical.runs.front().results.front().distance, 0);
}

// Distance of the turned bones' end from the joint that they bend towards, over that at rest.
double folded(const Character& character, std::span<const Bone> bones, const Bend& bend) {
  const auto at = [&](const LimbTurn& turn) { return static_cast<std::size_t>(turn.bone); };
  const std::size_t first = at(bend.turns.front()), last = at(bend.turns.back());
  const Vec3 tip = bones[last].segments.front().tail,
             root = bones[static_cast<std::size_t>(bones[first].parent)].segments.front().head;
  const std::vector<Affine> turned = bent_bones(character.skeleton, bones, bones, bend, 1);
  return distance(turned[last] * tip, root) / distance(tip, root);
}

TEST(SkinningStudy, BendsAreFoundByTheAnatomy) {
  const Character sumo = read_character(SINEW_SOURCE_DIR "/samples/sumo.glb");
  const std::vector<Bone> bones = simulation_surface(sumo).bones;
  std::string names;
  for (const Bend& bend : usual_bends(bones)) {
    names += bend.name + ", ";
    const std::string last = bones[static_cast<std::size_t>(bend.turns.back().bone)].name;
    if (bend.name == "elbow 135" || bend.name == "knee 135" || bend.name == "finger 90") {
      EXPECT_LT(folded(sumo, bones, bend), 0.7) << bend.name;
    }
    if (bend.name == "finger 90") {
      EXPECT_EQ(bend.turns.size(), 2u);
      EXPECT_EQ(last, "fingers_2_l");
    }
    if (bend.name == "arm raised 90") {
      const auto arm = static_cast<std::size_t>(bend.turns.front().bone);
      const Vec3 tip = bones[arm].segments.front().tail;
      EXPECT_EQ(last, "upper_arm_l");
      EXPECT_GT((bent_bones(sumo.skeleton, bones, bones, bend, 1)[arm] * tip).y, tip.y + 0.1);
    }
  }
  EXPECT_EQ(names,
            "elbow 45, elbow 90, elbow 135, forearm twist 180, knee 45, knee 90, knee 135, arm raised 90, finger 90, ");
}

TEST(SkinningStudy, AJointThatIsNotThereIsRefused) {
  const SimulationSurface surface = simulation_surface(bent_tube());
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { bends_of_joint(surface.bones, "wing*"); }).find("wing*"),
            std::string::npos);
  EXPECT_NE(test::refusal(ErrorKind::input, [&] { usual_bends(surface.bones); }).find("FILE:JOINT"), std::string::npos);
}

}  // namespace
}  // namespace sinew
