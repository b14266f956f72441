// The experiments of `sinew-study mixed` on a small bar: that they measure what they say, and the claims of
// docs/mixed_fem_comparisons.md.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/linalg/rotation.h"
#include "studies/mixed/bend.h"
#include "studies/mixed/free_rotations.h"
#include "studies/mixed/posed_body.h"
#include "studies/mixed/reference.h"
#include "studies/mixed/tables.h"
#include "studies/mixed/twist.h"
#include "studies/reference/corotated.h"
#include "studies/reference/static_equilibrium.h"

namespace sinew {
namespace {

constexpr Material material{3e4, 0.45, 1000};

Bar small_bar() { return make_bar({12, 2, 0.1}); }

TEST(MixedStudy, MeasuresWhatIsKnown) {
  const Bar bar = small_bar();
  const TetrahedralMesh& mesh = bar.lattice.mesh;
  std::vector<Vec3> positions = mesh.positions;
  MeshMeasures rest = measure_body(mesh, positions);
  EXPECT_NEAR(rest.volume_ratio, 1, 1e-14);
  EXPECT_NEAR(rest.largest_stretch, 1, 1e-12);
  EXPECT_EQ(rest.inverted + rest.overlapping + rest.crossing, 0);

  // An affine map has its own determinant and singular values.
  for (Vec3& p : positions) p = {1.5 * p.y, -0.9 * p.x, 0.8 * p.z};
  MeshMeasures mapped = measure_body(mesh, positions);
  EXPECT_NEAR(mapped.volume_ratio, 1.5 * 0.9 * 0.8, 1e-12);
  EXPECT_NEAR(mapped.largest_stretch, 1.5, 1e-12);
  EXPECT_NEAR(mapped.smallest_stretch, 0.8, 1e-12);
  for (const double ratio : vertex_volume_ratios(mesh, positions)) EXPECT_NEAR(ratio, 1.08, 1e-12);

  // A mirror image is inside out everywhere.
  for (std::size_t v = 0; v < positions.size(); ++v) {
    positions[v] = mesh.positions[v];
    positions[v].z *= -1;
  }
  MeshMeasures mirrored = measure_body(mesh, positions);
  EXPECT_NEAR(mirrored.volume_ratio, -1, 1e-12);
  EXPECT_EQ(mirrored.inverted, static_cast<int>(mesh.tetrahedra.size()));
  EXPECT_NEAR(mirrored.smallest_stretch, -1, 1e-12);
}

// Wound around a circle that is shorter than the bar, its ends run through each other.
TEST(MixedStudy, CountsSelfOverlap) {
  const Bar bar = make_bar({40, 2, 0.1});
  const auto wound = [&](double turns) {
    std::vector<Vec3> positions = bar.lattice.mesh.positions;
    const double radius = bar.length / (2 * 3.14159265358979 * turns);
    for (Vec3& p : positions) {
      const double angle = p.x / radius, r = radius - p.y + 0.013;
      p = {r * std::sin(angle), radius - r * std::cos(angle), p.z + 0.001};
    }
    return measure_body(bar.lattice.mesh, positions);
  };
  const MeshMeasures open = wound(0.9), closed = wound(1.1);
  EXPECT_EQ(open.overlapping + open.crossing + open.inverted, 0);
  EXPECT_GT(closed.overlapping, 20);
  EXPECT_GT(closed.crossing, 20);
  EXPECT_EQ(closed.inverted, 0);
}

TEST(MixedStudy, FreeEquilibriaAreThoseOfStaticEquilibrium) {
  const Bar bar = small_bar();
  for (const MixedMaterial kind : {MixedMaterial::arap, MixedMaterial::corotated})
    for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{1, 0, 0}}) {
      PosedBody body(bar.lattice.mesh, bar.bones, material, {kind, 1}, axis.x == 1 ? end_pins(bar) : BonePins{});
      std::vector<Vec3> mixed;
      body.pose(turned(bar, axis, 80), mixed);
      const FreeEquilibrium free = free_equilibrium(*body.body(), body.load(), mixed, {1e-9, 300});
      StrainSamples samples = body.body()->samples;
      if (kind == MixedMaterial::arap) samples.lambda.assign(samples.size(), 0.0);
      const Equilibrium reference =
          static_equilibrium(samples, mixed, std::vector<Vec3>(mixed.size()), body.body()->pins.held, {1e-9, 300});
      EXPECT_LT(rms_distance(free.positions, reference.positions), 1e-6 * bar.width);
      EXPECT_NEAR(free.energy, corotated_energy(samples, reference.positions), 1e-7 * free.energy);
      EXPECT_LT(free.energy, elastic_energy(*body.body(), mixed));
      EXPECT_LT(free.iterations, 20);
    }
}

