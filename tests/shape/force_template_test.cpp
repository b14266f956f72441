// Templates against closed forms: totals, moments, continuity of the first derivatives, support.
#include "sinew/shape/force_template.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace sinew {
namespace {

using std::numbers::pi;

// Midpoints of a grid over the cube of half-width `reach`.
double sum_over_cube(double reach, const std::function<double(const Vec3&)>& value) {
  constexpr int n = 120;
  const double cell = 2 * reach / n;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        sum += value({(i + 0.5) * cell - reach, (j + 0.5) * cell - reach, (k + 0.5) * cell - reach});
  return sum * cell * cell * cell;
}

Vec3 total_of(TemplateKind kind, std::span<const double> eta) {
  Vec3 total;
  for (std::size_t k = 0; k < 3; ++k)
    total[k] =
        sum_over_cube(template_support(kind, eta), [&](const Vec3& x) { return template_force(kind, eta, x)[k]; });
  return total;
}

TEST(ForceTemplate, ABumpPushesByItsClosedTotal) {
  const double eta[] = {300, 0.2};
  const Vec3 total = total_of(TemplateKind::bump, eta);
  EXPECT_NEAR(total.y, 300 * std::pow(0.2, 3) * (2 * pi / 3 - 4 / pi), 1e-4 * total.y);
  EXPECT_EQ(total.x, 0);
  EXPECT_EQ(total.z, 0);
}

// int B(r - R/2, R/2) r^3 dr = R^4 (1/8 - 3 / (8 pi^2)), and over the sphere int cos(2 theta) cos(theta)^2 = 4 pi / 15,
// across -4 pi / 5.
TEST(ForceTemplate, ABulgeStretchesAlongItsAxisAndDrawsInAcross) {
  const double eta[] = {300, 0.2};
  const double along = 300 * std::pow(0.2, 4) * (1.0 / 8 - 3 / (8 * pi * pi)) * 4 * pi / 15;
  for (std::size_t k = 0; k < 3; ++k) {
    const double moment =
        sum_over_cube(0.2, [&](const Vec3& x) { return template_force(TemplateKind::bulge, eta, x)[k] * x[k]; });
    EXPECT_NEAR(moment, k == 0 ? along : -3 * along, 1e-3 * along) << "axis " << k;
  }
  EXPECT_LT(norm(total_of(TemplateKind::bulge, eta)), 1e-10);
}

TEST(ForceTemplate, ARadialFieldPressesOutward) {
  const double eta[] = {300, 0.2};
  const double moment =
      sum_over_cube(0.2, [&](const Vec3& x) { return dot(template_force(TemplateKind::radial, eta, x), x); });
  EXPECT_NEAR(moment, 4 * pi * 300 * std::pow(0.2, 4) * (1.0 / 8 - 3 / (8 * pi * pi)), 2e-4 * moment);
  EXPECT_LT(norm(total_of(TemplateKind::radial, eta)), 1e-10);
}

// Around the circle, dV = (ring + s cos) s ds dphi dpsi: int f . d = 4 pi^2 ring A R^3 (1/6 - 1 / (4 pi^2)).
TEST(ForceTemplate, ATorusPressesAwayFromItsCircle) {
  const double eta[] = {300, 0.1, 0.15};
  const double moment = sum_over_cube(0.25, [&](const Vec3& x) {
    const double from_axis = std::hypot(x.x, x.z);
    const Vec3 circle{0.15 * x.x / from_axis, 0, 0.15 * x.z / from_axis};
    return dot(template_force(TemplateKind::torus, eta, x), x - circle);
  });
  EXPECT_NEAR(moment, 4 * pi * pi * 0.15 * 300 * std::pow(0.1, 3) * (1.0 / 6 - 1 / (4 * pi * pi)), 1e-3 * moment);
  EXPECT_LT(norm(total_of(TemplateKind::torus, eta)), 1e-10);
}

// The derivative from either side of the edge of the support, and of points where directions end, is the same.
TEST(ForceTemplate, FirstDerivativesAreContinuous) {
  struct Case {
    TemplateKind kind;
    std::vector<double> eta;
    std::vector<Vec3> places;
  };
  const Case cases[] = {{TemplateKind::bump, {1, 0.2}, {{0, 0, 0}, {0.2, 0, 0}, {0.12, 0, 0.16}}},
                        {TemplateKind::bulge, {1, 0.2}, {{0, 0, 0}, {0.2, 0, 0}, {0, 0.2, 0}, {0.1, 0.1, 0}}},
                        {TemplateKind::radial, {1, 0.2}, {{0, 0, 0}, {0, 0.12, 0.16}}},
                        {TemplateKind::torus, {1, 0.1, 0.15}, {{0.15, 0, 0}, {0.25, 0, 0}, {0, 0.1, 0.15}, {0, 0, 0}}}};
  for (const Case& c : cases)
    for (const Vec3& place : c.places)
      for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, normalized(Vec3{1, 2, -1})}) {
        const double h = 1e-6;
        const auto f = [&](double t) { return template_force(c.kind, c.eta, place + t * way); };
        const Vec3 before = (f(0) - f(-h)) / h, after = (f(h) - f(0)) / h;
        EXPECT_LT(distance(before, after), 0.01) << "template " << static_cast<int>(c.kind);
      }
}

