// Rig of the body's boundary: maps rig parameters to the boundary vertices of the body.
#pragma once

#include "sinew/character/rig.h"
#include "sinew/deform/rig_space/rig_space_body.h"

namespace sinew {

class BoundaryRig : public Rig {
 public:
  // Both must outlive this.
  BoundaryRig(const RigSpaceBody& body, Rig& rig) : body_(body), rig_(rig), surface_(rig.vertices()) {}

  const std::vector<RigParameter>& parameters() const override { return rig_.parameters(); }
  std::size_t vertices() const override { return body_.boundary_vertices(); }
  void evaluate(std::span<const double> p, std::span<Vec3> s) override {
    rig_.evaluate(p, surface_);
    place_boundary(body_, surface_, s);
  }

 private:
  const RigSpaceBody& body_;
  Rig& rig_;
  std::vector<Vec3> surface_;
};

}  // namespace sinew
