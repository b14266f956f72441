#include "sinew/rig/lattice_deformer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sinew/base/error.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/wire_deformer.h"
#include "tests/base/refusal.h"
#include "tests/rig/layered_character.h"
#include "tests/rig/rig_checks.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

using namespace test;

LatticeBox slanted() { return {{1, 2, 3}, {{{2, 0.3, 0}, {-0.2, 1, 0.1}, {0.4, 0, 3}}}, {3, 1, 2}}; }

std::vector<Vec3> grid_of(const LatticeBox& box) {
  std::vector<Vec3> grid;
  for (int i = 0; i <= box.degrees[0]; ++i)
    for (int j = 0; j <= box.degrees[1]; ++j)
      for (int k = 0; k <= box.degrees[2]; ++k) grid.push_back(lattice_point(box, {i, j, k}));
  return grid;
}

Vec3 inside(const LatticeBox& box, const Vec3& stu) {
  return box.origin + box.axes[0] * stu.x + box.axes[1] * stu.y + box.axes[2] * stu.z;
}

// A sum over the points of the grid, each weighted by three polynomials.
double rounding_in(const std::vector<Vec3>& grid) {
  double size = 1;
  for (const Vec3& x : grid) size = std::max(size, norm(x));
  return test::rounding_of(size, static_cast<double>(grid.size()) + 3 * 4);
}

TEST(Lattice, CoordinatesAreThoseOfTheBox) {
  const LatticeBox box = slanted();
  const Vec3 stu{0.3, 0.9, 0.2};
  EXPECT_LE(norm(lattice_coordinates(box, inside(box, stu)) - stu), rounding_in(grid_of(box)));
}

TEST(Lattice, TheUndisplacedGridIsTheIdentity) {
  const LatticeBox box = slanted();
  const std::vector<Vec3> grid = grid_of(box);
  for (const Vec3& stu : {Vec3{0, 0, 0}, Vec3{0.3, 0.9, 0.2}, Vec3{1, 1, 1}, Vec3{0.5, 0.5, 0.7}})
    EXPECT_LE(norm(free_form_deformation(box, grid, stu) - inside(box, stu)), rounding_in(grid));
}

TEST(Lattice, AffineMapsOfTheGridAreAffineMapsOfTheInside) {
  const LatticeBox box = slanted();
  const Affine map{Mat3{{1, 0.3, 0, -0.2, 2, 0.1, 0, 0.5, 0.7}}, {1, 2, -4}};
  std::vector<Vec3> grid = grid_of(box);
  for (Vec3& x : grid) x = map * x;
  const Vec3 stu{0.3, 0.9, 0.2};
  EXPECT_LE(norm(free_form_deformation(box, grid, stu) - map * inside(box, stu)), rounding_in(grid));
}

// Degree 1 is trilinear, and the middle of degree 2 weighs 2 s (1 - s).
TEST(Lattice, WeightsAreBernsteins) {
  const LatticeBox box{{}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 2, 1}};
  const Vec3 stu{0.3, 0.2, 0.9};
  EXPECT_NEAR(lattice_weight(box, {1, 1, 0}, stu), 0.3 * (2 * 0.2 * 0.8) * 0.1, 1e-16);
  EXPECT_NEAR(lattice_weight(box, {0, 2, 1}, stu), 0.7 * 0.2 * 0.2 * 0.9, 1e-16);
}

struct LatticedCharacter {
  Character character = rig_character();
  LatticeBox box;
  std::vector<LatticeControl> controls;
  SimulationSurface surface;

  LatticedCharacter() {
    const double metres = character.metres_per_unit;
    Vec3 centre;
    for (const double share : {0.3, 0.6})
      for (const double side : {-1.0, 1.0}) centre += on_tube(character, share, side) * (metres / 4);
    box = {centre - Vec3{0.5, 0.5, 0.5}, {{{1, 0, 0}, {0.1, 1, 0}, {0, 0, 1}}}, {2, 2, 3}};
    std::vector<Vec3> places;
    for (const LatticeIndex& i : {LatticeIndex{1, 1, 1}, LatticeIndex{1, 1, 2}, LatticeIndex{2, 1, 1}}) {
      controls.push_back({0, i});
      places.push_back(lattice_point(box, i) / metres);
    }
    const int first = add_control_nodes(character, spine_joint, "cage", places);
    for (std::size_t c = 0; c < controls.size(); ++c) controls[c].node = first + static_cast<int>(c);
    surface = simulation_surface(character);
  }
};

