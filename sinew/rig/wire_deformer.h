// Wires (Singh and Fiume 1998): curves near the surface that deform it within a radius when they are bent.
//
// A wire has a reference curve R, a wire curve W over the same parameter, a radius r and a local scale. Let u be the
// parameter of the point of R closest to P, and F = f(|P - R(u)| / r). P is scaled about R(u), rotated about R(u) by
// the fraction F of the angle from R'(u) to W'(u), and moved by the fraction F of W(u) - R(u). Here
//   - curves are uniform cubic B-splines of their control points, extended at either end by P_-1 = 2 P_0 - P_1, so that
//     they begin at the first control point and end at the last,
//   - f(x) = (1 - x^2)^2 for x < 1, else 0,
//   - u and F are computed once, at rest; later, control points and surface are carried along together,
//   - wires that share a point are weighted by their influences, dP = sum dP_i F_i^k / sum F_i^k, so that derivatives
//     exist where nothing is displaced (they do not with the paper's other weights, powers of |dP_i|).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/rig/rig_layer.h"

namespace sinew {

// A point of a curve and its derivative with respect to the parameter, as weights of control points.
struct CurveWeights {
  std::array<int, 4> control{};        // repeated control points have weight 0
  std::array<double, 4> position{};    // sum to 1
  std::array<double, 4> derivative{};  // sum to 0
};

// `u` from 0 to controls - 1; at least two control points.
CurveWeights curve_weights(std::size_t controls, double u);
Vec3 curve_position(const CurveWeights& at, std::span<const Vec3> controls);
Vec3 curve_derivative(const CurveWeights& at, std::span<const Vec3> controls);

// Parameter of the point of the curve closest to x; one of them where there are several.
double closest_curve_parameter(std::span<const Vec3> controls, const Vec3& x);

// A vertex within the radius of a wire.
struct WireVertex {
  int vertex = -1;
  double influence = 0;  // F
  CurveWeights at;       // weights at u
};

// Vertices with F > 0, ascending. Controls, surface and radius in metres, at rest.
std::vector<WireVertex> bind_wire(std::span<const Vec3> controls, double radius, std::span<const Vec3> surface);

// Control points of a wire at one time, or their rates of change; metres. All three have the same length.
struct WireCurves {
  std::span<const Vec3> reference, displaced;
  std::span<const double> log_scale;
};

// Displacement of a vertex at x: exactly zero where the curves are equal and log_scale is zero.
Vec3 wire_displacement(const WireVertex& vertex, const WireCurves& wire, const Vec3& x);

// Derivative of wire_displacement(), a linear function of the rates of points and curves.
struct WireDerivative {
  double influence = 0;
  CurveWeights at;
  Mat3 by_arm;                      // with respect to P - R(u)
  Mat3 by_reference, by_displaced;  // with respect to R'(u) and W'(u)
  Vec3 by_log_scale;

  Vec3 operator()(const WireCurves& wire_rate, const Vec3& x_rate) const;
};
WireDerivative wire_derivative(const WireVertex& vertex, const WireCurves& wire, const Vec3& x);

struct Wire {
  std::vector<int> controls;  // nodes, along the curve; at least two
  double radius = 0;          // metres
};

// Wires as a layer of a character's rig. A control point's own translation displaces it, and its uniform scale is the
// local scale there; between control points the logarithms of the scales are interpolated with the curve's weights.
class WireLayer : public RigLayer {
 public:
  // `name` is used in messages. `blend`: the power k. Throws input_error where a wire has fewer than two control points
  // or one of them twice, or its radius or `blend` is not a positive number.
  WireLayer(std::string name, std::vector<Wire> wires, double blend = 1);

  const std::vector<int>& nodes() const override { return nodes_; }
  // Throws input_error where a wire reaches no vertex, or all its control points are at the same place.
  void bind(std::span<const Vec3> controls, std::span<const Vec3> surface) override;
  const LayerReach& reach() const override { return reach_; }
  void apply(const LayerControls& controls, std::span<const int> positions, std::span<Vec3> surface) const override;
  std::unique_ptr<LayerDerivative> derivative(const LayerControls& controls,
                                              std::span<const Vec3> surface) const override;

 private:
  // The effect of one wire on a vertex.
  struct Hold {
    std::size_t wire = 0;
    double weight = 1;  // its share among the wires that affect the vertex
    WireVertex at;
  };

  class Derivative;

  WireCurves curves(std::size_t wire, const LayerControls& controls) const;

  std::string name_;
  std::vector<Wire> wires_;
  double blend_;
  std::vector<int> nodes_;               // of all wires, concatenated
  std::vector<std::size_t> first_node_;  // per wire
  LayerReach reach_;
  std::vector<int> start_;  // reached vertices + 1: first entry of each in holds_
  std::vector<Hold> holds_;
};

}  // namespace sinew
