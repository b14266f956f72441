// Approximate inverses of a lattice's systems, from factors at rest that are turned by the pose: never refactored.
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/lattice/lattice_pose.h"
#include "sinew/deform/lattice/solver/active_functions.h"

namespace sinew {

// Each row is taken in the frame of its function: the mean of those of the cells around, as much as their stiffness
// counts in the row, since it is in their frames that the system is constant.
//
// Where all functions are active: the factor of the whole system, where it can be in values at vertices
// (nodal_transform.h). Where only some of a hierarchical basis are: the factor of the coarsest level and, for detail,
// its 3x3 block of the diagonal, which is the hierarchical basis preconditioner (Yserentant 1986) and serves any choice
// of functions. (Inverses over all detail of each cell took four fifths of its iterations and twice its time for each.)
class LatticePreconditioner {
 public:
  // `whole` factors the system at rest over body.systems->factor_function, `coarse` over the free functions of the
  // coarsest level; `detail` holds the inverse of the diagonal block of each function. All must outlive this. What they
  // give is multiplied by `share`.
  LatticePreconditioner(const LatticeBody& body, const BlockCholesky& whole, const BlockCholesky& coarse,
                        std::span<const Mat3> detail, double share = 1);

  void activate(const ActiveFunctions& active);
  void set_pose(const LatticePose& pose);

  // to = approximate inverse times from, world, over the unknowns.
  void apply(std::span<const double> from, std::span<double> to);

 private:
  const LatticeBody& body_;
  void apply_whole(std::span<const double> from, std::span<double> to);

  const BlockCholesky& whole_;
  const BlockCholesky& coarse_;
  std::span<const Mat3> detail_;
  double share_;
  const ActiveFunctions* active_ = nullptr;
  std::size_t direct_ = 0;  // rows that a factor serves; they come first
  // The cells around each function and their shares of its diagonal.
  std::vector<int> around_start_, around_cell_;
  std::vector<double> around_share_;
  bool use_whole_ = false;
  std::vector<int> row_function_;  // per row of what is rotated: a factor's, then those of detail
  std::vector<Mat3> rotation_;     // the same
  std::vector<double> local_;
  std::vector<Vec3> values_;  // per function; zero where it has no row
  SparseRows children_;       // transpose of the parents of the nodal transform
};

}  // namespace sinew