// Every fixed point of "solve, then take the closest rotations" is an equilibrium: given those rotations, the mixed
// solution is the equilibrium itself, for every material.
TEST(MixedStudy, FreeEquilibriaAreMixedSolutionsOfTheirOwnRotations) {
  const Bar bar = small_bar();
  for (const MixedMaterial kind : mixed_materials) {
    PosedBody body(bar.lattice.mesh, bar.bones, material, {kind, 1});
    std::vector<Vec3> mixed, again;
    body.pose(turned(bar, {0, 0, 1}, 50), mixed);
    const FreeEquilibrium free = free_equilibrium(*body.body(), body.load(), mixed, {1e-10, 300});
    std::vector<Mat3> rotations;
    for (std::size_t s = 0; s < body.body()->samples.size(); ++s)
      rotations.push_back(closest_rotation(deformation_gradient(body.body()->samples, s, free.positions)));
    MixedSolverOptions exact;
    exact.linear_solver = MixedLinearSolver::direct;
    MixedSolver(body.body(), exact).solve({rotations, body.load().held, {}, {}}, again);
    EXPECT_LT(rms_distance(again, free.positions), 1e-6 * bar.width) << name_of(kind);
  }
}

// Pins along the axis leave a body with free rotations without any stress where the bones only turn about it.
TEST(MixedStudy, FreeRotationsDoNotKnowOfATwistWithoutPins) {
  const Bar bar = small_bar();
  PosedBody body(bar.lattice.mesh, bar.bones, material, {MixedMaterial::arap, 1});
  std::vector<Vec3> mixed;
  body.pose(turned(bar, {1, 0, 0}, 80), mixed);
  const FreeEquilibrium free = free_equilibrium(*body.body(), body.load(), mixed);
  EXPECT_LT(free.energy, 1e-6 * elastic_energy(*body.body(), mixed));
}

