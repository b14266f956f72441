// The material of rig-space physics: its frequency, and stiffness per control.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "sinew/cook/flesh/material_preset.h"
#include "sinew/elastic/strain_samples.h"
#include "studies/reference/hyperelastic_energy.h"
#include "tests/bake/rig_space_scenes.h"
#include "tests/base/refusal.h"
#include "tests/dense_algebra.h"
#include "tests/linalg/dense.h"

namespace sinew {
namespace {

using namespace test;

// The frequency that is told, by another way: generalised eigenvalues of dense matrices over the whole body.
double frequency_of(const CookedRigSpace& scene) {
  const RigSpaceBody& body = *scene.body;
  const std::size_t boundary = body.boundary_vertices(), all = body.mesh.positions.size();
  std::vector<double> rest;
  for (const RigParameter& parameter : scene.rig->parameters()) rest.push_back(parameter.rest);
  const auto placed = [&](std::size_t which, double by) {
    std::vector<double> p = rest;
    p[at(scene.free[which])] += by;
    std::vector<Vec3> s(scene.rig->vertices()), x(all);
    scene.rig->evaluate(p, s);
    for (std::size_t v = 0; v < boundary; ++v) x[v] = anchored_position(body.anchors[v], s);
    return x;
  };
  const auto columns = static_cast<Eigen::Index>(scene.free.size()), rows = static_cast<Eigen::Index>(3 * all);
  Eigen::MatrixXd basis(rows, columns);
  Eigen::VectorXd mass(rows);
  constexpr double step = 1e-4;
  for (std::size_t c = 0; c < scene.free.size(); ++c) {
    const std::vector<Vec3> less = placed(c, -step), more = placed(c, step);
    for (std::size_t v = 0; v < all; ++v)
      for (std::size_t axis = 0; axis < 3; ++axis)
        basis(static_cast<Eigen::Index>(3 * v + axis), static_cast<Eigen::Index>(c)) =
            (more[v][axis] - less[v][axis]) / (2 * step);
  }
  for (std::size_t v = 0; v < all; ++v) mass.segment<3>(static_cast<Eigen::Index>(3 * v)).setConstant(body.mass[v]);
  StrainSamples samples = strain_samples(body.mesh, Element::linear, {});
  samples.shear = body.material.shear;
  samples.lambda = body.material.lambda;
  for (std::size_t e = 0; e < samples.size(); ++e) samples.volume[e] *= body.material.fill[e];
  HyperelasticEnergy energy(samples, static_cast<int>(all), body.material.law);
  BlockMatrix hessian = energy.hessian_pattern();
  energy.hessian(std::vector<Vec3>(all), hessian);
  const Eigen::MatrixXd whole = dense(hessian);
  const auto outer = static_cast<Eigen::Index>(3 * boundary), inner = rows - outer;
  basis.bottomRows(inner) =
      -test::solved(whole.bottomRightCorner(inner, inner), whole.bottomLeftCorner(inner, outer) * basis.topRows(outer));
  const Eigen::MatrixXd stiffness = basis.transpose() * whole * basis;
  const Eigen::MatrixXd reduced = basis.transpose() * mass.asDiagonal() * basis;
  return std::sqrt(test::symmetric_eigenvalues(stiffness, reduced)(0)) / (2 * std::numbers::pi);
}

TEST(RigSpaceMaterial, HasTheFrequencyOfItsLook) {
  const Character character = tube_character();
  for (const Look look : {Look::subtle, Look::lively}) {
    RigSpaceSettings settings = quick();
    settings.look = look;
    const CookedRigSpace scene = cooked(character, settings);
    EXPECT_NEAR(scene.material.frequency, preset_frequency(look, 1), 1e-9);
    // The tube stands in its bind pose, but for the interior's weights, which leave it there to a thousandth of an
    // edge.
    EXPECT_NEAR(frequency_of(scene), scene.material.frequency, 0.01 * scene.material.frequency);
  }
}

// An inside that is solved for its equilibrium needs no map from the boundary, and none is learned where Young's
// modulus is given: the frequency that is told is that of the equilibrium.
TEST(RigSpaceMaterial, HasTheFrequencyOfItsEquilibrium) {
  const Character character = tube_character();
  for (const double young : {2e4, 2e5}) {
    RigSpaceSettings settings = quick();
    settings.inside = InteriorVertices::equilibrium;
    settings.young = young;
    const CookedRigSpace scene = cooked(character, settings);
    EXPECT_FALSE(scene.body->has_skinning());
    EXPECT_EQ(scene.material.young, young);
    EXPECT_NEAR(frequency_of(scene), scene.material.frequency, 1e-6 * scene.material.frequency);
    BakeOptions options = options_for(0);
    options.end = 0.1;
    EXPECT_GT(largest_curve(baked(character, scene, settings, options)), 1e-5);
  }
}

// Young's modulus as given, and factors of controls on top of it.
TEST(RigSpaceMaterial, StiffnessPerControl) {
  const Character character = tube_character();
  RigSpaceSettings settings = quick();
  settings.young = 2e4;
  const CookedRigSpace plain = cooked(character, settings);
  EXPECT_EQ(plain.material.young, 2e4);
  settings.controls = {{"upper", 4, std::nullopt}};
  const CookedRigSpace stiff = cooked(character, settings);
  // Tissue that the control moves is four times as stiff, other tissue as before; the frequency lies between.
  EXPECT_GT(stiff.material.frequency, 1.3 * plain.material.frequency);
  EXPECT_LE(stiff.material.frequency, 2 * plain.material.frequency + 1e-9);
  for (std::size_t e = 0; e < plain.body->material.shear.size(); ++e) {
    const double factor = stiff.body->material.shear[e] / plain.body->material.shear[e];
    EXPECT_GE(factor, 1 - 1e-12);
    EXPECT_LE(factor, 4 + 1e-12);
    EXPECT_NEAR(stiff.body->material.lambda[e] / plain.body->material.lambda[e], factor, 1e-12);
    const Tetrahedron& t = plain.body->mesh.tetrahedra[e];
    double lowest = HUGE_VAL, highest = 0;
    for (const int v : t) {
      lowest = std::min(lowest, plain.body->mesh.positions[at(v)].y);
      highest = std::max(highest, plain.body->mesh.positions[at(v)].y);
    }
    if (lowest > 0.6) {
      EXPECT_NEAR(factor, 4, 1e-9);
    }
    if (highest < 0.3) {
      EXPECT_NEAR(factor, 1, 1e-9);
    }
  }
  settings.controls = {{"belly", 4, std::nullopt}};
  EXPECT_NE(refusal(ErrorKind::usage, [&] { cooked(character, settings); }).find("'belly'"), std::string::npos);
}

TEST(RigSpaceMaterial, NeedsFlesh) {
  const Character character = tube_character();
  // Turning or shifting the whole tube strains nothing, whichever sign rounding has.
  for (const char* free : {"lower.rotation.*", "lower.rotation.x", "lower.rotation.y", "lower.rotation.z",
                           "lower.translation.*", "lower.*"})
    EXPECT_NE(refusal(ErrorKind::input, [&] { cooked(character, quick({free})); }).find("without straining"),
              std::string::npos)
        << free;
}

}  // namespace
}  // namespace sinew
