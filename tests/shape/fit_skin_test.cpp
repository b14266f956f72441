// Forces on the skin that give it a target shape (Capell 2004, section 6.5.2).
#include "sinew/shape/fit_skin.h"

#include <array>
#include <map>
#include <random>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/shape/force_template.h"
#include "sinew/shape/shape_body.h"
#include "tests/deform/lattice/lattice_bodies.h"
#include "tests/shape/skinned_bar.h"

namespace sinew {
namespace {

using namespace test;

// The skin that a hidden field of forces makes: a bump at the end and a bulge in the first half.
std::vector<Vec3> hidden_shape(const SkinnedBar& bar, double factor = 1) {
  ShapeBody* const shape = bar.shape.get();
  std::vector<Vec3> sum(shape->points());
  const std::vector<double> bump{factor * 4e5, 0.08}, bulge{factor * -6e5, 0.12};
  const Vec3 end{0.5, 0.05, 0}, half{0.15, 0.02, 0.01};
  add_forces(shape->integrate(
                 {[&](const Vec3& x) { return template_force(TemplateKind::bump, bump, x - end); }, end, 0.08, 0.08}),
             1, sum);
  add_forces(shape->integrate({[&](const Vec3& x) { return template_force(TemplateKind::bulge, bulge, x - half); },
                               half, 0.12, 0.06}),
             1, sum);
  return bar.skin(shape->displacements(nonzero_forces(sum)));
}

SkinFit fit_of(const SkinnedBar& bar, const PulledSkin::Targets& targets, bool closest,
               const SkinFitOptions& options = {}) {
  return fit_skin(*tetrahedral_static_flesh(bar.body, SkinnedBar::law()), bar.surface, bar.pose, targets, closest,
                  options);
}

// Triangles between the vertices of a bar's boundary, which lie on a grid: pairs of neighbours on each side.
std::vector<Triangle> hull_of_bar(std::span<const Vec3> vertices) {
  const double half = 0.5 * bar_width;
  std::map<std::array<int, 3>, int> at;
  double step = bar_width;
  for (const Vec3& p : vertices)
    for (const Vec3& q : vertices)
      if (const double apart = std::abs(p.y - q.y); apart > 1e-6) step = std::min(step, apart);
  double along = bar_length;
  for (const Vec3& p : vertices)
    if (p.x > 1e-6) along = std::min(along, p.x);
  const auto key = [&](const Vec3& p) {
    return std::array<int, 3>{static_cast<int>(std::lround(p.x / along)),
                              static_cast<int>(std::lround((p.y + half) / step)),
                              static_cast<int>(std::lround((p.z + half) / step))};
  };
  for (std::size_t v = 0; v < vertices.size(); ++v) at[key(vertices[v])] = static_cast<int>(v);
  std::vector<Triangle> triangles;
  for (const auto& [k, v] : at)
    for (std::size_t normal = 0; normal < 3; ++normal) {
      std::array<int, 3> a = k, b = k, c = k;
      ++a[(normal + 1) % 3];
      ++b[(normal + 2) % 3];
      ++c[(normal + 1) % 3], ++c[(normal + 2) % 3];
      if (!at.contains(a) || !at.contains(b) || !at.contains(c)) continue;
      triangles.push_back({v, at[a], at[c]});
      triangles.push_back({v, at[c], at[b]});
    }
  return triangles;
}

double largest_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
  double most = 0;
  for (std::size_t s = 0; s < a.size(); ++s) most = std::max(most, distance(a[s], b[s]));
  return most;
}

double rms_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
  double sum = 0;
  for (std::size_t s = 0; s < a.size(); ++s) sum += squared_norm(a[s] - b[s]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

TEST(FitSkin, TheShapeOfAHiddenFieldComesBack) {
  const SkinnedBar bar;
  const std::vector<Vec3> target = hidden_shape(bar);
  const SkinFit fit = fit_of(bar, vertex_targets(target), false);
  EXPECT_TRUE(fit.converged);
  EXPECT_GT(fit.before.largest, 0.05 * bar.height()) << "there is something to fit";
  EXPECT_LT(fit.after.largest, 1e-3 * bar.height());
  EXPECT_LT(largest_distance(bar.skin(fit.displacements), target), 1e-3 * bar.height());
}

// The skin of a bar in a lattice, in a pose, world, metres.
std::vector<Vec3> lattice_skin(StaticFlesh& flesh, const SimulationSurface& surface, std::span<const Affine> bones,
                               std::span<const Vec3> displacements) {
  flesh.set_pose(bones);
  VertexFrames rig;
  predict_frames(surface.rest.positions, surface.influences, bones, rig);
  std::vector<Vec3> skin(rig.goal.size());
  flesh.displace_skin(displacements, skin);
  for (std::size_t s = 0; s < skin.size(); ++s) skin[s] += rig.goal[s];
  return skin;
}

TEST(FitSkin, InLatticesTheShapeOfAHiddenFieldComesBack) {
  for (const LatticeReference reference : {LatticeReference::rig, LatticeReference::elastic})
    for (const int levels : {1, 2})
      for (const bool nonlinear : {false, true}) {
        LatticeBarOptions options = damped_bar(reference, Linearization::warped, Warping::element, levels);
        if (nonlinear) options = converged_tissue(options);
        const std::shared_ptr<const LatticeBody> body = lattice_bar_body(options);
        const LatticeDescription& d = body->description;
        SimulationSurface surface;
        surface.rest.positions = d.surface_rest;
        surface.rest.triangles = hull_of_bar(d.surface_rest);
        surface.influences = d.surface_influences;
        const LatticeGrid grid = lattice_grid(lattice_bar(options.along), options.scheme, options.levels);
        const auto shape =
            lattice_shape_body(body, grid, std::vector<double>(grid.tetrahedra.mesh.tetrahedra.size(), 1.0));
        const auto flesh = lattice_static_flesh(body, options.young / 2.9);
        const std::vector<Affine> pose = test::bar_pose(0.6);
        shape->set_pose(pose);
        const std::vector<double> bump{8e4, 0.12};
        const Vec3 end{0.45, 0.05, 0};
        const std::vector<Vec3> hidden = shape->displacements(shape->integrate(
            {[&](const Vec3& x) { return template_force(TemplateKind::bump, bump, x - end); }, end, 0.12, 0.12}));
        const std::vector<Vec3> target = lattice_skin(*flesh, surface, pose, hidden);
        const SkinFit fit = fit_skin(*flesh, surface, pose, vertex_targets(target), false);
        const double height = standing_height(surface);
        EXPECT_GT(fit.before.largest, 0.02 * height) << "there is something to fit";
        EXPECT_LT(fit.after.largest, 1e-3 * height) << levels << nonlinear;
        // Another search, from forces alone, finds the shape as well.
        const std::vector<Vec3> again = shape->displacements(carry_forces(shape->skin(), fit.forces));
        EXPECT_LT(largest_distance(lattice_skin(*flesh, surface, pose, again), target), 1e-3 * height)
            << levels << nonlinear;
      }
}

TEST(FitSkin, LatticesRefuseTissueThatChanges) {
  const auto flesh = lattice_static_flesh(lattice_bar_body({}), 1e4);
  EXPECT_THROW(flesh->set_tissue(std::vector<PointStiffening>{{0, 1}}, {}), Error);
  LatticeBarOptions blended;
  blended.run.linearization = Linearization::blended;
  EXPECT_THROW(lattice_static_flesh(lattice_bar_body(blended), 1e4), Error);
}

TEST(FitSkin, UnderItsForcesTheBodyIsInEquilibriumInItsDisplacements) {
  const SkinnedBar bar;
  const SkinFit fit = fit_of(bar, vertex_targets(hidden_shape(bar, 0.5)), false);
  const std::vector<Vec3> again = bar.shape->displacements(carry_forces(bar.shape->skin(), fit.forces));
  double size = 0;
  for (const Vec3& each : again) size = std::max(size, norm(each));
  // Both searches end at 1e-8 of the first correction's energy, or 1e-4 of its length; soft modes are off a little
  // more.
  EXPECT_LT(largest_distance(again, fit.displacements), 1e-3 * size);
}

// Of a target that is not so large that half of it would be held by nothing but its springs.
TEST(FitSkin, PartsOfTheForcesMoveTheSkinEvenly) {
  const SkinnedBar bar;
  const SkinFit fit = fit_of(bar, vertex_targets(hidden_shape(bar, 0.3)), false);
  ASSERT_FALSE(fit.between.empty()) << "this tissue stiffens";
  const std::vector<Vec3> none(bar.shape->points());
  const std::vector<Vec3> rig = bar.skin(none), whole = bar.skin(fit.displacements);
  const double size = largest_distance(rig, whole);
  double last = 0;
  for (const PartOfFit& part : fit.between) {
    EXPECT_GT(part.share, last);
    last = part.share;
    const std::vector<Vec3> skin = bar.skin(bar.shape->displacements(carry_forces(bar.shape->skin(), part.forces)));
    for (std::size_t s = 0; s < skin.size(); ++s)
      EXPECT_LT(distance(skin[s], rig[s] + part.share * (whole[s] - rig[s])), 0.01 * size);
  }
  // Without them, half of the force would do more than half.
  std::vector<Vec3> half = fit.forces;
  for (Vec3& force : half) force *= 0.5;
  const std::vector<Vec3> skin = bar.skin(bar.shape->displacements(carry_forces(bar.shape->skin(), half)));
  EXPECT_GT(largest_distance(rig, skin), 0.55 * size);
}

// The target is the same surface in other triangles.
TEST(FitSkin, AnyMeshIsATargetByItsClosestPoints) {
  const SkinnedBar bar;
  const std::vector<Vec3> shape = hidden_shape(bar, 0.5);
  TriangleMesh target;
  for (const Triangle& t : bar.surface.rest.triangles) {
    const auto first = static_cast<int>(target.positions.size());
    const auto x = [&](std::size_t k) { return shape[static_cast<std::size_t>(t[k])]; };
    target.positions.insert(target.positions.end(), {x(0), x(1), x(2), (x(0) + x(1) + x(2)) / 3.0});
    for (int k = 0; k < 3; ++k) target.triangles.push_back({first + k, first + (k + 1) % 3, first + 3});
  }
  // Welded, so that its triangles have neighbours.
  std::map<std::array<double, 3>, int> known;
  std::vector<int> number;
  std::vector<Vec3> welded;
  for (const Vec3& p : target.positions) {
    const auto [found, is_new] = known.try_emplace({p.x, p.y, p.z}, static_cast<int>(welded.size()));
    if (is_new) welded.push_back(p);
    number.push_back(found->second);
  }
  for (Triangle& t : target.triangles)
    for (int& v : t) v = number[static_cast<std::size_t>(v)];
  target.positions = welded;

  const SkinFit fit = fit_of(bar, surface_targets(target, bar.surface.rest.triangles), true);
  EXPECT_GT(fit.before.rms, 5 * fit.after.rms);
  EXPECT_LT(fit.after.rms, 1e-3 * bar.height());
  EXPECT_LT(fit.after.largest, 5e-3 * bar.height());
}

TEST(FitSkin, SmoothnessLeavesOutNoise) {
  const SkinnedBar bar(2);
  const std::vector<Vec3> truth = hidden_shape(bar, 0.5);
  std::vector<Vec3> noisy = truth;
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 0.005 * bar.height());
  for (Vec3& x : noisy) x += Vec3{noise(random), noise(random), noise(random)};
  const auto error = [&](double smoothness) {
    SkinFitOptions options;
    options.between = false;
    options.smoothness = smoothness;
    return rms_distance(bar.skin(fit_of(bar, vertex_targets(noisy), false, options).displacements), truth);
  };
  const double smooth = error(0.1);
  EXPECT_LT(smooth, 0.7 * rms_distance(noisy, truth));
}

TEST(FitSkin, WhatDoesNotCountMovesAsTheFleshCarriesIt) {
  const SkinnedBar bar;
  std::vector<Vec3> target = hidden_shape(bar);
  SkinFitOptions options;
  for (const Vec3& x : bar.surface.rest.positions) options.weight.push_back(x.x > 0.3 ? 1 : 0);
  for (std::size_t s = 0; s < target.size(); ++s)
    if (options.weight[s] == 0) target[s] += Vec3{1, 1, 1};
  const SkinFit fit = fit_of(bar, vertex_targets(target), false, options);
  EXPECT_LT(fit.after.largest, 1e-3 * bar.height());
  for (std::size_t s = 0; s < target.size(); ++s) {
    if (options.weight[s] == 0) {
      EXPECT_EQ(fit.forces[s], Vec3{});
    }
  }
  options.weight.assign(target.size(), 0);
  EXPECT_THROW(fit_of(bar, vertex_targets(target), false, options), Error);
}

TEST(FitSkin, SameBitsForAnyNumberOfThreads) {
  const SkinnedBar bar;
  const std::vector<Vec3> target = hidden_shape(bar);
  set_thread_count(1);
  const SkinFit one = fit_of(bar, vertex_targets(target), false);
  set_thread_count(4);
  EXPECT_EQ(fit_of(bar, vertex_targets(target), false).forces, one.forces);
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew
