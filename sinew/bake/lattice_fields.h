// What a bound character says about the flesh at every place of a control lattice, from its body of tetrahedra.
#pragma once

#include <span>
#include <vector>

#include "sinew/bake/prepare.h"
#include "sinew/character/character.h"
#include "sinew/deform/lattice_flesh/control_lattice/lattice_body.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// Per tetrahedron of the subdivided lattice.
struct LatticeFields {
  std::vector<double> fill;            // share inside the body, 0 to 1
  std::vector<double> young;           // pascals; 0 where nothing is inside
  std::vector<double> density;         // kg/m^3, times the share inside
  std::vector<double> bone_stiffness;  // of the bone displacement energy, N/m per m^3, times the share inside
  std::vector<Influences> influences;  // at its middle
};
LatticeFields lattice_fields(const FleshScene& scene, const TetrahedralMesh& mesh);

// Skin weights of places in rest space, as the body has them there or where it is nearest.
std::vector<Influences> influences_at(const FleshScene& scene, std::span<const Vec3> places);

// The mean of influences, weighted by `weight`, cut to the heaviest bones.
class InfluenceMean {
 public:
  explicit InfluenceMean(std::size_t bones) : weight_(bones, 0.0) {}
  void add(const Influences& influences, double weight);
  Influences take();  // and begins anew

 private:
  std::vector<double> weight_;
  std::vector<int> used_;
};

// What the skeleton does with each function (Capell 2004, section 5.1): `bone` is the one that moves a driven function,
// else -1. Where bones meet, the joint belongs to the bone that begins there. Throws input_error for a bone of the
// lattice that the character does not have.
struct SkeletonDrive {
  std::vector<FunctionRole> role;
  std::vector<int> bone;
};
SkeletonDrive skeleton_drive(const SimulationSurface& surface, const ControlLattice& lattice,
                             const SubdividedLattice& subdivided, std::size_t functions);

}  // namespace sinew
