// Held points take a part of the compliance of flesh in a step: this finds it (docs/flesh.md, Hands and obstacles).
//
// Held points are met along their independent rows Q. With the step's compliance C, in the vertices' own frames, and
// their rotations R, forces on the rows move them by S = Q^T R C R^T Q = L L^T. Flesh whose held points stay where they
// are has the compliance C - G^T G with G = L^-1 Q^T R C, of which contacts need the columns of the vertices that they
// touch.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/factor_levels.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/linalg/dense_cholesky.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

class HeldCompliance {
 public:
  // `body` must outlive this.
  explicit HeldCompliance(const FleshBody& body) : body_(body) {}

  // Begins a step. `rows` is Q^T, over the free vertices: all rows have the same columns, ascending. `frames` and
  // `rows` must stay as they are until the next step. Throws simulation_error where S is not positive definite.
  void begin_step(const SparseRows& rows, const VertexFrames& frames, const StepFactor& factor);

  // The free vertices that held points touch, ascending.
  std::span<const int> vertices() const { return vertices_; }
  const DenseCholesky& schur() const { return schur_; }

  // Computes the columns of G of those of these free vertices, ascending, that have none in this step.
  void prepare(std::span<const int> free_vertices);
  // G R_v^T of a prepared vertex, column-major: a column per axis of the world, three numbers (x, y, z) per row of Q^T.
  std::span<const double> columns_of(int free_vertex) const {
    const std::size_t each = 9 * rank_, place = static_cast<std::size_t>(place_[static_cast<std::size_t>(free_vertex)]);
    return std::span(columns_).subspan(each * place, each);
  }

 private:
  const Mat3& rotation(int free_vertex) const {
    return frames_->rotation[static_cast<std::size_t>(body_.free_vertex[static_cast<std::size_t>(free_vertex)])];
  }
  void factor_from_entries();
  void factor_from_solutions();
  void find_columns_from_entries(std::span<const int> free_vertices, std::span<double> columns);
  void find_columns_from_solutions(std::span<const int> free_vertices, std::span<double> columns) const;

  const FleshBody& body_;
  const SparseRows* rows_ = nullptr;
  const VertexFrames* frames_ = nullptr;
  StepFactor factor_;
  std::size_t rank_ = 0;
  std::vector<int> vertices_;
  DenseCholesky schur_;
  bool solved_ = false;          // true: `solution_` holds C R^T Q; false: entries of C are used instead
  std::vector<float> solution_;  // 3 rows per free vertex, 3 columns per row of Q^T; row-major
  std::vector<int> place_;       // free vertex -> place in columns_, or -1
  std::vector<double> columns_;
};

}  // namespace sinew
