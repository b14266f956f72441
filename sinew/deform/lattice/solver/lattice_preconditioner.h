// Approximate inverses of a lattice's systems: factors at rest, rotated by the pose and never refactored. Each row is
// rotated by the frame of its function, the mean of the frames of the cells around it weighted by their stiffness.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/solver/active_functions.h"

namespace sinew {

// Each row is taken in the frame of its function: the mean of those of the cells around, as much as their stiffness
// counts in the row, since it is in their frames that the system is constant.
//
// If all functions are active, the factor of the whole system is used, in nodal values if the basis has them
// (nodal_transform.h). If only some functions of a hierarchical basis are active, it is the hierarchical basis
// preconditioner (Yserentant 1986), which serves any choice of functions: the factor of the coarsest level and, for
// detail, the 3x3 diagonal blocks. (Inverses over all detail of each cell took four fifths of the iterations at twice
// the time for each.)
class LatticePreconditioner {
 public:
  // `whole` is the factor at rest over body.systems->factor_function, `coarse` that over the free functions of the
  // coarsest level; `detail` holds the inverse of the diagonal block of each function. All must outlive this. Results
  // are multiplied by `share`.
  LatticePreconditioner(const LatticeBody& body, const BlockCholesky& whole, const BlockCholesky& coarse,
                        std::span<const Mat3> detail, double share = 1);

  void activate(const ActiveFunctions& active);
  void set_pose(const LatticePose& pose);

  // Computes to = approximate inverse times from, world, over the unknowns.
  void apply(std::span<const double> from, std::span<double> to);

 private:
  const LatticeBody& body_;
  void apply_whole(std::span<const double> from, std::span<double> to);

  const BlockCholesky& whole_;
  const BlockCholesky& coarse_;
  std::span<const Mat3> detail_;
  double share_;
  const ActiveFunctions* active_ = nullptr;
  std::size_t direct_ = 0;  // number of rows solved by a factor; they come first
  // The cells around each function and their shares of its diagonal.
  std::vector<int> around_start_, around_cell_;
  std::vector<double> around_share_;
  bool use_whole_ = false;
  std::vector<int> row_function_;  // per rotated row: those of a factor, then those of detail
  std::vector<Mat3> rotation_;     // per rotated row
  std::vector<double> local_;
  std::vector<Vec3> values_;  // per function; zero where it has no row
  SparseRows children_;       // transpose of the parents of the nodal transform
};

}  // namespace sinew
