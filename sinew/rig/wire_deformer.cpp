#include "sinew/rig/wire_deformer.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr std::size_t wire_deformer_vertices_per_task = 256;
constexpr int samples_per_segment = 16;  // samples from which the search for the closest point starts
constexpr int search_steps = 60;         // of golden sections: 0.618^60 of a sample's width is below rounding

double weighted(const CurveWeights& at, std::span<const double> values) {
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) sum += at.position[k] * values[index(at.control[k])];
  return sum;
}

// The rotation vector from the direction of a to that of b: axis a x b, at most half a turn.
struct Bend {
  Vec3 a, b;    // of unit length, or zero
  Vec3 normal;  // a x b
  double cosine = 1;
  double factor = 1;  // angle / sin(angle)
  double angle = 0;
};

Bend bend_between(const Vec3& from, const Vec3& to) {
  Bend bend;
  bend.a = normalized(from);
  bend.b = normalized(to);
  bend.normal = cross(bend.a, bend.b);
  bend.cosine = dot(bend.a, bend.b);
  const double sine = norm(bend.normal);
  bend.angle = std::atan2(sine, bend.cosine);
  bend.factor = bend.angle < 1e-3 ? 1 + bend.angle * bend.angle / 6 : bend.angle / std::max(sine, 1e-12);
  return bend;
}

Vec3 rotation_vector(const Bend& bend) { return bend.normal * bend.factor; }

// d(angle / sin) / d(cosine) = (angle cot(angle) - 1) / sin^2.
double factor_rate(const Bend& bend) {
  if (bend.angle < 1e-3) return -1.0 / 3 - bend.angle * bend.angle * (2.0 / 15);
  const double sine_squared = std::max(squared_norm(bend.normal), 1e-24);
  return (bend.cosine * bend.factor - 1) / sine_squared;
}

}  // namespace

CurveWeights curve_weights(std::size_t controls, double u) {
  const int last = static_cast<int>(controls) - 1;
  const int segment = std::clamp(static_cast<int>(std::floor(u)), 0, last - 1);
  const double t = u - segment, t2 = t * t, t3 = t2 * t;
  CurveWeights at;
  at.control = {segment - 1, segment, segment + 1, segment + 2};
  at.position = {(1 - 3 * t + 3 * t2 - t3) / 6, (4 - 6 * t2 + 3 * t3) / 6, (1 + 3 * t + 3 * t2 - 3 * t3) / 6, t3 / 6};
  at.derivative = {-(1 - 2 * t + t2) / 2, (3 * t2 - 4 * t) / 2, (1 + 2 * t - 3 * t2) / 2, t2 / 2};
  // The phantom point P_-1 = 2 P_0 - P_1, and the one at the other end.
  const auto fold = [&](std::size_t phantom, std::size_t near, std::size_t next) {
    for (std::array<double, 4>* weights : {&at.position, &at.derivative}) {
      (*weights)[near] += 2 * (*weights)[phantom];
      (*weights)[next] -= (*weights)[phantom];
      (*weights)[phantom] = 0;
    }
    at.control[phantom] = at.control[near];
  };
  if (segment == 0) fold(0, 1, 2);
  if (segment == last - 1) fold(3, 2, 1);
  return at;
}

Vec3 curve_position(const CurveWeights& at, std::span<const Vec3> controls) {
  Vec3 sum;
  for (std::size_t k = 0; k < 4; ++k) sum += at.position[k] * controls[index(at.control[k])];
  return sum;
}

Vec3 curve_derivative(const CurveWeights& at, std::span<const Vec3> controls) {
  Vec3 sum;
  for (std::size_t k = 0; k < 4; ++k) sum += at.derivative[k] * controls[index(at.control[k])];
  return sum;
}

double closest_curve_parameter(std::span<const Vec3> controls, const Vec3& x) {
  const auto square = [&](double u) {
    return squared_norm(curve_position(curve_weights(controls.size(), u), controls) - x);
  };
  const double last = static_cast<double>(controls.size() - 1);
  const int samples = samples_per_segment * static_cast<int>(controls.size() - 1);
  int best = 0;
  double least = square(0);
  for (int i = 1; i <= samples; ++i) {
    const double value = square(last * i / samples);
    if (value < least) {
      least = value;
      best = i;
    }
  }
  double a = last * std::max(best - 1, 0) / samples, b = last * std::min(best + 1, samples) / samples;
  constexpr double golden = 0.61803398874989485;
  double c = b - golden * (b - a), d = a + golden * (b - a), at_c = square(c), at_d = square(d);
  for (int i = 0; i < search_steps; ++i) {
    if (at_c <= at_d) {
      b = d;
      d = c;
      at_d = at_c;
      at_c = square(c = b - golden * (b - a));
    } else {
      a = c;
      c = d;
      at_c = at_d;
      at_d = square(d = a + golden * (b - a));
    }
  }
  // The search never reaches the ends themselves, which are checked here.
  double u = (a + b) / 2;
  for (const double end : {0.0, last})
    if (square(end) <= square(u)) u = end;
  return u;
}

