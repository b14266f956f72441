// Elastic energy of the tetrahedra that free parameters move (Hahn 2013, W of equation 2), with derivatives with
// respect to vertex positions. Tetrahedra that no parameter moves are left out, since their energy does not affect the
// solution.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/deform/rig_space/tetrahedral_kernel.h"
#include "sinew/elastic/hyperelastic.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/small.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Material of a body's tetrahedra; one entry per tetrahedron.
struct TetrahedralMaterial {
  HyperelasticLaw law = HyperelasticLaw::modified_st_venant_kirchhoff;
  std::vector<double> shear, lambda;  // pascals
  std::vector<double> fill;           // fraction of the volume inside the body, (0, 1]
};

class TetrahedralEnergy {
 public:
  // Keeps references. Initially the mesh's own positions are the rest shape of all tetrahedra, and none is active.
  TetrahedralEnergy(const TetrahedralMesh& mesh, const TetrahedralMaterial& material);

  // Activates exactly the tetrahedra with a vertex that moves (one entry per vertex). Returns true if that changed
  // anything; the rest shapes are then reset to the mesh's own.
  bool activate(std::span<const char> moves);
  std::size_t active() const { return tetrahedra_.size(); }

  // Makes `x` (one position per vertex) the stress-free shape, tetrahedron by tetrahedron; ones that a rig has inverted
  // are taken as they are. A tetrahedron compressed below `least_stretch` of the mesh's own shape takes the nearest
  // shape that is not.
  void rest_at(std::span<const Vec3> x, double least_stretch = 0.2);

  // Energy of the active tetrahedra, joules. The gradient (newtons) is zero for vertices that do not move.
  double energy(std::span<const Vec3> x) const;
  double energy(std::span<const Vec3> x, std::span<Vec3> gradient);

  // Hessian over all vertices, with blocks between moving vertices that active tetrahedra couple, N/m.
  BlockMatrix hessian_pattern() const { return pattern_; }
  void hessian(std::span<const Vec3> x, HyperelasticTangent form, BlockMatrix& hessian);

  double smallest_volume_ratio(std::span<const Vec3> x) const;  // smallest det F of the active tetrahedra

 private:
  struct Active {
    Tetrahedron vertex;
    double volume = 0;  // volume times fill, cubic metres, of the mesh's own shape
    LameModuli moduli;
    std::size_t source = 0;  // index in the mesh
  };
  // A corner of an active tetrahedron.
  struct Corner {
    int tetrahedron = 0, corner = 0;
  };
  Mat3 inverse_edges(std::size_t e) const;
  void set_inverse_edges(std::size_t e, const Mat3& inverse);
  Mat3 displacement_gradient(std::size_t e, std::span<const Vec3> x) const;
  double sum_of_energies() const;
  void energies_of_others(std::span<const Vec3> x, bool with_forces) const;
  void stiffness_of_others(std::span<const Vec3> x, HyperelasticTangent form);

  const TetrahedralMesh* mesh_;
  const TetrahedralMaterial* material_;
  std::vector<Mat3> rest_inverse_edges_;  // per tetrahedron of the mesh
  std::vector<char> moves_;
  std::vector<Active> tetrahedra_;
  std::vector<tetrahedral_kernel::Block> blocks_;  // the active tetrahedra in order, eight per block
  std::vector<std::array<tetrahedral_kernel::Lanes, 9>> own_inverse_edges_;
  std::vector<int> corner_start_;  // per vertex + 1
  std::vector<Corner> corners_;
  BlockMatrix pattern_;
  std::vector<std::array<int, 4>> place_;  // per corner entry: index of the block in the row, or -1
  mutable std::vector<tetrahedral_kernel::Lanes> energy_;
  mutable std::vector<tetrahedral_kernel::Forces> force_;
  std::vector<tetrahedral_kernel::Stiffness> stiffness_;
};

}  // namespace sinew
