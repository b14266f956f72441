// Parameters of templates that follow points of the skin (Capell 2004, section 6.4.3).
#include "sinew/shape/fit_template.h"

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/shape/shape_forces.h"
#include "tests/shape/skinned_bar.h"

namespace sinew {
namespace {

using namespace test;

// A template beside the bar's second half, in the pose of the bar.
ShapeRig free_rig(TemplateKind kind) {
  ShapeRig rig;
  rig.name = "rig";
  rig.kind = kind;
  rig.guide.kind = GuideKind::free;
  return rig;
}

std::vector<double> bump_eta() { return {4e5, 0.08, 0.46, 0.045, 0.01, 5, -8, 10}; }

// Vertices of the skin around a place, and where the rig with these parameters puts them.
std::vector<DraggedPoint> dragged_by(const SkinnedBar& bar, const ShapeRig& rig, const std::vector<double>& eta) {
  const std::vector<Vec3> skin = bar.skin(bar.shape->displacements(rig_force(rig, eta, bar.surface, *bar.shape)));
  std::vector<DraggedPoint> points;
  for (std::size_t s = 0; s < skin.size(); ++s)
    if (distance(bar.surface.rest.positions[s], rig_field(rig, eta, bar.surface).centre) < 0.09)
      points.push_back({static_cast<int>(s), skin[s]});
  return points;
}

// `eta`: values of the rows that are fitted; `unit`: by which they usually change.
void expect_gradient_of_differences(const SkinnedBar& bar, const ShapeRig& rig, const ShapeSample& start,
                                    const std::vector<double>& eta, const std::vector<double>& unit) {
  std::vector<DraggedPoint> points = dragged_by(bar, rig, start.eta);
  ASSERT_GT(points.size(), 5u);
  for (DraggedPoint& point : points) point.to += Vec3{0.004, 0.01, -0.003};
  TemplateFitting fitting(rig, start, points, bar.pose, bar.surface, *bar.shape, {.fixed = {}, .keep = 1e-3});
  const TemplateCost cost = fitting.cost(eta);
  double largest = 0;
  for (std::size_t k = 0; k < eta.size(); ++k) largest = std::max(largest, std::abs(cost.gradient[k] * unit[k]));
  for (std::size_t k = 0; k < eta.size(); ++k) {
    // Differences over h and 2h, extrapolated: error h^4.
    const auto slope = [&](double h) {
      std::vector<double> ahead = eta, behind = eta;
      ahead[k] += h, behind[k] -= h;
      return (fitting.cost(ahead, false).value - fitting.cost(behind, false).value) / (2 * h);
    };
    const double h = 1e-3 * unit[k], found = (4 * slope(h) - slope(2 * h)) / 3;
    EXPECT_NEAR(cost.gradient[k] * unit[k], found * unit[k], 1e-6 * largest)
        << words_of(template_words)[static_cast<std::size_t>(rig.kind)] << k;
  }
}

TEST(FitTemplate, TheGradientByAdjointIsThatByDifferences) {
  const SkinnedBar bar;
  for (const TemplateKind kind : {TemplateKind::bump, TemplateKind::bulge, TemplateKind::radial})
    expect_gradient_of_differences(bar, free_rig(kind), {{}, bump_eta()},
                                   {4.3e5, 0.0812, 0.463, 0.044, 0.011, 6, -7, 11},
                                   {4e5, 0.01, 0.01, 0.01, 0.01, 30, 30, 30});
}

TEST(FitTemplate, TheGradientOfATorusOnTheSkinIsThatByDifferences) {
  const SkinnedBar bar;
  ShapeRig rig = free_rig(TemplateKind::torus);
  rig.guide.kind = GuideKind::skin;
  rig.guide.point = {0.46, 0.06, 0.01};
  expect_gradient_of_differences(bar, rig, {{}, {4e5, 0.04, 0.06, 0.01, 0}}, {4.3e5, 0.0412, 0.0613, 0.012, 5},
                                 {4e5, 0.03, 0.03, 0.03, 30});
}

// The counterforce moves and grows with the template.
TEST(FitTemplate, TheGradientOfABalancedForceIsThatByDifferences) {
  const SkinnedBar bar;
  ShapeRig rig = free_rig(TemplateKind::bump);
  rig.balance = 2;
  expect_gradient_of_differences(bar, rig, {{}, bump_eta()}, {4.3e5, 0.0812, 0.463, 0.044, 0.011, 6, -7, 11},
                                 {4e5, 0.01, 0.01, 0.01, 0.01, 30, 30, 30});
}

// Strain moves the flesh by forces of its own, and stiffness changes what all forces do.
TEST(FitTemplate, TheGradientByStrainAndStiffnessIsThatByDifferences) {
  const SkinnedBar bar;
  ShapeSample start{{}, bump_eta()};
  start.strain = 0.9, start.stiffness = 3;
  const std::vector<double> eta{4.3e5, 0.0812, 0.463, 0.044, 0.011, 6, -7, 11, 0.87, 3.4},
      unit{4e5, 0.01, 0.01, 0.01, 0.01, 30, 30, 30, 0.1, 1};
  for (const TemplateKind kind : {TemplateKind::bump, TemplateKind::bulge})
    expect_gradient_of_differences(bar, free_rig(kind), start, eta, unit);
  ShapeRig torus = free_rig(TemplateKind::torus);
  torus.guide.kind = GuideKind::skin;
  torus.guide.point = {0.46, 0.06, 0.01};
  start.eta = {4e5, 0.04, 0.06, 0.01, 0};
  expect_gradient_of_differences(bar, torus, start, {4.3e5, 0.0412, 0.0613, 0.012, 5, 1.1, 0.6},
                                 {4e5, 0.03, 0.03, 0.03, 30, 0.1, 1});
}

TEST(FitTemplate, HiddenStrainComesBackFromDraggedPoints) {
  const SkinnedBar bar;
  const ShapeRig rig = free_rig(TemplateKind::bump);
  ShapeSample hidden{{}, bump_eta()}, start = hidden;
  hidden.strain = 0.8, start.strain = 0.95;
  hidden.stiffness = start.stiffness = 2;
  std::vector<DraggedPoint> points = dragged_by(bar, rig, bump_eta());
  const auto skin_of = [&](const ShapeSample& sample) {
    bar.shape->stiffen(bar.shape->stiffening(stiffening_of(tissue_change(rig, sample, bar.surface))));
    std::vector<Vec3> force(bar.shape->points());
    add_forces(rig_force(rig, sample.eta, bar.surface, *bar.shape), 1, force);
    add_forces(bar.shape->integrate(strain_of(tissue_change(rig, sample, bar.surface))), 1, force);
    return bar.skin(bar.shape->displacements(nonzero_forces(force)));
  };
  const std::vector<Vec3> goal = skin_of(hidden);
  for (DraggedPoint& point : points) point.to = goal[static_cast<std::size_t>(point.vertex)];
  std::vector<char> fixed(fitted_parameters(rig, start).size(), 1);
  fixed[fixed.size() - 2] = 0;  // strain alone
  const TemplateFit fit = TemplateFitting(rig, start, points, bar.pose, bar.surface, *bar.shape,
                                          {.fixed = fixed, .keep = 0, .iterations = 50})
                              .fit();
  EXPECT_NEAR(fit.sample.strain, 0.8, 0.003);
  EXPECT_EQ(fit.sample.stiffness, 2);
  EXPECT_LT(fit.after, 0.02 * fit.before);
  EXPECT_EQ(bar.shape->displacements({}), std::vector<Vec3>(bar.shape->points()));
}

// The search is not ended by costs that are small because drags are.
TEST(FitTemplate, SmallDragsAreFollowed) {
  const SkinnedBar bar;
  const ShapeRig rig = free_rig(TemplateKind::bump);
  const std::vector<double> start = bump_eta();
  std::vector<DraggedPoint> points = dragged_by(bar, rig, start);
  for (DraggedPoint& point : points) point.to += Vec3{0, 0.005 * bar.height(), 0};
  const auto fitted = [&](int threads) {
    set_thread_count(threads);
    return TemplateFitting(rig, {{}, start}, points, bar.pose, bar.surface, *bar.shape, {.fixed = {}, .keep = 1e-7})
        .fit();
  };
  const TemplateFit fit = fitted(1), again = fitted(4);
  set_thread_count(0);
  EXPECT_GT(fit.iterations, 3);
  EXPECT_LT(fit.after, 0.5 * fit.before);
  EXPECT_EQ(again.sample.eta, fit.sample.eta) << "the same bits for any number of threads, and after another search";
}

TEST(FitTemplate, HiddenParametersComeBackFromDraggedPoints) {
  const SkinnedBar bar;
  const ShapeRig rig = free_rig(TemplateKind::bump);
  const std::vector<double> hidden = bump_eta();
  const std::vector<DraggedPoint> points = dragged_by(bar, rig, hidden);
  const std::vector<double> start{2e5, 0.06, 0.43, 0.03, 0, 0, 0, 0};
  TemplateFitting fitting(rig, {{}, start}, points, bar.pose, bar.surface, *bar.shape,
                          {.fixed = {}, .keep = 0, .iterations = 200});
  const TemplateFit fit = fitting.fit();
  EXPECT_LT(fit.after, 0.02 * fit.before);
  EXPECT_LT(fit.after, 1e-3 * bar.height());
}

TEST(FitTemplate, FixedParametersStayAndOthersStayInTheirRange) {
  const SkinnedBar bar;
  const ShapeRig rig = free_rig(TemplateKind::bump);
  const std::vector<DraggedPoint> points = dragged_by(bar, rig, bump_eta());
  const std::vector<double> start{2e5, 0.06, 0.43, 0.03, 0, 0, 0, 0};
  TemplateFitting fitting(rig, {{}, start}, points, bar.pose, bar.surface, *bar.shape,
                          {.fixed = {0, 1, 1, 1, 1, 1, 1, 1}, .keep = 0});
  const TemplateFit fit = fitting.fit();
  EXPECT_LT(fit.after, fit.before);
  EXPECT_NE(fit.sample.eta[0], start[0]);
  for (std::size_t k = 1; k < start.size(); ++k) EXPECT_EQ(fit.sample.eta[k], start[k]) << k;
  // A radius that points would draw below nothing stays positive.
  std::vector<DraggedPoint> back = points;
  for (DraggedPoint& point : back)
    point.to = bar.skin(std::vector<Vec3>(bar.shape->points()))[static_cast<std::size_t>(point.vertex)];
  const std::vector<double> small{4e5, 0.02, 0.46, 0.045, 0.01, 0, 0, 0};
  TemplateFitting shrinking(rig, {{}, small}, back, bar.pose, bar.surface, *bar.shape,
                            {.fixed = {1, 0, 1, 1, 1, 1, 1, 1}, .keep = 0});
  EXPECT_GT(shrinking.fit().sample.eta[1], 0);
}

TEST(FitTemplate, WhatCannotBeDraggedIsRefused) {
  const SkinnedBar bar;
  const ShapeRig rig = free_rig(TemplateKind::bump);
  const auto fitting = [&](std::vector<DraggedPoint> points) {
    TemplateFitting(rig, {{}, bump_eta()}, points, bar.pose, bar.surface, *bar.shape);
  };
  EXPECT_THROW(fitting({}), Error);
  EXPECT_THROW(fitting({{-1, {}}}), Error);
  EXPECT_THROW(fitting({{1 << 20, {}}}), Error);
  EXPECT_THROW(fitting({{0, {NAN, 0, 0}}}), Error);
}

}  // namespace
}  // namespace sinew