std::vector<WireVertex> bind_wire(std::span<const Vec3> controls, double radius, std::span<const Vec3> surface) {
  std::vector<WireVertex> all(surface.size());
  parallel_for(surface.size(), wire_deformer_vertices_per_task, [&](std::size_t v) {
    const double u = closest_curve_parameter(controls, surface[v]);
    WireVertex& vertex = all[v];
    vertex.vertex = static_cast<int>(v);
    vertex.at = curve_weights(controls.size(), u);
    const double x = distance(surface[v], curve_position(vertex.at, controls)) / radius;
    vertex.influence = x < 1 ? (1 - x * x) * (1 - x * x) : 0;
  });
  std::erase_if(all, [](const WireVertex& v) { return !(v.influence > 0); });
  return all;
}

Vec3 wire_displacement(const WireVertex& vertex, const WireCurves& wire, const Vec3& x) {
  const double influence = vertex.influence;
  const Vec3 origin = curve_position(vertex.at, wire.reference);
  const Vec3 moved = curve_position(vertex.at, wire.displaced) - origin;
  const double scale = 1 + (std::exp(weighted(vertex.at, wire.log_scale)) - 1) * influence;
  const Vec3 bend = influence * rotation_vector(bend_between(curve_derivative(vertex.at, wire.reference),
                                                             curve_derivative(vertex.at, wire.displaced)));
  const Vec3 arm = x - origin;
  Vec3 result = influence * moved + (scale - 1) * arm;
  if (bend != Vec3{}) result += (to_matrix(rotation_exponential(bend)) - Mat3::identity()) * (scale * arm);
  return result;
}

// With r = F (rotation vector), E = exp(r), arm = x - R(u) and scale s, the displacement F (W - R) + (s E - I) arm
// changes by F (dW - dR) + (s E - I) d(arm) + dE (s arm) + ds E arm, and dE a = -E [a] J dr with the right Jacobian J.
WireDerivative wire_derivative(const WireVertex& vertex, const WireCurves& wire, const Vec3& x) {
  const CurveWeights& at = vertex.at;
  WireDerivative result;
  result.influence = vertex.influence;
  result.at = at;
  const Vec3 arm = x - curve_position(at, wire.reference);
  const double size = std::exp(weighted(at, wire.log_scale)), scale = 1 + (size - 1) * vertex.influence;
  const Vec3 from = curve_derivative(at, wire.reference), to = curve_derivative(at, wire.displaced);
  const Bend bend = bend_between(from, to);
  const Vec3 r = vertex.influence * rotation_vector(bend);
  const Mat3 rotation = to_matrix(rotation_exponential(r));
  result.by_arm = rotation * scale - Mat3::identity();
  result.by_log_scale = rotation * arm * (size * vertex.influence);
  const Mat3 by_rotation = rotation * cross_matrix(arm) * rotation_right_jacobian(r) * (-scale * vertex.influence);
  // rotation vector = factor(a . b) a x b of the unit vectors a and b.
  const double bend_rate = factor_rate(bend);
  const auto by_direction = [&](const Vec3& v, const Vec3& unit, const Vec3& other, double sign) {
    const double length = norm(v);
    if (!(length > 0)) return Mat3::zero();
    const Mat3 by_unit = cross_matrix(other) * (sign * bend.factor) + outer(bend.normal, other) * bend_rate;
    return by_rotation * by_unit * (Mat3::identity() - outer(unit, unit)) * (1 / length);
  };
  result.by_reference = by_direction(from, bend.a, bend.b, -1);
  result.by_displaced = by_direction(to, bend.b, bend.a, 1);
  return result;
}

Vec3 WireDerivative::operator()(const WireCurves& wire_rate, const Vec3& x_rate) const {
  const Vec3 origin_rate = curve_position(at, wire_rate.reference);
  return influence * (curve_position(at, wire_rate.displaced) - origin_rate) + by_arm * (x_rate - origin_rate) +
         by_reference * curve_derivative(at, wire_rate.reference) +
         by_displaced * curve_derivative(at, wire_rate.displaced) + by_log_scale * weighted(at, wire_rate.log_scale);
}

WireLayer::WireLayer(std::string name, std::vector<Wire> wires, double blend)
    : name_(std::move(name)), wires_(std::move(wires)), blend_(blend) {
  if (!(std::isfinite(blend) && blend > 0)) throw input_error(name_ + ": \"blend\" must be a positive number.");
  for (std::size_t w = 0; w < wires_.size(); ++w) {
    const Wire& wire = wires_[w];
    if (wire.controls.size() < 2) throw input_error(name_ + ": a wire needs at least two control points; add some.");
    if (std::set<int>(wire.controls.begin(), wire.controls.end()).size() < wire.controls.size())
      throw input_error(name_ + ": a wire names a control point twice; remove one.");
    if (!(std::isfinite(wire.radius) && wire.radius > 0))
      throw input_error(name_ + ": the radius of a wire must be a positive number of metres.");
    first_node_.push_back(nodes_.size());
    nodes_.insert(nodes_.end(), wire.controls.begin(), wire.controls.end());
  }
}

