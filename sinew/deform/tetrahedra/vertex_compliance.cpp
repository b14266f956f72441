#include "sinew/deform/tetrahedra/vertex_compliance.h"

#include <algorithm>
#include <utility>

#include "sinew/base/threads/parallel.h"
#include "sinew/base/threads/scratch.h"

namespace sinew {
namespace {

// Columns of vertices that do not touch now are dropped where all would take more memory than this.
constexpr std::size_t most_bytes = std::size_t{256} << 20;
// Right-hand sides that the factor solves for in one pass.
constexpr std::size_t solved_at_once = 8;

// Columns of the inverse, several at once so that a panel of the factor that is read once serves all of them, and such
// groups side by side: take(i, k, solution) for the k-th column of vertices[i]. `parts`: see BlockCholesky::solve_in().
// A column has the same bits in whatever group it is solved.
template <class Take>
void solve_columns(std::span<const int> vertices, const BlockCholesky& factor, std::span<const char> parts,
                   const Take& take) {
  const std::size_t unknowns = 3 * static_cast<std::size_t>(factor.rows()), columns = 3 * vertices.size();
  parallel_chunks((columns + solved_at_once - 1) / solved_at_once, 1, [&](std::size_t begin, std::size_t end) {
    ScratchVector<double> units(solved_at_once * unknowns, 0.0), solutions(units.size());
    for (std::size_t group = begin; group < end; ++group) {
      const std::size_t first = group * solved_at_once, count = std::min(solved_at_once, columns - first);
      const auto unit = [&](std::size_t i) -> double& {
        const std::size_t column = first + i;
        return units[i * unknowns + 3 * static_cast<std::size_t>(vertices[column / 3]) + column % 3];
      };
      for (std::size_t i = 0; i < count; ++i) unit(i) = 1;
      factor.solve_in(parts, std::span(units).first(count * unknowns), std::span(solutions).first(count * unknowns),
                      static_cast<int>(count));
      for (std::size_t i = 0; i < count; ++i) {
        unit(i) = 0;
        take((first + i) / 3, (first + i) % 3, std::span<const double>(solutions).subspan(i * unknowns, unknowns));
      }
    }
  });
}

// The k-th column of the block of each of `rows`, out of a column of the inverse.
void take_rows(std::span<const int> rows, std::size_t k, std::span<const double> column, std::span<float> blocks) {
  for (std::size_t v = 0; v < rows.size(); ++v)
    for (std::size_t r = 0; r < 3; ++r)
      blocks[9 * v + 3 * r + k] = static_cast<float>(column[3 * static_cast<std::size_t>(rows[v]) + r]);
}

// Copies the lower triangle of a square matrix to the upper one, in tiles that stay in the cache.
void mirror_lower(std::span<double> matrix, std::size_t count) {
  constexpr std::size_t tile = 32;
  parallel_for((count + tile - 1) / tile, 1, [&](std::size_t block) {
    const std::size_t begin = block * tile, end = std::min(begin + tile, count);
    for (std::size_t other = begin; other < count; other += tile)
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t j = std::max(other, i + 1); j < std::min(other + tile, count); ++j)
          matrix[i * count + j] = matrix[j * count + i];
  });
}

// `block(column, row)`: of the inverse, for the vertices of two directions.
template <class Block>
void turn_blocks(std::span<const VertexDirection> directions, const Block& block_of, std::span<double> compliance) {
  const std::size_t count = directions.size();
  parallel_for(count, 16, [&](std::size_t j) {
    const Vec3& from = directions[j].along;
    for (std::size_t i = 0; i <= j; ++i) {  // the columns of the later vertex count, for both
      const float* block = block_of(j, i);
      double sum = 0;
      for (std::size_t r = 0; r < 3; ++r)
        sum += directions[i].along[r] * (block[3 * r] * from.x + block[3 * r + 1] * from.y + block[3 * r + 2] * from.z);
      compliance[j * count + i] = sum;
    }
  });
  mirror_lower(compliance, count);
}

}  // namespace

VertexCompliance::VertexCompliance(std::span<const int> vertices, std::size_t free_vertices)
    : vertices_(vertices.begin(), vertices.end()), row_(free_vertices, -1), place_(free_vertices, -1) {
  for (std::size_t i = 0; i < vertices_.size(); ++i) row_[static_cast<std::size_t>(vertices_[i])] = static_cast<int>(i);
}

void VertexCompliance::between(std::span<const VertexDirection> directions, const BlockCholesky& factor,
                               std::span<double> compliance) {
  const std::lock_guard lock(mutex_);
  need(directions, factor);
  const auto block = [&](std::size_t j, std::size_t i) {
    const auto row = static_cast<std::size_t>(row_[static_cast<std::size_t>(directions[i].vertex)]);
    return columns_of(directions[j].vertex) + 9 * row;
  };
  turn_blocks(directions, block, compliance);
}

