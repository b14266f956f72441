// Flesh in a control lattice whose bones are given as maps instead of a character's clip, for experiments with poses.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/describe_lattice.h"
#include "sinew/deform/lattice/lattice_body.h"

namespace sinew {

// A way to linearise the equations, with its name.
struct Linearized {
  Linearization linearization = Linearization::warped;
  Warping warping = Warping::element;
};
std::string_view name_of(const Linearized& how);
bool operator==(const Linearized& a, const Linearized& b);

// All of them; nonlinear, with which the others are compared, is the first.
std::vector<Linearized> every_linearization();

// Makes all vertices of the grid's tetrahedra the surface that the body carries.
void carry_whole_body(const LatticeGrid& grid, std::span<const Influences> influences, LatticeDescription& description);

class PosedLattice {
 public:
  explicit PosedLattice(std::shared_ptr<const LatticeBody> body);

  // Moves to static equilibrium. `bones`: rest space to world.
  void rest_at(std::span<const Affine> bones);
  // Takes one step to the next pose.
  void step_to(std::span<const Affine> bones);

  // World positions of the surface that the body carries.
  std::vector<Vec3> surface() const;

  const LatticeBody& body() const { return *body_; }
  BodyMotion& deformer() { return *deformer_; }
  std::size_t unknowns() const { return 3 * body_->free_functions(); }

 private:
  std::shared_ptr<const LatticeBody> body_;
  std::unique_ptr<BodyMotion> deformer_;
  std::vector<Affine> bones_;
  double time_ = 0;
};

}  // namespace sinew