TEST(LatticeLayer, IsTheWholeDeformationOfItsGrid) {
  const LatticedCharacter latticed;
  const LatticeBox& box = latticed.box;
  CharacterRig plain(latticed.character, latticed.surface), rig(latticed.character, latticed.surface);
  rig.add_layer(std::make_unique<LatticeLayer>("lattice", box, latticed.controls));
  const std::vector<double> rest = rest_parameters(rig);
  EXPECT_EQ(evaluated(rig, rest), evaluated(plain, rest));
  std::vector<double> p = rest;
  std::vector<Vec3> grid = grid_of(box);
  const Mat3 carrier = sample(latticed.character.skeleton, nullptr, 0).world[spine_joint].linear;
  for (std::size_t c = 0; c < 3; ++c) {
    const Vec3 offset{0.02 * static_cast<double>(c), -0.05, 0.07};
    const auto first = static_cast<std::size_t>(rig.first_parameter(latticed.controls[c].node));
    for (std::size_t k = 0; k < 3; ++k) p[first + k] = offset[k];
    const LatticeIndex& i = latticed.controls[c].point;
    grid[static_cast<std::size_t>((i[0] * 3 + i[1]) * 4 + i[2])] += carrier * offset / std::cbrt(determinant(carrier));
  }
  const std::vector<Vec3> still = evaluated(plain, rest), moved = evaluated(rig, p);
  int within = 0;
  for (std::size_t v = 0; v < still.size(); ++v) {
    const Vec3 stu = lattice_coordinates(box, still[v]);
    const bool is_inside = min(stu, Vec3{}) == Vec3{} && max(stu, Vec3{1, 1, 1}) == Vec3{1, 1, 1};
    EXPECT_LE(norm(moved[v] - (is_inside ? free_form_deformation(box, grid, stu) : still[v])), 1e-13);
    within += is_inside;
  }
  EXPECT_GT(within, 20);
  EXPECT_LT(within, static_cast<int>(still.size()));
}

TEST(LatticeLayer, RidesWithTheSkeleton) {
  const LatticedCharacter latticed;
  CharacterRig rig(latticed.character, latticed.surface);
  rig.add_layer(std::make_unique<LatticeLayer>("lattice", latticed.box, latticed.controls));
  std::vector<double> p = random_parameters(rig, 11, 0.5);
  const std::vector<Vec3> before = evaluated(rig, p);
  const auto root = static_cast<std::size_t>(rig.first_parameter(root_joint));
  const auto world = [&] { return to_affine(rig.local_transform(root_joint, p)); };
  const Affine old = world();
  p[root + 1] -= 0.3;
  p[root + 3] += 0.7;
  Affine motion = world() * inverse(old);
  motion.translation *= latticed.character.metres_per_unit;
  const std::vector<Vec3> after = evaluated(rig, p);
  for (std::size_t v = 0; v < before.size(); ++v) EXPECT_LE(norm(after[v] - motion * before[v]), 1e-13);
}

TEST(LatticeLayer, TheJacobianGoesThroughAStack) {
  LatticedCharacter latticed;
  std::vector<Vec3> places;
  for (const double share : {0.25, 0.45, 0.7}) places.push_back(on_tube(latticed.character, share, 1));
  const Wire wire{count_from(add_control_nodes(latticed.character, spine_joint, "wire", places), 3), 0.5};
  CharacterRig rig(latticed.character, latticed.surface);
  rig.add_layer(std::make_unique<WireLayer>("layers[0]", std::vector<Wire>{wire}));
  rig.add_layer(std::make_unique<LatticeLayer>("layers[1]", latticed.box, latticed.controls));
  rig.add_layer(std::make_unique<WireLayer>("layers[2]", std::vector<Wire>{wire}));
  expect_exact_jacobian(rig, random_parameters(rig, 2, 0.7), 1e-7);
}

TEST(LatticeLayer, RefusesWhatIsNoLattice) {
  const LatticedCharacter latticed;
  const auto refused = [&](const LatticeBox& box, std::vector<LatticeControl> controls) {
    return refusal(ErrorKind::input, [&] {
      CharacterRig rig(latticed.character, latticed.surface);
      rig.add_layer(std::make_unique<LatticeLayer>("layers[0]", box, std::move(controls)));
    });
  };
  LatticeBox box = latticed.box;
  box.axes[2] = box.axes[0];
  EXPECT_NE(refused(box, latticed.controls).find("layers[0]: the box is flat"), std::string::npos);
  box = latticed.box;
  box.degrees[0] = 0;
  EXPECT_NE(refused(box, latticed.controls).find("degrees"), std::string::npos);
  box = latticed.box;
  box.origin.x += 100;
  EXPECT_NE(refused(box, latticed.controls).find("no vertex is inside"), std::string::npos);
  std::vector<LatticeControl> controls = latticed.controls;
  controls[0].point = controls[1].point;
  EXPECT_NE(refused(latticed.box, controls).find("two nodes stand for one"), std::string::npos);
  controls = latticed.controls;
  controls[0].node = controls[1].node;
  EXPECT_NE(refused(latticed.box, controls).find("stands for two"), std::string::npos);
  controls[0].point[2] = 4;
  EXPECT_NE(refused(latticed.box, controls).find("index 4"), std::string::npos);
  EXPECT_NE(refused(latticed.box, {}).find("no control points"), std::string::npos);
}

}  // namespace
}  // namespace sinew
