// The cells that flesh moves in, for pages to draw: which points are joined by edges, and where those points are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/jobs/prepare_method.h"
#include "sinew/linalg/small.h"

namespace sinew::studio {

struct BodyCells {
  std::string kind;  // lattice, tetrahedra, or none: the method has no cells
  std::size_t cells = 0, points = 0;
  std::vector<std::array<int, 2>> edges;  // of points; those on the outside come first
  std::size_t outer = 0;                  // edges on the outside

  bool operator==(const BodyCells&) const = default;
};

// Of a control lattice its cells; else the tetrahedra of the body.
BodyCells cells_of(const PreparedMethod& prepared);

// The same while a character moves. Numbered, so that who has drawn them knows when there are others.
class MovingCells {
 public:
  // Those of this method from now on.
  void of(std::shared_ptr<const PreparedMethod> prepared);
  void forget();

  std::uint32_t number() const { return number_; }
  const BodyCells& cells() const { return cells_; }

  // World, metres, per point, after the last step of a deformer of that method: `displacements` are its points(),
  // `bones` lead from rest space to the world. Until the next call.
  std::span<const Vec3> places(std::span<const Vec3> displacements, std::span<const Affine> bones);

 private:
  std::shared_ptr<const PreparedMethod> prepared_;
  BodyCells cells_;
  std::uint32_t number_ = 0;
  LatticePose pose_;
  std::vector<int> functions_;
  VertexFrames frames_;
  std::vector<Vec3> places_;
};

}  // namespace sinew::studio
