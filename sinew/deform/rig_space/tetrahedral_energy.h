// Elastic energy of the tetrahedra that free parameters move (Hahn 2013, W of equation 2), with its derivatives by
// vertex positions. What no parameter moves has an energy too, but no say in them: it is left out.
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

// What the tetrahedra of a body are made of; one entry per tetrahedron.
struct TetrahedralMaterial {
  HyperelasticLaw law = HyperelasticLaw::modified_st_venant_kirchhoff;
  std::vector<double> shear, lambda;  // pascals
  std::vector<double> fill;           // share of the volume that counts, (0, 1]
};

class TetrahedralEnergy {
 public:
  // Keeps references. All tetrahedra are measured against the mesh's own positions at first; none is active.
  TetrahedralEnergy(const TetrahedralMesh& mesh, const TetrahedralMaterial& material);

  // Makes those tetrahedra active that have a vertex that moves (one entry per vertex), and no others. Where that
  // changes anything (returned), all are measured against the mesh's own positions again.
  bool activate(std::span<const char> moves);
  std::size_t active() const { return tetrahedra_.size(); }

  // Takes these positions (one per vertex) for the shape without stress, tetrahedron by tetrahedron, those that a rig
  // turned inside out as they are. Where one is flatter than `least_stretch` of the mesh's own shape, it takes the
  // nearest shape that is not.
  void rest_at(std::span<const Vec3> x, double least_stretch = 0.2);

  // Joules, of the active tetrahedra; the gradient (newtons) is written for vertices that move, and zero elsewhere.
  double energy(std::span<const Vec3> x) const;
  double energy(std::span<const Vec3> x, std::span<Vec3> gradient);

  // The Hessian over all vertices, with blocks where the active tetrahedra couple two that move, N/m.
  BlockMatrix hessian_pattern() const { return pattern_; }
  void hessian(std::span<const Vec3> x, HyperelasticTangent form, BlockMatrix& hessian);

  double smallest_volume_ratio(std::span<const Vec3> x) const;  // det F over the active tetrahedra

 private:
  struct Active {
    Tetrahedron vertex;
    double volume = 0;  // that counts, cubic metres, of the mesh's own shape
    LameModuli moduli;
    std::size_t source = 0;  // tetrahedron of the mesh
  };
  // A vertex's part in an active tetrahedron.
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
  std::vector<tetrahedral_kernel::Block> blocks_;  // of them, in their order, eight each
  std::vector<std::array<tetrahedral_kernel::Lanes, 9>> own_inverse_edges_;
  std::vector<int> corner_start_;  // per vertex + 1
  std::vector<Corner> corners_;
  BlockMatrix pattern_;
  std::vector<std::array<int, 4>> place_;  // per corner entry: of the row's blocks, or -1
  mutable std::vector<tetrahedral_kernel::Lanes> energy_;
  mutable std::vector<tetrahedral_kernel::Forces> force_;
  std::vector<tetrahedral_kernel::Stiffness> stiffness_;
};

}  // namespace sinew
