#include "sdf.h"

#include <algorithm>
#include <cmath>

#include "exact_math.h"

namespace sinew::samples {
namespace {

// Cubic smooth minimum: equals min(a, b) where they differ by more than `width`.
double smooth_min(double a, double b, double width) {
  if (width <= 0) return std::min(a, b);
  const double h = std::max(width - std::fabs(a - b), 0.0) / width;
  return std::min(a, b) - h * h * h * width / 6;
}
double smooth_max(double a, double b, double width) { return -smooth_min(-a, -b, width); }

double cone_distance(const Primitive& c, const Vec3& p) {
  const Vec3 axis = c.b - c.a;
  const double squared = squared_norm(axis);
  const double t = squared > 0 ? std::clamp(dot(p - c.a, axis) / squared, 0.0, 1.0) : 0.0;
  return norm(p - c.a - axis * t) - mix(c.radius_a, c.radius_b, t);
}

// First-order distance: value over gradient length of the implicit function.
double ellipsoid_distance(const Primitive& e, const Vec3& p) {
  Vec3 q = transpose_times(e.axes, p - e.a);
  q.z -= e.dish * q.x * q.x;
  const Vec3 scaled{q.x / e.radii.x, q.y / e.radii.y, q.z / e.radii.z};
  const Vec3 twice{scaled.x / e.radii.x, scaled.y / e.radii.y, scaled.z / e.radii.z};
  const double value = norm(scaled), slope = norm(twice);
  const double smallest = std::min({e.radii.x, e.radii.y, e.radii.z});
  return slope > 1e-9 ? std::max(value * (value - 1) / slope, -smallest) : -smallest;
}

double plate_distance(const Primitive& e, const Vec3& p) {
  Vec3 q = transpose_times(e.axes, p - e.a);
  q.z -= e.dish * q.x * q.x;
  const double rx = e.radii.x - e.radii.z, ry = e.radii.y - e.radii.z;
  const Vec3 scaled{q.x / rx, q.y / ry, 0};
  const double value = norm(scaled), slope = norm({scaled.x / rx, scaled.y / ry, 0});
  const double beyond_rim = slope > 1e-9 ? std::max(value * (value - 1) / slope, 0.0) : 0.0;
  return std::sqrt(beyond_rim * beyond_rim + q.z * q.z) - e.radii.z;
}

}  // namespace

Primitive round_cone(const Vec3& a, double radius_a, const Vec3& b, double radius_b) {
  Primitive primitive;
  primitive.kind = Primitive::Kind::round_cone;
  primitive.a = a;
  primitive.b = b;
  primitive.radius_a = radius_a;
  primitive.radius_b = radius_b;
  return primitive;
}

Primitive sphere(const Vec3& centre, double radius) { return round_cone(centre, radius, centre, radius); }

Primitive ellipsoid(const Vec3& centre, const Vec3& radii, const Quat& orientation) {
  Primitive primitive;
  primitive.kind = Primitive::Kind::ellipsoid;
  primitive.a = primitive.b = centre;
  primitive.radii = radii;
  primitive.axes = to_matrix(orientation);
  return primitive;
}

Primitive plate(const Vec3& centre, const Vec3& radii, const Quat& orientation, double dish) {
  Primitive primitive = ellipsoid(centre, radii, orientation);
  primitive.kind = Primitive::Kind::plate;
  primitive.dish = dish;
  return primitive;
}

Primitive half_space(const Vec3& point, const Vec3& normal) {
  Primitive primitive;
  primitive.kind = Primitive::Kind::half_space;
  primitive.a = primitive.b = point;
  primitive.normal = normalized(normal);
  return primitive;
}

double signed_distance(const Primitive& primitive, const Vec3& p) {
  switch (primitive.kind) {
    case Primitive::Kind::round_cone:
      return cone_distance(primitive, p);
    case Primitive::Kind::ellipsoid:
      return ellipsoid_distance(primitive, p);
    case Primitive::Kind::plate:
      return plate_distance(primitive, p);
    case Primitive::Kind::half_space:
      break;
  }
  return dot(p - primitive.a, primitive.normal);
}

Primitive mirrored(const Primitive& primitive) {
  Primitive image = primitive;
  image.a = mirrored(primitive.a);
  image.b = mirrored(primitive.b);
  image.normal = mirrored(primitive.normal);
  // Mirrored axes are left-handed, which distances do not notice.
  image.axes = Mat3::diagonal({-1, 1, 1}) * primitive.axes;
  return image;
}

Solid& Solid::add(Operation operation, const Primitive& primitive, double blend) {
  Step step{operation, primitive, blend, 0.5 * (primitive.a + primitive.b), 0};
  if (primitive.kind == Primitive::Kind::round_cone)
    step.reach = 0.5 * distance(primitive.a, primitive.b) + std::max(primitive.radius_a, primitive.radius_b);
  else if (primitive.kind != Primitive::Kind::half_space)
    step.reach = 1.5 * std::max({primitive.radii.x, primitive.radii.y, primitive.radii.z});
  else
    step.reach = 1e9;
  steps_.push_back(step);
  return *this;
}

Solid& Solid::unite(const Primitive& p, double blend) { return add(Operation::unite, p, blend); }
Solid& Solid::subtract(const Primitive& p, double blend) { return add(Operation::subtract, p, blend); }
Solid& Solid::intersect(const Primitive& p, double blend) { return add(Operation::intersect, p, blend); }
Solid& Solid::unite_pair(const Primitive& p, double blend) { return unite(p, blend).unite(mirrored(p), blend); }
Solid& Solid::subtract_pair(const Primitive& p, double blend) {
  return subtract(p, blend).subtract(mirrored(p), blend);
}

Solid& Solid::wrap(const Vec3& point, const Vec3& normal, double half_width, double thickness, double blend) {
  add(Operation::wrap, half_space(point, normal), blend);
  steps_.back().half_width = half_width;
  steps_.back().thickness = thickness;
  return *this;
}

double Solid::operator()(const Vec3& p) const {
  double d = 1e3;
  for (const Step& step : steps_) {
    if (step.operation == Operation::unite || step.operation == Operation::subtract) {
      // The ball cannot be nearer than this: then neither can the primitive, and the blend is idle.
      const double limit = step.reach + step.blend + (step.operation == Operation::unite ? d : -d);
      if (limit <= 0 || squared_norm(p - step.centre) > limit * limit) continue;
    }
    const double other = signed_distance(step.primitive, p);
    switch (step.operation) {
      case Operation::unite:
        d = smooth_min(d, other, step.blend);
        break;
      case Operation::subtract:
        d = smooth_max(d, -other, step.blend);
        break;
      case Operation::intersect:
        d = smooth_max(d, other, step.blend);
        break;
      case Operation::wrap: {
        const double belt = smooth_max(d - step.thickness, std::fabs(other) - step.half_width, step.thickness);
        d = smooth_min(d, belt, step.blend);
        break;
      }
    }
  }
  return d;
}

Vec3 Solid::gradient(const Vec3& p) const {
  const double h = 1e-4;
  const Solid& f = *this;
  return Vec3{f(p + Vec3{h, 0, 0}) - f(p - Vec3{h, 0, 0}), f(p + Vec3{0, h, 0}) - f(p - Vec3{0, h, 0}),
              f(p + Vec3{0, 0, h}) - f(p - Vec3{0, 0, h})} /
         (2 * h);
}

Vec3 Solid::project(const Vec3& p, double reach) const {
  Vec3 q = p;
  for (int i = 0; i < 6; ++i) {
    const double value = (*this)(q);
    if (std::fabs(value) < 1e-7) break;
    const Vec3 slope = gradient(q);
    q -= slope * (value / std::max(squared_norm(slope), 0.05));
    const Vec3 moved = q - p;
    const double length = norm(moved);
    if (length > reach) q = p + moved * (reach / length);
  }
  return q;
}

Vec3 Solid::exit_point(const Vec3& inside, const Vec3& direction) const {
  const Vec3 unit = normalized(direction);
  double low = 0, high = 0.01;
  while ((*this)(inside + unit * high) < 0 && high < 10) high += 0.01;
  low = high - 0.01;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    ((*this)(inside + unit * middle) < 0 ? low : high) = middle;
  }
  return inside + unit * high;
}

Box Solid::bounds() const {
  Box box{{1e9, 1e9, 1e9}, {-1e9, -1e9, -1e9}};
  for (const Step& step : steps_) {
    if (step.operation != Operation::unite) continue;
    const double r = step.reach + step.blend;
    box.low = min(box.low, step.centre - Vec3{r, r, r});
    box.high = max(box.high, step.centre + Vec3{r, r, r});
  }
  return box;
}

}  // namespace sinew::samples