void VertexCompliance::at_vertices(std::span<const int> vertices, std::span<const VertexDirection> directions,
                                   const BlockCholesky& factor, std::span<Vec3> moved) {
  const std::lock_guard lock(mutex_);
  need(directions, factor);
  parallel_for(directions.size(), 16, [&](std::size_t j) {
    const Vec3& from = directions[j].along;
    const float* columns = columns_of(directions[j].vertex);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const float* block = columns + 9 * static_cast<std::size_t>(row_[static_cast<std::size_t>(vertices[i])]);
      for (std::size_t r = 0; r < 3; ++r)
        moved[j * vertices.size() + i][r] =
            block[3 * r] * from.x + block[3 * r + 1] * from.y + block[3 * r + 2] * from.z;
    }
  });
}

void VertexCompliance::prepare(std::span<const int> vertices, std::size_t count, const BlockCholesky& factor) {
  const std::lock_guard lock(mutex_);
  ScratchVector<int> missing;
  for (const int v : vertices)
    if (missing.size() < count && !has_columns(v)) missing.push_back(v);
  make_room_for(0);
  if (missing.size() <= free_places_.size()) keep_columns(missing, factor);
}

void VertexCompliance::between_few(std::span<const VertexDirection> directions, const BlockCholesky& factor,
                                   std::span<double> compliance) {
  const std::lock_guard lock(mutex_);
  ScratchVector<int> vertices;
  ScratchVector<std::size_t> place;  // per direction, of its vertex
  for (const VertexDirection& d : directions) {
    if (vertices.empty() || vertices.back() != d.vertex) vertices.push_back(d.vertex);
    place.push_back(vertices.size() - 1);
  }
  const std::size_t count = vertices.size();
  if (!std::equal(vertices.begin(), vertices.end(), few_.begin(), few_.end())) {
    few_.clear();  // until they are complete: solutions may be stopped
    among_few_.resize(9 * count * count);
    solve_columns(vertices, factor, factor.parts_for(vertices),
                  [&](std::size_t v, std::size_t k, std::span<const double> column) {
                    take_rows(vertices, k, column, std::span(among_few_).subspan(9 * count * v, 9 * count));
                  });
    few_.assign(vertices.begin(), vertices.end());
  }
  turn_blocks(
      directions, [&](std::size_t j, std::size_t i) { return &among_few_[9 * (count * place[j] + place[i])]; },
      compliance);
}

// Provides the columns of these directions' vertices.
void VertexCompliance::need(std::span<const VertexDirection> directions, const BlockCholesky& factor) {
  ScratchVector<int> missing;  // ascending, as the directions' vertices are
  for (const VertexDirection& d : directions)
    if (!has_columns(d.vertex) && (missing.empty() || missing.back() != d.vertex)) missing.push_back(d.vertex);
  if (missing.size() > free_places_.size()) drop_all_but(directions);
  keep_columns(missing, factor);
}

void VertexCompliance::drop_all_but(std::span<const VertexDirection> directions) {
  ScratchVector<int> touched;
  for (const VertexDirection& d : directions) touched.push_back(d.vertex);
  for (std::size_t f = 0; f < place_.size(); ++f) {
    if (place_[f] < 0 || std::binary_search(touched.begin(), touched.end(), static_cast<int>(f))) continue;
    free_places_.push_back(place_[f]);
    place_[f] = -1;
  }
}

// For so many more vertices than have columns: at first for as many as most_bytes allow, and for more where they are
// needed at a time.
void VertexCompliance::make_room_for(std::size_t vertices) {
  const std::size_t each = 9 * vertices_.size(), used = places_ - free_places_.size(),
                    most = std::min(vertices_.size(), most_bytes / (each * sizeof(float))),
                    wanted = std::max(most, used + vertices);
  if (wanted <= places_) return;
  std::unique_ptr<float[]> larger(new float[wanted * each]);  // not initialised
  if (memory_) std::copy_n(memory_.get(), places_ * each, larger.get());
  memory_ = std::move(larger);
  free_places_.reserve(wanted);
  for (std::size_t place = places_; place < wanted; ++place) free_places_.push_back(static_cast<int>(place));
  places_ = wanted;
}

void VertexCompliance::keep_columns(std::span<const int> vertices, const BlockCholesky& factor) {
  if (vertices.empty()) return;
  make_room_for(vertices.size());
  for (const int v : vertices) {
    place_[static_cast<std::size_t>(v)] = free_places_.back();
    free_places_.pop_back();
  }
  if (parts_.empty()) parts_ = factor.parts_for(vertices_);
  try {
    solve_columns(vertices, factor, parts_, [&](std::size_t v, std::size_t k, std::span<const double> column) {
      take_rows(vertices_, k, column, {columns_of(vertices[v]), 9 * vertices_.size()});
    });
  } catch (...) {  // stopped
    for (const int v : vertices) free_places_.push_back(std::exchange(place_[static_cast<std::size_t>(v)], -1));
    throw;
  }
}

}  // namespace sinew