TEST(ForceTemplate, NothingActsBeyondTheSupport) {
  for (const TemplateKind kind : {TemplateKind::bump, TemplateKind::bulge, TemplateKind::radial, TemplateKind::torus}) {
    std::vector<double> eta;
    for (const ShapeParameter& row : parameters_of(kind)) eta.push_back(row.usual);
    eta[amplitude_parameter] = 1;
    const double reach = template_support(kind, eta);
    for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, normalized(Vec3{1, 1, 1})})
      EXPECT_EQ(template_force(kind, eta, 1.0001 * reach * way), Vec3{});
  }
}

TEST(ForceTemplate, ATorusThickerThanItsRingIsRefused) {
  EXPECT_STREQ(contradiction(TemplateKind::torus, std::vector<double>{1, 0.05, 0.06}), "");
  EXPECT_STRNE(contradiction(TemplateKind::torus, std::vector<double>{1, 0.07, 0.06}), "");
}

TEST(ForceTemplate, DerivativesAreThoseOfDifferences) {
  for (const auto& [word, kind] : template_words) {
    if (!has_guide(kind)) continue;
    std::vector<double> eta{300, 0.2};
    if (kind == TemplateKind::torus) eta = {300, 0.08, 0.15};
    for (const Vec3& at : {Vec3{0.05, 0.03, -0.12}, Vec3{-0.11, 0.02, 0.05}, Vec3{0.3, 0.3, 0.3}}) {
      const TemplateSlope slope = template_slope(kind, eta, at);
      EXPECT_LT(distance(slope.force, template_force(kind, eta, at)), 1e-10) << word;
      constexpr double h = 1e-6;
      for (std::size_t k = 0; k < eta.size(); ++k) {
        std::vector<double> ahead = eta, behind = eta;
        ahead[k] += h, behind[k] -= h;
        const Vec3 by = (template_force(kind, ahead, at) - template_force(kind, behind, at)) / (2 * h);
        EXPECT_LT(distance(slope.by_parameter[k], by), 1e-4) << word << " by parameter " << k;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        Vec3 ahead = at, behind = at;
        ahead[k] += h, behind[k] -= h;
        const Vec3 by = (template_force(kind, eta, ahead) - template_force(kind, eta, behind)) / (2 * h);
        EXPECT_LT(distance(slope.by_place.column(k), by), 1e-4) << word << " by place " << k;
      }
    }
  }
}

}  // namespace
}  // namespace sinew
