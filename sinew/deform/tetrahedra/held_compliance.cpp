#include "sinew/deform/tetrahedra/held_compliance.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/base/threads/scratch.h"
#include "sinew/deform/tetrahedra/vertex_compliance.h"
#include "sinew/linalg/dense_matrix.h"

namespace sinew {
namespace {

using std::size_t;

constexpr Vec3 held_axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
// Right-hand sides that the factor solves for in one pass.
constexpr size_t held_solved_at_once = 8;
// Entries between held vertices are kept over steps, and cost a product with Q per step; solutions for Q cost a
// substitution per row of Q. Solutions are cheaper where the entries outnumber this share of the factor's.
constexpr size_t entries_per_factor_entry = 4;

}  // namespace

void HeldCompliance::begin_step(const SparseRows& rows, const VertexFrames& frames, const StepFactor& factor) {
  rows_ = &rows;
  frames_ = &frames;
  factor_ = factor;
  rank_ = rows.rows();
  const size_t count = rank_ > 0 ? rows.column.size() / rank_ : 0;
  vertices_.assign(rows.column.begin(), rows.column.begin() + static_cast<std::ptrdiff_t>(count));
  place_.assign(body_.free_vertex.size(), -1);
  columns_.clear();
  if (rank_ == 0) return;
  solved_ = entries_per_factor_entry * 9 * count * count > factor.factor->factor_entries();
  if (solved_)
    factor_from_solutions();
  else
    factor_from_entries();
}

// S from the entries of C between the vertices that held points touch.
void HeldCompliance::factor_from_entries() {
  const size_t count = vertices_.size();
  ScratchVector<VertexDirection> directions;
  for (const int f : vertices_)
    for (const Vec3& axis : held_axes) directions.push_back({f, transpose_times(rotation(f), axis)});
  ScratchVector<double> between(directions.size() * directions.size());
  factor_.compliance->between_few(directions, *factor_.factor, between);
  // Q^T B Q for each pair of coordinates.
  const DenseView held{rows_->value, count, rank_};
  ScratchVector<double> block(count * count), half(count * rank_), part(rank_ * rank_), schur(9 * rank_ * rank_);
  for (size_t k = 0; k < 3; ++k)
    for (size_t l = 0; l < 3; ++l) {
      for (size_t j = 0; j < count; ++j)
        for (size_t i = 0; i < count; ++i)
          block[j * count + i] = between[(3 * j + l) * 3 * count + 3 * i + k];  // is symmetric
      product({block, count, count}, held, half);
      transposed_product(held, {half, count, rank_}, part);
      for (size_t p = 0; p < rank_; ++p)
        for (size_t q = 0; q < rank_; ++q) schur[(3 * p + k) * 3 * rank_ + 3 * q + l] = part[q * rank_ + p];
    }
  if (!schur_.factor(schur, 3 * rank_)) throw simulation_error("what holds the flesh asks for more than it can give.");
}

// S from the solutions C R^T Q.
void HeldCompliance::factor_from_solutions() {
  const size_t count = vertices_.size(), columns = 3 * rank_, unknowns = 3 * body_.free_vertex.size();
  solution_.resize(unknowns * columns);
  parallel_chunks((columns + held_solved_at_once - 1) / held_solved_at_once, 1, [&](size_t begin, size_t end) {
    ScratchVector<double> forces(held_solved_at_once * unknowns, 0.0), moved(forces.size());
    for (size_t group = begin; group < end; ++group) {
      const size_t first = group * held_solved_at_once, solved = std::min(held_solved_at_once, columns - first);
      for (size_t c = 0; c < solved; ++c)
        for (size_t i = 0; i < count; ++i) {
          const size_t row = (first + c) / 3, axis = (first + c) % 3;
          const Vec3 force = rows_->value[row * count + i] * transpose_times(rotation(vertices_[i]), held_axes[axis]);
          for (size_t k = 0; k < 3; ++k) forces[c * unknowns + 3 * static_cast<size_t>(vertices_[i]) + k] = force[k];
        }
      factor_.factor->solve(std::span(forces).first(solved * unknowns), std::span(moved).first(solved * unknowns),
                            static_cast<int>(solved));
      for (size_t u = 0; u < unknowns; ++u)
        for (size_t c = 0; c < solved; ++c)
          solution_[u * columns + first + c] = static_cast<float>(moved[c * unknowns + u]);
    }
  });
  // Q^T R times these, for each coordinate.
  const DenseView held{rows_->value, count, rank_};
  ScratchVector<double> moved(count * columns), part(rank_ * columns), schur(columns * columns);
  for (size_t k = 0; k < 3; ++k) {
    parallel_for(count, 16, [&](size_t i) {
      const Mat3& turn = rotation(vertices_[i]);
      const float* own = &solution_[3 * static_cast<size_t>(vertices_[i]) * columns];
      for (size_t c = 0; c < columns; ++c)
        moved[c * count + i] = turn(k, 0) * own[c] + turn(k, 1) * own[columns + c] + turn(k, 2) * own[2 * columns + c];
    });
    transposed_product(held, {moved, count, columns}, part);
    for (size_t c = 0; c < columns; ++c)
      for (size_t p = 0; p < rank_; ++p) schur[(3 * p + k) * columns + c] = part[c * rank_ + p];
  }
  if (!schur_.factor(schur, columns)) throw simulation_error("what holds the flesh asks for more than it can give.");
}

void HeldCompliance::prepare(std::span<const int> free_vertices) {
  if (rank_ == 0) return;
  ScratchVector<int> missing;
  for (const int f : free_vertices)
    if (place_[static_cast<size_t>(f)] < 0) missing.push_back(f);
  const size_t each = 9 * rank_, before = columns_.size();
  columns_.resize(before + each * missing.size());
  for (size_t i = 0; i < missing.size(); ++i)
    place_[static_cast<size_t>(missing[i])] = static_cast<int>(before / each + i);
  const std::span<double> added = std::span(columns_).subspan(before);
  if (solved_)
    find_columns_from_solutions(missing, added);
  else
    find_columns_from_entries(missing, added);
  parallel_for(3 * missing.size(), 4,
               [&](size_t column) { schur_.solve_lower(added.subspan(column * 3 * rank_, 3 * rank_)); });
}

// Q^T R C R_v^T from the entries of C.
void HeldCompliance::find_columns_from_entries(std::span<const int> free_vertices, std::span<double> columns) {
  const size_t count = vertices_.size(), own = 3 * free_vertices.size();
  ScratchVector<VertexDirection> directions;
  for (const int f : free_vertices)
    for (const Vec3& axis : held_axes) directions.push_back({f, transpose_times(rotation(f), axis)});
  ScratchVector<Vec3> moved(count * own);
  factor_.compliance->at_vertices(vertices_, directions, *factor_.factor, moved);
  const DenseView held{rows_->value, count, rank_};
  ScratchVector<double> coordinate(count * own), part(rank_ * own);
  for (size_t k = 0; k < 3; ++k) {
    parallel_for(own, 16, [&](size_t j) {
      for (size_t i = 0; i < count; ++i)
        coordinate[j * count + i] = dot(rotation(vertices_[i]).row(k), moved[j * count + i]);
    });
    transposed_product(held, {coordinate, count, own}, part);
    for (size_t j = 0; j < own; ++j)
      for (size_t q = 0; q < rank_; ++q) columns[(j * rank_ + q) * 3 + k] = part[j * rank_ + q];
  }
}

// Q^T R C R_v^T from the solutions: C is symmetric.
void HeldCompliance::find_columns_from_solutions(std::span<const int> free_vertices, std::span<double> columns) const {
  const size_t each = 3 * rank_;
  parallel_for(free_vertices.size(), 4, [&](size_t v) {
    const Mat3& turn = rotation(free_vertices[v]);
    const float* own = &solution_[3 * static_cast<size_t>(free_vertices[v]) * each];
    for (size_t k = 0; k < 3; ++k)
      for (size_t c = 0; c < each; ++c)
        columns[(3 * v + k) * each + c] =
            turn(k, 0) * own[c] + turn(k, 1) * own[each + c] + turn(k, 2) * own[2 * each + c];
  });
}

}  // namespace sinew
