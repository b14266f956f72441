// Forces on a body's vertices from pokes at the surface that it carries.
#pragma once

#include <span>
#include <vector>

#include "sinew/contact/outside_forces.h"
#include "sinew/contact/surface_points.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/flesh_body.h"

namespace sinew {

class SurfacePushes {
 public:
  // `body` must outlive this.
  explicit SurfacePushes(const FleshBody& body) : body_(body) {}

  // Acts until it is set anew. Throws what add_poke() throws.
  void set(std::span<const Poke> pokes);

  // local += factor R^T F, 3 numbers per free vertex.
  void add_to(const VertexFrames& frames, double factor, std::span<double> local) const;

 private:
  const FleshBody& body_;
  SurfacePoints points_;     // found when first asked for
  std::vector<Vec3> force_;  // per vertex, newtons, world; empty: none
};

}  // namespace sinew
