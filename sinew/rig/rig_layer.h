// A layer of a character's rig: a deformer of the skinned surface that is driven by control points. Each control point
// has two positions: where its parents carry it (reference) and where its own translation puts it (displaced). If both
// are equal for all, the layer leaves the surface unchanged, to the bit.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// State of the control points; world, metres.
struct LayerControls {
  std::vector<Vec3> reference, displaced;
  std::vector<double> log_scale;  // logarithm of the scale that the control point asks for around it, usually 0
};

// Sparse rates of change of a surface in one direction: few vertices of many.
class SurfaceRates {
 public:
  explicit SurfaceRates(std::size_t vertices) : rate_(vertices), touched_(vertices, 0) {}

  // Vertices that were accessed with at(), in no order.
  const std::vector<int>& vertices() const { return vertices_; }
  const Vec3& operator[](int vertex) const { return rate_[static_cast<std::size_t>(vertex)]; }
  Vec3& at(int vertex) {
    const auto v = static_cast<std::size_t>(vertex);
    if (!touched_[v]) {
      touched_[v] = 1;
      vertices_.push_back(vertex);
    }
    return rate_[v];
  }
  // Resets all rates to zero and forgets the accessed vertices.
  void clear();
  // vertices(), in ascending order.
  std::vector<int> ascending() const;

 private:
  std::vector<Vec3> rate_;
  std::vector<char> touched_;
  std::vector<int> vertices_;
};

// Derivatives of a layer at one state of controls and surface.
class LayerDerivative {
 public:
  virtual ~LayerDerivative() = default;

  // Directional derivative. `rate` is the change of the controls, `moving` the indices of those that change. `surface`
  // holds the change of the layer's input surface on entry, that of its output on return.
  virtual void apply(const LayerControls& rate, std::span<const int> moving, SurfaceRates& surface) const = 0;
};

// Tells which of a layer's vertices are affected by a change.
class LayerReach {
 public:
  LayerReach() = default;
  // `vertices`: ascending; `controls`: per entry of it the controls, of `control_count`, that affect it.
  LayerReach(std::vector<int> vertices, std::span<const std::vector<int>> controls, std::size_t control_count,
             std::size_t surface_vertices);

  // Vertices that the layer can move, ascending. Positions below are indices into it.
  const std::vector<int>& vertices() const { return vertices_; }
  // Positions of the vertices that change already or are moved by one of the controls `moving`; each once.
  std::vector<int> concerned(std::span<const int> moving, const SurfaceRates& surface) const;
  std::vector<int> concerned(std::span<const int> moving, std::span<const char> vertex_changed) const;

 private:
  std::vector<int> with_controls(std::vector<int> positions, std::span<const int> moving) const;

  std::vector<int> vertices_;
  std::vector<int> position_;                 // per vertex of the surface: its index in vertices_, or -1
  std::vector<std::vector<int>> of_control_;  // per control: positions of the vertices it moves
};

class RigLayer {
 public:
  virtual ~RigLayer() = default;

  // The nodes that are control points, indices into Skeleton::joints.
  virtual const std::vector<int>& nodes() const = 0;

  // Called once, with the control points and the layer's input surface in the character's default pose. Fixes
  // everything that depends on the relative position of points. May throw input_error.
  virtual void bind(std::span<const Vec3> controls, std::span<const Vec3> surface) = 0;

  // The vertices that the layer can move, and the controls that move each; valid after bind().
  virtual const LayerReach& reach() const = 0;

  // Deforms the vertices of `surface` at the given positions of reach().
  virtual void apply(const LayerControls& controls, std::span<const int> positions, std::span<Vec3> surface) const = 0;

  // Exact derivatives for the input surface `surface`. The layer must outlive them.
  virtual std::unique_ptr<LayerDerivative> derivative(const LayerControls& controls,
                                                      std::span<const Vec3> surface) const = 0;
};

}  // namespace sinew
