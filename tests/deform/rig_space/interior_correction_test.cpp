// What a map of the boundary leaves out of the inside, against equilibrium.
#include "sinew/deform/rig_space/interior_correction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "sinew/deform/rig_space/interior_relaxation.h"
#include "sinew/deform/rig_space/rig_space_motion.h"
#include "sinew/deform/rig_space/static_interior.h"
#include "tests/base/refusal.h"
#include "tests/deform/rig_space/rig_space_bodies.h"
#include "tests/dense_algebra.h"

namespace sinew {
namespace {

using namespace test;

const Vec3 block_size{0.5, 0.3, 0.3};
const std::vector<int> free_ones{1, 2, 3};

// The first parameter bends the block and swings it about an end; the others push in, twist and thicken parts of it.
struct Block {
  std::shared_ptr<RigSpaceBody> body = rig_space_block({.cells = {5, 3, 3}, .size = block_size});
  FunctionRig rig = mapping_rig(*body, numbered_parameters(4), [](std::span<const double> p, const Vec3& x) {
    const double share = x.x / block_size.x, bump = std::sin(3 * share);
    const Vec3 moved{x.x, x.y + 0.1 * p[1] * bump * x.y, x.z + 0.3 * p[3] * bump * (x.z - 0.15)};
    const Vec3 at = posed({.bend = p[0], .twist = p[2]}, block_size, moved);
    return Vec3{at.x * std::cos(p[0]) - at.z * std::sin(p[0]), at.y, at.x * std::sin(p[0]) + at.z * std::cos(p[0])};
  });

