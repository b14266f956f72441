#include "sinew/shape/force_template.h"

#include <cmath>
#include <numbers>

namespace sinew {
namespace {

enum : std::size_t { amplitude = amplitude_parameter, radius, ring };

constexpr ShapeParameter ball_parameters[] = {
    {"amplitude", units::force_density, 0, {}, "Largest force on a cubic metre of flesh; negative: the other way"},
    {"radius", units::metres, 0.1, above(0), "Radius of the ball in which the force acts"}};
constexpr ShapeParameter torus_parameters[] = {
    {"amplitude", units::force_density, 0, {}, "Largest force on a cubic metre of flesh; negative: the ring tightens"},
    {"radius", units::metres, 0.02, above(0), "Radius of the ring's section, at most that of the ring"},
    {"ring", units::metres, 0.04, above(0), "Radius of the ring"}};
constexpr ShapeParameter painted_parameters[] = {
    {"amplitude", units::pascals, 0, {}, "Pressure from inside where the painted field is 1; negative: inwards"}};

constexpr ShapeParameter field_parameters[] = {
    {"amplitude", {}, 1, {}, "Factor of its forces; negative: the other way"}};

// A B(|x| - R/2, R/2) x / |x|.
Vec3 outward(double size, double within, const Vec3& x) {
  const double r = norm(x);
  if (!(r > 0) || r >= within) return {};
  return (size * bell(r - within / 2, within / 2) / r) * x;
}

// Derivatives of outward(1, within, d) = sin^2(pi r / R) d / r.
struct OutwardSlope {
  Vec3 force, by_radius;
  Mat3 by_place = Mat3::zero();
};

OutwardSlope outward_slope(double within, const Vec3& d) {
  const double r = norm(d);
  if (!(r > 0) || r >= within) return {};
  const double angle = std::numbers::pi * r / within, sine = std::sin(angle), size = sine * sine,
               slope = std::sin(2 * angle);  // of size by the angle
  const Vec3 n = d / r;
  const double along = slope * std::numbers::pi / within, across = size / r;
  return {size * n, (-slope * angle / within) * n,
          (along - across) * outer(n, n) + Mat3::diagonal({across, across, across})};
}

}  // namespace

std::span<const ShapeParameter> parameters_of(TemplateKind kind) {
  switch (kind) {
    case TemplateKind::torus:
      return torus_parameters;
    case TemplateKind::painted:
      return painted_parameters;
    case TemplateKind::field:
      return field_parameters;
    default:
      return ball_parameters;
  }
}

double bell(double r, double within) {
  return std::abs(r) < within ? 0.5 + 0.5 * std::cos(std::numbers::pi * r / within) : 0;
}

double bell_slope(const Vec3& away, double radius, const Vec3& centre, double widening) {
  const double r = norm(away);
  if (!(r > 0) || r >= radius) return 0;
  const double farther = -dot(away, centre) / r;
  return std::numbers::pi / (2 * radius) * std::sin(std::numbers::pi * r / radius) * (r / radius * widening - farther);
}

Vec3 template_force(TemplateKind kind, std::span<const double> eta, const Vec3& x) {
  const double size = eta[amplitude];
  switch (kind) {
    case TemplateKind::bump:
      return {0, size * bell(norm(x), eta[radius]), 0};
    case TemplateKind::bulge: {
      const double squared = squared_norm(x);
      const double cosine_of_twice = squared > 0 ? 2 * x.x * x.x / squared - 1 : 0;
      return outward(size * cosine_of_twice, eta[radius], x);
    }
    case TemplateKind::radial:
      return outward(size, eta[radius], x);
    case TemplateKind::torus: {
      const double from_axis = std::hypot(x.x, x.z);
      if (!(from_axis > 0)) return {};
      const double share = eta[ring] / from_axis;
      return outward(size, eta[radius], x - Vec3{share * x.x, 0, share * x.z});
    }
    case TemplateKind::painted:
    case TemplateKind::field:
      break;
  }
  return {};
}

TemplateSlope template_slope(TemplateKind kind, std::span<const double> eta, const Vec3& x) {
  const double size = eta[amplitude];
  TemplateSlope slope;
  switch (kind) {
    case TemplateKind::bump: {
      const double r = norm(x), within = eta[radius];
      if (!(r < within)) return {};
      const double angle = std::numbers::pi * r / within, by_angle = -0.5 * size * std::sin(angle);
      slope.by_parameter = {Vec3{0, bell(r, within), 0}, Vec3{0, -by_angle * angle / within, 0}, {}};
      if (r > 0) slope.by_place = outer({0, 1, 0}, (by_angle * std::numbers::pi / (within * r)) * x);
      break;
    }
    case TemplateKind::bulge: {
      const OutwardSlope out = outward_slope(eta[radius], x);
      const double squared = squared_norm(x);
      if (!(squared > 0)) return {};
      const double share = x.x * x.x / squared, cosine = 2 * share - 1;
      const Vec3 by_x = (4 / squared) * (Vec3{x.x, 0, 0} - share * x);  // of the cosine
      slope.by_parameter = {cosine * out.force, (size * cosine) * out.by_radius, {}};
      slope.by_place = size * (cosine * out.by_place + outer(out.force, by_x));
      break;
    }
    case TemplateKind::radial: {
      const OutwardSlope out = outward_slope(eta[radius], x);
      slope.by_parameter = {out.force, size * out.by_radius, {}};
      slope.by_place = size * out.by_place;
      break;
    }
    case TemplateKind::torus: {
      const double from_axis = std::hypot(x.x, x.z);
      if (!(from_axis > 0)) return {};
      const Vec3 n{x.x / from_axis, 0, x.z / from_axis};
      const OutwardSlope out = outward_slope(eta[radius], x - eta[ring] * n);
      slope.by_parameter = {out.force, size * out.by_radius, -size * (out.by_place * n)};
      const Mat3 turned = Mat3::diagonal({1, 0, 1}) - outer(n, n);  // of n by x, times from_axis
      slope.by_place = size * (out.by_place - (eta[ring] / from_axis) * (out.by_place * turned));
      break;
    }
    case TemplateKind::painted:
    case TemplateKind::field:
      return {};
  }
  slope.force = size * slope.by_parameter[amplitude];
  return slope;
}

double template_support(TemplateKind kind, std::span<const double> eta) {
  return kind == TemplateKind::torus ? eta[ring] + eta[radius] : eta[radius];
}

double template_detail(TemplateKind, std::span<const double> eta) { return eta[radius]; }

const char* contradiction(TemplateKind kind, std::span<const double> eta) {
  return kind == TemplateKind::torus && eta[radius] > eta[ring]
             ? "the torus' radius is larger than its ring, so that it would push on its own axis; make it smaller"
             : "";
}

}  // namespace sinew
