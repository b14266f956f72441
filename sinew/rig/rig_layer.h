// A layer of a character's rig: something that moves the skinned surface on, led by control points. Each control point
// stands twice: where its parents carry it (reference) and where its own translation has put it (displaced). With both
// alike, a layer leaves the surface as it is, to the bit.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// World, metres; per control point.
struct LayerControls {
  std::vector<Vec3> reference, displaced;
  std::vector<double> log_scale;  // logarithm of the size that the control point asks for around it, usually 0
};

// How a surface changes in one direction: few vertices of many.
class SurfaceRates {
 public:
  explicit SurfaceRates(std::size_t vertices) : rate_(vertices), touched_(vertices, 0) {}

  // Vertices that were asked for with at(), in no order.
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
  // All zero again, and nothing asked for.
  void clear();
  // The same vertices, ascending.
  std::vector<int> ascending() const;

 private:
  std::vector<Vec3> rate_;
  std::vector<char> touched_;
  std::vector<int> vertices_;
};

// A layer's derivatives at one state of controls and surface.
class LayerDerivative {
 public:
  virtual ~LayerDerivative() = default;

  // In one direction: `rate` is how the controls change, `moving` the positions of those that do; `surface` is how the
  // surface does that reaches the layer, and becomes how that does that leaves it.
  virtual void apply(const LayerControls& rate, std::span<const int> moving, SurfaceRates& surface) const = 0;
};

// Which of a layer's vertices a change concerns.
class LayerReach {
 public:
  LayerReach() = default;
  // `vertices`: ascending; per position in it the controls that matter there, of `control_count`.
  LayerReach(std::vector<int> vertices, std::span<const std::vector<int>> controls, std::size_t control_count,
             std::size_t surface_vertices);

  // Vertices that the layer can move, ascending. Positions below are in it.
  const std::vector<int>& vertices() const { return vertices_; }
  // Positions of vertices that change already, or that one of the controls `moving` moves; each once.
  std::vector<int> concerned(std::span<const int> moving, const SurfaceRates& surface) const;
  std::vector<int> concerned(std::span<const int> moving, std::span<const char> vertex_changed) const;

 private:
  std::vector<int> with_controls(std::vector<int> positions, std::span<const int> moving) const;

  std::vector<int> vertices_;
  std::vector<int> position_;                 // per vertex of the surface: in vertices_, or -1
  std::vector<std::vector<int>> of_control_;  // per control: positions
};

class RigLayer {
 public:
  virtual ~RigLayer() = default;

  // The nodes that are control points, indices into Skeleton::joints.
  virtual const std::vector<int>& nodes() const = 0;

  // Called once, with the control points and the surface that reaches the layer, in the character's default pose. What
  // depends on where points lie in relation to each other is decided here. May throw input_error.
  virtual void bind(std::span<const Vec3> controls, std::span<const Vec3> surface) = 0;

  // What the layer can move, and which control what; after bind().
  virtual const LayerReach& reach() const = 0;

  // Moves vertices of `surface` on, those at the given positions of reach().
  virtual void apply(const LayerControls& controls, std::span<const int> positions, std::span<Vec3> surface) const = 0;

  // Exact derivatives where the surface that reaches the layer is `surface`. The layer must outlive them.
  virtual std::unique_ptr<LayerDerivative> derivative(const LayerControls& controls,
                                                      std::span<const Vec3> surface) const = 0;
};

}  // namespace sinew