  explicit Block(double negligible = 0) { correct_interior(*body, rig, free_ones, negligible); }
};

TetrahedralEnergy energy_of(const RigSpaceBody& body) {
  TetrahedralEnergy energy(body.mesh, body.material);
  energy.activate(std::vector<char>(body.mesh.positions.size(), 1));
  return energy;
}

// G at rest: by the map, by the map corrected, and of the inside in equilibrium.
struct RestBases {
  ReducedBasis map, corrected, equilibrium;
};

RestBases rest_bases(Block& block) {
  const std::vector<double> p(4, 0.0);
  std::vector<Vec3> s(block.rig.vertices());
  block.rig.evaluate(p, s);
  RigJacobian jacobian;
  RigDifferences(block.rig, free_ones, p).jacobian(p, jacobian);
  const std::vector<Mat3> straight(block.body->interior_vertices(), Mat3::identity());
  TetrahedralEnergy energy = energy_of(*block.body);
  return {
      body_basis(*block.body, s, jacobian), corrected_basis(*block.body, s, jacobian, straight),
      StaticInterior(*block.body, energy).basis(block.body->mesh.positions, boundary_basis(*block.body, s, jacobian))};
}

Eigen::MatrixXd reduced_stiffness(const RigSpaceBody& body, const ReducedBasis& basis) {
  TetrahedralEnergy energy = energy_of(body);
  BlockMatrix hessian = energy.hessian_pattern();
  energy.hessian(body.mesh.positions, HyperelasticTangent::exact, hessian);
  const std::size_t size = basis.padded_columns();
  std::vector<double> stiffness(size * size, 0.0);
  add_reduced_stiffness(basis, hessian, stiffness);
  const Eigen::MatrixXd all = Eigen::Map<const Eigen::MatrixXd>(stiffness.data(), row(size), row(size));
  return all.topLeftCorner(row(basis.columns), row(basis.columns));
}

std::vector<Vec3> column_of(const ReducedBasis& basis, std::size_t column) {
  std::vector<double> unit(basis.columns, 0.0);
  unit[column] = 1;
  std::vector<Vec3> result(basis.vertices());
  displace(basis, unit, std::vector<Vec3>(basis.vertices()), result);
  return result;
}

double largest_difference(std::span<const Vec3> a, std::span<const Vec3> b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v) largest = std::max(largest, distance(a[v], b[v]));
  return largest;
}

TEST(InteriorCorrection, MakesTheBasisThatOfEquilibriumAtRest) {
  Block block;
  const RestBases bases = rest_bases(block);
  for (std::size_t c = 0; c < free_ones.size(); ++c) {
    const std::vector<Vec3> expected = column_of(bases.equilibrium, c);
    EXPECT_LT(largest_difference(column_of(bases.corrected, c), expected), 1e-12);
    EXPECT_GT(largest_difference(column_of(bases.map, c), expected), 1e-3);
  }
}

// What is left out of it costs next to nothing, since equilibrium is where the energy is least.
TEST(InteriorCorrection, LeavesOutWhatTheStiffnessDoesNotFeel) {
  Block block(0.02);
  const RestBases bases = rest_bases(block);
  const Eigen::MatrixXd equilibrium = reduced_stiffness(*block.body, bases.equilibrium);
  const auto excess = [&](const ReducedBasis& basis) {
    return test::symmetric_eigenvalues(reduced_stiffness(*block.body, basis), equilibrium).maxCoeff() - 1;
  };
  EXPECT_GT(excess(bases.corrected), 1e-9);
  EXPECT_LT(excess(bases.corrected), 0.01);
  EXPECT_GT(excess(bases.map), 0.05);
}

TEST(InteriorCorrection, TurnsWithTheBody) {
  Block block;
  const RigSpaceBody& body = *block.body;
  Noise noise(3);
  const Mat3 turn = to_matrix(normalized(Quat{noise(), noise(), noise(), noise()}));
  const Vec3 shift = noise.vector();
  const std::vector<double> away{0.4, -0.3, 0.6};
  std::vector<Vec3> offset;
  for (std::size_t i = 0; i < body.interior_vertices(); ++i) offset.push_back(0.01 * noise.vector());
  const auto corrected = [&](bool turned) {
    std::vector<Vec3> x = body.mesh.positions;
    if (turned)
      for (Vec3& position : x) position = turn * position + shift;
    std::vector<Mat3> rotations(body.interior_vertices());
    interior_rotations(body.correction, x, rotations);
    add_correction(body.correction, rotations, away, offset, std::span<Vec3>(x).subspan(body.boundary_vertices()));
    return x;
  };
  const std::vector<Vec3> straight = corrected(false), turned = corrected(true);
  double moved = 0;
  for (std::size_t v = 0; v < straight.size(); ++v) {
    EXPECT_LT(distance(turned[v], turn * straight[v] + shift), 1e-12);
    moved = std::max(moved, distance(straight[v], body.mesh.positions[v]));
  }
  EXPECT_GT(moved, 0.01);
}

TEST(InteriorRelaxation, LowersTheEnergyAsFarAsEquilibrium) {
  Block block;
  const RigSpaceBody& body = *block.body;
  InteriorRelaxation relaxation(body);
  TetrahedralEnergy energy = energy_of(body);
  StaticInterior inside(body, energy);
  for (const BlockPose& pose :
       {BlockPose{.bend = 0.7, .twist = -0.4}, BlockPose{.bend = -0.3, .twist = 0.8, .squeeze = 0.2}}) {
    std::vector<Vec3> x = body.mesh.positions;
    for (std::size_t v = 0; v < body.boundary_vertices(); ++v) x[v] = posed(pose, block_size, x[v]);
    place_interior(body, x);
    const std::vector<Vec3> mapped = x;
    std::vector<Vec3> expected = x;
    inside.solve(expected);
    std::vector<Mat3> rotations(body.interior_vertices());
    std::vector<Vec3> offset(body.interior_vertices());
    interior_rotations(body.correction, x, rotations);
    double before = energy.energy(x);
    int iterations = 0;
    while (relaxation.iterate(x, rotations, offset) > 1e-10) {
      const double now = energy.energy(x);
      EXPECT_LT(now, before);
      before = now;
      ASSERT_LT(++iterations, 100);
    }
    EXPECT_LT(largest_difference(x, expected), 1e-8);
    EXPECT_GT(largest_difference(mapped, expected), 1e-3);
    // The offset says the same in rest space.
    std::vector<Vec3> again = mapped;
    add_correction(body.correction, rotations, std::vector<double>(3, 0.0), offset,
                   std::span<Vec3>(again).subspan(body.boundary_vertices()));
    EXPECT_LT(largest_difference(again, x), 1e-12);
  }
}

std::vector<std::vector<Vec3>> frames(InteriorVertices interior, RestShape rest, double amplitude) {
  Block block(0.01);
  RigSpaceDynamics dynamics;
  dynamics.interior = interior;
  dynamics.rest = rest;
  dynamics.deferred = false;
  dynamics.limit_stiffness = 0;
  RigSpaceMotion motion(block.body, block.rig, free_ones, dynamics);
  const auto keyed = [amplitude](double t) { return std::vector<double>{amplitude * std::sin(7 * t), 0, 0, 0}; };
  motion.reset(keyed(0), keyed(0.01), 0.01);
  std::vector<std::vector<Vec3>> result;
  for (int step = 1; step <= 60; ++step) {
    motion.advance(keyed(0.01 * step), 0.01);
    result.emplace_back(motion.positions().begin(),
                        motion.positions().begin() + static_cast<std::ptrdiff_t>(block.body->boundary_vertices()));
  }
  return result;
}

double mean_distance(const std::vector<std::vector<Vec3>>& a, const std::vector<std::vector<Vec3>>& b) {
  double sum = 0;
  for (std::size_t f = 0; f < a.size(); ++f)
    for (std::size_t v = 0; v < a[f].size(); ++v) sum += distance(a[f][v], b[f][v]);
  return sum / static_cast<double>(a.size() * a[0].size());
}

// A swung block; a Jacobian per step, so that nothing else is left out. Where poses strain the body the map misses
// their forces too; where they do not, only what the inside weighs and how the free parameters find it.
TEST(CorrectedInterior, MovesAsOneInEquilibrium) {
  for (const double amplitude : {0.2, 0.7})
    for (const RestShape rest : {RestShape::pose, RestShape::body}) {
      const auto expected = frames(InteriorVertices::equilibrium, rest, amplitude);
      const double map = mean_distance(frames(InteriorVertices::skinning, rest, amplitude), expected);
      const double corrected = mean_distance(frames(InteriorVertices::corrected, rest, amplitude), expected);
      EXPECT_LT(corrected, (rest == RestShape::pose ? 0.4 : 0.05) * map);
      EXPECT_GT(map, 1e-4 * block_size.y);
    }
}

// The offset is found to the end before the first step: nothing creeps.
TEST(CorrectedInterior, AHeldPoseStaysAsItIs) {
  Block block(0.01);
  RigSpaceDynamics dynamics;
  dynamics.interior = InteriorVertices::corrected;
  RigSpaceMotion motion(block.body, block.rig, free_ones, dynamics);
  const std::vector<double> held{0.7, 0, 0, 0};
  motion.reset(held, held, 0.01);
  for (int step = 0; step < 50; ++step) motion.advance(held, 0.01);
  // A force is a sum over the tetrahedra, each with the rounding of the pose. The weakest free parameter moves the
  // surface by a tenth of its own value, so that its stiffness is a hundredth and rounding of the force counts a
  // hundredfold. Steps do not add up: each finds the same equilibrium. Ten times that is allowed, since how sums round
  // depends on the processor.
  const double rounding = std::numeric_limits<double>::epsilon() * held[0] *
                          static_cast<double>(block.body->mesh.tetrahedra.size()) / (0.1 * 0.1);
  for (const double value : motion.free_values()) EXPECT_LT(std::abs(value), 10 * rounding);
}

TEST(CorrectedInterior, WantsACorrectionForItsParameters) {
  Block block;
  RigSpaceDynamics dynamics;
  dynamics.interior = InteriorVertices::corrected;
  EXPECT_NE(refusal(ErrorKind::usage,
                    [&] {
                      RigSpaceMotion(block.body, block.rig, {1, 2}, dynamics);
                    })
                .find("correction"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
