// Free-form deformation (Sederberg and Parry 1986): a box around a part of the surface with a grid of control points. A
// point with the coordinates s, t, u in the box moves to
//   X(s, t, u) = sum_ijk B_i(s) B_j(t) B_k(u) P_ijk
// with Bernstein polynomials of the degrees l, m, n. The undisplaced grid gives the identity, so that dX = sum B_i B_j
// B_k dP_ijk. Points outside the box do not move.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/rig/rig_layer.h"

namespace sinew {

// A parallelepiped with its grid. World, metres.
struct LatticeBox {
  Vec3 origin;
  std::array<Vec3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // edge vectors from the origin
  std::array<int, 3> degrees{2, 2, 2};  // l, m, n >= 1; an axis has one control point more than its degree
};

using LatticeIndex = std::array<int, 3>;

// Coordinates s, t, u of a point; from 0 to 1 inside the box.
Vec3 lattice_coordinates(const LatticeBox& box, const Vec3& x);
// Position of control point i, j, k of the undisplaced grid.
Vec3 lattice_point(const LatticeBox& box, const LatticeIndex& i);
// Weight B_i(s) B_j(t) B_k(u).
double lattice_weight(const LatticeBox& box, const LatticeIndex& i, const Vec3& coordinates);
// Deformed position X. `grid`: (l + 1) (m + 1) (n + 1) control points, the last index fastest.
Vec3 free_form_deformation(const LatticeBox& box, std::span<const Vec3> grid, const Vec3& coordinates);

// A control point of the grid and the node that displaces it.
struct LatticeControl {
  int node = -1;
  LatticeIndex point{};
};

// A lattice as a layer of a character's rig. The box is placed in the default pose, and points of the surface keep the
// coordinates that they have there. Control points without a node are never displaced.
class LatticeLayer : public RigLayer {
 public:
  // `name` is used in messages. Throws input_error where the box is flat, a degree is not from 1 to 16, a control point
  // is outside the grid, or two nodes stand for the same one.
  LatticeLayer(std::string name, const LatticeBox& box, std::vector<LatticeControl> controls);

  const std::vector<int>& nodes() const override { return nodes_; }
  // Throws input_error where no vertex is in the box.
  void bind(std::span<const Vec3> controls, std::span<const Vec3> surface) override;
  const LayerReach& reach() const override { return reach_; }
  void apply(const LayerControls& controls, std::span<const int> positions, std::span<Vec3> surface) const override;
  std::unique_ptr<LayerDerivative> derivative(const LayerControls& controls,
                                              std::span<const Vec3> surface) const override;

 private:
  class Derivative;

  std::string name_;
  LatticeBox box_;
  std::vector<LatticeControl> controls_;
  std::vector<int> nodes_;
  LayerReach reach_;
  std::vector<double> weight_;  // per reached vertex and control point
};

}  // namespace sinew
