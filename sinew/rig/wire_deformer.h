// Wires (Singh and Fiume 1998): a curve near the surface that is bent, and takes the surface along within a radius.
//
// A wire is a reference curve R, a wire curve W over the same parameter, a radius r and a local scale. With u the
// parameter of the point of R closest to P and F = f(|P - R(u)| / r), P is scaled about R(u), turned about R(u) by the
// part F of the angle from R'(u) to W'(u), and moved by the part F of W(u) - R(u). Here
//   - curves are uniform cubic B-splines of their control points, extended at either end by P_-1 = 2 P_0 - P_1, so that
//     they begin at the first control point and end at the last,
//   - f(x) = (1 - x^2)^2 for x < 1, else 0,
//   - u and F are found once, in rest: control points and surface ride along together then,
//   - wires that share a point weigh by their influences, dP = sum dP_i F_i^k / sum F_i^k, so that derivatives exist
//     where nothing is displaced yet (the paper's other weights, powers of |dP_i|, have none there).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/rig/rig_layer.h"

namespace sinew {

// A point of a curve and its derivative by the parameter, as weights of control points.
struct CurveWeights {
  std::array<int, 4> control{};        // weights of repeated ones are 0
  std::array<double, 4> position{};    // sum to 1
  std::array<double, 4> derivative{};  // sum to 0
};

// `u` from 0 to controls - 1; at least two control points.
CurveWeights curve_weights(std::size_t controls, double u);
Vec3 curve_position(const CurveWeights& at, std::span<const Vec3> controls);
Vec3 curve_derivative(const CurveWeights& at, std::span<const Vec3> controls);

// Parameter of the curve's point closest to x. Where several are, one of them.
double closest_curve_parameter(std::span<const Vec3> controls, const Vec3& x);

// A vertex that a wire reaches.
struct WireVertex {
  int vertex = -1;
  double influence = 0;  // F
  CurveWeights at;       // its u
};

// Vertices with F > 0, ascending. Controls and surface in rest, metres, as is the radius.
std::vector<WireVertex> bind_wire(std::span<const Vec3> controls, double radius, std::span<const Vec3> surface);

// A wire's control points at one time, or how they change; metres. All three have the same length.
struct WireCurves {
  std::span<const Vec3> reference, displaced;
  std::span<const double> log_scale;
};

// How far a vertex that stands at x moves: exactly zero where the curves are equal and log_scale is zero.
Vec3 wire_displacement(const WireVertex& vertex, const WireCurves& wire, const Vec3& x);

// The derivative of that, which is linear in how points and curves change.
struct WireDerivative {
  double influence = 0;
  CurveWeights at;
  Mat3 by_arm;                      // of P - R(u)
  Mat3 by_reference, by_displaced;  // of R'(u) and W'(u)
  Vec3 by_log_scale;

  Vec3 operator()(const WireCurves& wire_rate, const Vec3& x_rate) const;
};
WireDerivative wire_derivative(const WireVertex& vertex, const WireCurves& wire, const Vec3& x);

struct Wire {
  std::vector<int> controls;  // nodes, along the curve; at least two
  double radius = 0;          // metres
};

// Wires as a layer of a character's rig. A control point's own translation displaces it, its uniform scale is the local
// scale there; between control points scales go over into each other by the curve's weights of their logarithms.
class WireLayer : public RigLayer {
 public:
  // `name` stands in messages. `blend`: the power k. Throws input_error where a wire has less than two control points
  // or one twice, or its radius or `blend` is not a positive number.
  WireLayer(std::string name, std::vector<Wire> wires, double blend = 1);

  const std::vector<int>& nodes() const override { return nodes_; }
  // Throws input_error where a wire reaches no vertex, or its control points are all in one place.
  void bind(std::span<const Vec3> controls, std::span<const Vec3> surface) override;
  const LayerReach& reach() const override { return reach_; }
  void apply(const LayerControls& controls, std::span<const int> positions, std::span<Vec3> surface) const override;
  std::unique_ptr<LayerDerivative> derivative(const LayerControls& controls,
                                              std::span<const Vec3> surface) const override;

 private:
  // One wire's hold of a vertex.
  struct Hold {
    std::size_t wire = 0;
    double weight = 1;  // its share among the wires of the vertex
    WireVertex at;
  };

  class Derivative;

  WireCurves curves(std::size_t wire, const LayerControls& controls) const;

  std::string name_;
  std::vector<Wire> wires_;
  double blend_;
  std::vector<int> nodes_;               // of all wires, one after the other
  std::vector<std::size_t> first_node_;  // per wire
  LayerReach reach_;
  std::vector<int> start_;  // per reached vertex + 1, into holds_
  std::vector<Hold> holds_;
};

}  // namespace sinew