// Figure 4 of the paper, and what the page says of it.
TEST(MixedStudy, BendsAsThePageSays) {
  const Bar bar = make_bar({16, 4, 0.1});
  BendOptions options;
  options.degrees = {90, 120};
  options.step = 15;
  const auto run = [&](BendMethod method, MixedMaterial kind) { return bend(bar, method, kind, options); };
  const BendRun handles = run(BendMethod::fem_handles, MixedMaterial::corotated),
                bones = run(BendMethod::fem_bones, MixedMaterial::corotated),
                clusters = run(BendMethod::clusters, MixedMaterial::corotated);
  for (std::size_t k = 0; k < options.degrees.size(); ++k) {
    ASSERT_TRUE(handles.poses[k].solved && bones.poses[k].solved && clusters.poses[k].solved);
    // Few vertices: pleasing, and off the skeleton. All along the bones: on it, and crushed.
    EXPECT_GT(handles.poses[k].rms_offset, 0.15);
    EXPECT_GT(std::abs(handles.poses[k].followed_degrees - options.degrees[k]), 5);
    EXPECT_LT(bones.poses[k].rms_offset, 1e-9);
    EXPECT_LT(bones.poses[k].body.smallest_stretch, 0.2);
  }
  options.step = 120;
  for (const MixedMaterial kind : {MixedMaterial::arap, MixedMaterial::corotated, MixedMaterial::stable_neo_hookean}) {
    const BendRun smooth = run(BendMethod::smooth, kind);
    for (std::size_t k = 0; k < options.degrees.size(); ++k) {
      const BendPose& pose = smooth.poses[k];
      ASSERT_TRUE(pose.solved);
      EXPECT_LT(std::abs(pose.followed_degrees - options.degrees[k]), 2);
      EXPECT_LT(pose.rms_offset, 0.7 * handles.poses[k].rms_offset);
      EXPECT_EQ(pose.body.inverted + pose.body.overlapping + pose.body.crossing, 0);
      EXPECT_LT(std::abs(pose.body.volume_ratio - 1), kind == MixedMaterial::arap ? 0.10 : 0.06);
    }
  }
  EXPECT_EQ(PosedBody(bar.lattice.mesh, bar.bones, material, {}).body()->pins.held.size(), 6u);
  EXPECT_GT(bones.poses[1].body.overlapping + bones.poses[1].body.inverted, 10);
  EXPECT_GT(clusters.poses[1].body.overlapping + clusters.poses[1].body.inverted, 10);
}

// The page's own bar, with samples that do not lock.
TEST(MixedStudy, PatchesBendAsThePageSays) {
  BendOptions options;
  options.degrees = {120};
  options.step = 120;
  const BendRun run = bend(make_bar({}), BendMethod::patches, MixedMaterial::corotated, options);
  const BendPose& pose = run.poses[0];
  ASSERT_TRUE(pose.solved);
  EXPECT_EQ(run.solves, 1);
  EXPECT_LT(std::abs(pose.followed_degrees - 120), 1);
  EXPECT_LT(std::abs(pose.body.volume_ratio - 1), 0.03);
  EXPECT_EQ(pose.body.inverted + pose.body.overlapping + pose.body.crossing, 0);
}

// Figure 9.
TEST(MixedStudy, TwistsAsThePageSays) {
  const Bar bar = make_bar({16, 4, 0.1});
  TwistOptions options;
  options.degrees = {120};
  const std::vector<TwistPose> poses = twist_experiment(bar, options);
  ASSERT_EQ(poses.size(), 12u);
  for (std::size_t k = 0; k < poses.size(); k += 3) {
    const TwistPose &clusters = poses[k], &smooth = poses[k + 1], &far = poses[k + 2];
    ASSERT_EQ(clusters.reach, 0);
    const bool arap = clusters.material == MixedMaterial::arap;
    EXPECT_GT(smooth.smallest_section, arap ? 0.7 : 0.8);
    EXPECT_GT(far.smallest_section, 0.85);
    EXPECT_GT(smooth.smallest_section, clusters.smallest_section);
    EXPECT_LT(smooth.energy, 0.5 * clusters.energy);
    EXPECT_EQ(smooth.body.inverted, 0);
    EXPECT_LT(clusters.smallest_section, arap ? 0.3 : 0.95);
  }
}

// The smooth field is nearer to free rotations than clusters are, in energy and in place, for every material.
TEST(MixedStudy, SmoothFieldsAreNearerToFreeRotations) {
  const std::vector<ReferenceRow> rows = reference_experiment(small_bar());
  ASSERT_EQ(rows.size(), 24u);
  for (std::size_t k = 0; k < rows.size(); k += 2) {
    const ReferenceRow &clusters = rows[k], &smooth = rows[k + 1];
    if (smooth.material == MixedMaterial::st_venant_kirchhoff) continue;
    ASSERT_TRUE(clusters.solved && smooth.solved) << smooth.pose;
    EXPECT_GE(smooth.energy, smooth.reference_energy) << smooth.pose;
    EXPECT_LT(smooth.energy, clusters.energy) << smooth.pose;
  }
}

}  // namespace
}  // namespace sinew