WireCurves WireLayer::curves(std::size_t wire, const LayerControls& controls) const {
  const std::size_t first = first_node_[wire], count = wires_[wire].controls.size();
  return {std::span(controls.reference).subspan(first, count), std::span(controls.displaced).subspan(first, count),
          std::span(controls.log_scale).subspan(first, count)};
}

void WireLayer::bind(std::span<const Vec3> controls, std::span<const Vec3> surface) {
  std::vector<std::vector<Hold>> holds(surface.size());
  for (std::size_t w = 0; w < wires_.size(); ++w) {
    const auto own = controls.subspan(first_node_[w], wires_[w].controls.size());
    if (std::all_of(own.begin(), own.end(), [&](const Vec3& x) { return x == own[0]; }))
      throw input_error(name_ + ": the control points of a wire are all in one place; spread them.");
    const std::vector<WireVertex> bound = bind_wire(own, wires_[w].radius, surface);
    if (bound.empty())
      throw input_error(name_ + ": a wire reaches no vertex within its radius of " + std::to_string(wires_[w].radius) +
                        " m; widen it or move the control points to the surface.");
    for (const WireVertex& vertex : bound)
      holds[index(vertex.vertex)].push_back({w, std::pow(vertex.influence, blend_), vertex});
  }
  std::vector<int> reached;
  holds_.clear();
  start_.assign(1, 0);
  for (std::size_t v = 0; v < holds.size(); ++v) {
    if (holds[v].empty()) continue;
    double sum = 0;
    for (const Hold& hold : holds[v]) sum += hold.weight;
    for (Hold& hold : holds[v]) {
      hold.weight /= sum;
      holds_.push_back(hold);
    }
    reached.push_back(static_cast<int>(v));
    start_.push_back(static_cast<int>(holds_.size()));
  }
  std::vector<std::vector<int>> led_by(reached.size());
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (int h = start_[i]; h < start_[i + 1]; ++h) {
      const Hold& hold = holds_[index(h)];
      for (std::size_t k = 0; k < 4; ++k)
        if (hold.at.at.position[k] != 0 || hold.at.at.derivative[k] != 0)
          led_by[i].push_back(static_cast<int>(first_node_[hold.wire]) + hold.at.at.control[k]);
    }
  }
  reach_ = LayerReach(std::move(reached), led_by, nodes_.size(), surface.size());
}

void WireLayer::apply(const LayerControls& controls, std::span<const int> positions, std::span<Vec3> surface) const {
  if (controls.reference == controls.displaced &&
      std::all_of(controls.log_scale.begin(), controls.log_scale.end(), [](double s) { return s == 0; }))
    return;
  parallel_for(positions.size(), wire_deformer_vertices_per_task, [&](std::size_t k) {
    const auto i = index(positions[k]);
    Vec3& x = surface[index(reach_.vertices()[i])];
    Vec3 displacement;
    for (int h = start_[i]; h < start_[i + 1]; ++h) {
      const Hold& hold = holds_[index(h)];
      displacement += hold.weight * wire_displacement(hold.at, curves(hold.wire, controls), x);
    }
    x += displacement;
  });
}

class WireLayer::Derivative : public LayerDerivative {
 public:
  Derivative(const WireLayer& layer, const LayerControls& controls, std::span<const Vec3> surface)
      : layer_(layer), of_hold_(layer.holds_.size()) {
    parallel_for(layer.reach_.vertices().size(), wire_deformer_vertices_per_task, [&](std::size_t i) {
      for (int h = layer_.start_[i]; h < layer_.start_[i + 1]; ++h) {
        const Hold& hold = layer_.holds_[index(h)];
        of_hold_[index(h)] =
            wire_derivative(hold.at, layer_.curves(hold.wire, controls), surface[index(layer_.reach_.vertices()[i])]);
      }
    });
  }

  void apply(const LayerControls& rate, std::span<const int> moving, SurfaceRates& surface) const override {
    for (const int i : layer_.reach_.concerned(moving, surface)) {
      Vec3& x = surface.at(layer_.reach_.vertices()[index(i)]);
      Vec3 change;
      for (int h = layer_.start_[index(i)]; h < layer_.start_[index(i) + 1]; ++h) {
        const Hold& hold = layer_.holds_[index(h)];
        change += hold.weight * of_hold_[index(h)](layer_.curves(hold.wire, rate), x);
      }
      x += change;
    }
  }

 private:
  const WireLayer& layer_;
  std::vector<WireDerivative> of_hold_;
};

std::unique_ptr<LayerDerivative> WireLayer::derivative(const LayerControls& controls,
                                                       std::span<const Vec3> surface) const {
  return std::make_unique<Derivative>(*this, controls, surface);
}

}  // namespace sinew
