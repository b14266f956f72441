// Flesh in a control lattice on bones that are given as maps, not by a character's clip: what the experiments pose.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/lattice/describe_lattice.h"
#include "sinew/deform/lattice/lattice_body.h"

namespace sinew {

// How the equations are made linear, by one word.
struct Linearized {
  Linearization linearization = Linearization::warped;
  Warping warping = Warping::element;
};
std::string_view name_of(const Linearized& how);
bool operator==(const Linearized& a, const Linearized& b);

// All of them; nonlinear comes first, which the others are measured by.
std::vector<Linearized> every_linearization();

// The body carries, as its surface, all vertices of the grid's tetrahedra.
void carry_whole_body(const LatticeGrid& grid, std::span<const Influences> influences, LatticeDescription& description);

class PosedLattice {
 public:
  explicit PosedLattice(std::shared_ptr<const LatticeBody> body);

  // Static equilibrium. `bones`: rest space to world.
  void rest_at(std::span<const Affine> bones);
  // One step to the next pose.
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
