#include "studies/capell/posed_lattice.h"

#include <utility>

#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/lattice_surface.h"

namespace sinew {

std::string_view name_of(const Linearized& how) {
  switch (how.linearization) {
    case Linearization::linear:
      return "linear";
    case Linearization::quasi:
      return "quasi-linear";
    case Linearization::blended:
      return "blended";
    case Linearization::warped:
      return how.warping == Warping::element ? "warped, element-wise" : "warped, equation 5.10";
    case Linearization::none:
      return "nonlinear";
  }
  return "";
}

bool operator==(const Linearized& a, const Linearized& b) {
  return a.linearization == b.linearization && a.warping == b.warping;
}

std::vector<Linearized> every_linearization() {
  return {{Linearization::none, Warping::element},   {Linearization::linear, Warping::element},
          {Linearization::quasi, Warping::element},  {Linearization::blended, Warping::element},
          {Linearization::warped, Warping::element}, {Linearization::warped, Warping::vertex}};
}

void carry_whole_body(const LatticeGrid& grid, std::span<const Influences> influences,
                      LatticeDescription& description) {
  description.surface = grid.values;
  description.surface_rest = grid.tetrahedra.mesh.positions;
  description.surface_influences.assign(influences.begin(), influences.end());
}

PosedLattice::PosedLattice(std::shared_ptr<const LatticeBody> body)
    : body_(std::move(body)), deformer_(lattice_flesh(body_)) {}

void PosedLattice::rest_at(std::span<const Affine> bones) {
  bones_.assign(bones.begin(), bones.end());
  deformer_->reset({time_, bones}, {time_ + deformer_->step(), bones});
}

void PosedLattice::step_to(std::span<const Affine> bones) {
  bones_.assign(bones.begin(), bones.end());
  time_ += deformer_->step();
  deformer_->advance({time_, bones});
}

std::vector<Vec3> PosedLattice::surface() const {
  LatticePose pose;
  predict_pose(body_->description, bones_, pose);
  const std::span<const Vec3> local = deformer_->local_displacements();
  std::vector<Vec3> position(local.size());
  for (std::size_t f = 0; f < position.size(); ++f)
    position[f] = pose.functions.goal[f] + pose.functions.rotation[f] * local[f];
  std::vector<Vec3> surface(body_->description.surface.rows());
  reconstruct_surface(*body_, position, surface);
  return surface;
}

}  // namespace sinew
