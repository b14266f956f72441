// Force field templates (Capell 2004, section 6.4.1): force densities in a frame of their own, in closed form, with
// continuous first derivatives, zero outside a bounded support. With B the bell of the thesis,
//
//   B(r, R) = 1/2 + 1/2 cos(pi r / R) for |r| < R, else 0,
//
//   bump    f = A B(|x|, R) y                                              parallel to y, in a ball
//   bulge   f = A cos(2 theta) B(|x| - R/2, R/2) x / |x|            (6.4)  theta: angle between x and the x axis
//   radial  f = A B(|x| - R/2, R/2) x / |x|                                away from the origin, in a ball
//   torus   f = A B(|d| - R/2, R/2) d / |d|                                away from the centre of each section of a
//   ring
//
// The thesis leaves out the formulas of radial and torus. Their B is shifted as in (6.4), since a field that points
// away from a point is continuous there only if it vanishes. The torus lies around the y axis: with c the point of the
// circle of radius `ring` in the plane y = 0 that is nearest to x, d = x - c; R <= ring keeps the field zero on the
// axis.
//
// Two are no functions of a point and have no guide: `painted` pushes the skin along its normal, by a painted field
// (force_integral.h); the samples of `field` are forces on the skin themselves (Capell 2004, equation 6.6), found for a
// target shape (fit_skin.h) or carried over from another character.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/shape/shape_parameter.h"

namespace sinew {

enum class TemplateKind { bump, bulge, radial, torus, painted, field };

inline constexpr Word<TemplateKind> template_words[] = {
    {"bump", TemplateKind::bump},   {"bulge", TemplateKind::bulge},     {"radial", TemplateKind::radial},
    {"torus", TemplateKind::torus}, {"painted", TemplateKind::painted}, {"field", TemplateKind::field}};

// Whether the template is a function of a point, in a frame that a guide gives.
constexpr bool has_guide(TemplateKind kind) { return kind != TemplateKind::painted && kind != TemplateKind::field; }

// The template's parameters; the first is always its amplitude, in which forces are linear.
std::span<const ShapeParameter> parameters_of(TemplateKind kind);
inline constexpr std::size_t amplitude_parameter = 0;

// The bell B(r, R), for R > 0.
double bell(double r, double radius);
// The derivative of B(|away|, R) as the bell's centre moves by `centre` and R by `widening`.
double bell_slope(const Vec3& away, double radius, const Vec3& centre, double widening);

// The force density at x, metres, in the template's frame: newtons per cubic metre. `parameters`: as in
// parameters_of(). Only for templates with a guide.
Vec3 template_force(TemplateKind kind, std::span<const double> parameters, const Vec3& x);

// The force density and its derivatives in closed form.
struct TemplateSlope {
  Vec3 force;
  std::array<Vec3, 3> by_parameter;  // per row of parameters_of()
  Mat3 by_place = Mat3::zero();      // column i: by x_i
};
TemplateSlope template_slope(TemplateKind kind, std::span<const double> parameters, const Vec3& x);

// The radius of a ball around the origin outside which the field vanishes, and the length over which it varies, metres.
double template_support(TemplateKind kind, std::span<const double> parameters);
double template_detail(TemplateKind kind, std::span<const double> parameters);

// A complaint about parameters that contradict each other, as the end of a sentence; empty: none.
const char* contradiction(TemplateKind kind, std::span<const double> parameters);

}  // namespace sinew
