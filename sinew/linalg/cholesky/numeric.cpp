#include "sinew/linalg/cholesky/numeric.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/cholesky/dense_kernels.h"
#include "sinew/linalg/cholesky/dense_triangles.h"
#include "sinew/linalg/cholesky/panels.h"

namespace sinew::cholesky {
namespace {

using std::size_t;

constexpr size_t block_columns = 192;     // that are eliminated together: a slice of the products' inner dimension
constexpr size_t product_columns = 48;    // of W and D^-1 at a time
constexpr size_t worth_sharing = 50'000;  // numbers; fewer are not worth handing to another thread

// Distance between columns: a multiple of cache lines, but not of pages, which would all map to one set of the cache.
size_t column_stride(size_t rows) {
  const size_t stride = (rows + 7) / 8 * 8;
  return stride % 512 == 0 ? stride + 8 : stride;
}

// Calls body(i) for i in [0, count), in parallel if `work` numbers are worth it.
template <class Body>
void for_each_index(size_t count, size_t work, const Body& body) {
  if (work < worth_sharing)
    for (size_t i = 0; i < count; ++i) body(i);
  else
    parallel_for(count, std::max<size_t>(1, count / 16), body);
}

// Sizes of a front, in numbers: n columns, m rows below them; `widest` columns in a panel.
struct FrontSize {
  size_t n = 0, m = 0, widest = 0;

  size_t columns_size() const { return column_stride(n + m) * n; }
  size_t update_size() const { return column_stride(m) * m; }
  size_t panel_size(bool rounded) const {
    return column_stride(widest) * widest * 2 + (rounded ? (n + m) * widest : 0);
  }
  size_t packed_update() const { return m * (m + 3) / 2; }
};

FrontSize front_size(const Symbolic& symbolic, const Front& front) {
  FrontSize size;
  for (int k = front.node_begin; k < front.node_end; ++k) {
    const size_t columns = 3 * index(symbolic.nodes[index(k)].columns);
    size.n += columns;
    size.widest = std::max(size.widest, columns);
  }
  size.m = 3 * index(symbolic.nodes[index(front.node_end) - 1].rows);
  return size;
}

// The front that is being eliminated, lower triangles only:
//   columns  n columns of n + m rows, F11 above F21; become L11 above L21 = F21 L11^-T
//   update   m x m, becomes F22 - L21 L21^T
struct DenseFront {
  FrontSize size;
  MatrixView columns, update;
  std::vector<double> original_diagonal, inverse_diagonal;
};

// Block column b of a packed update matrix holds its rows from the diagonal block down, for three columns.
size_t packed_offset_of_update(size_t m, size_t block) {
  return 3 * block * m - 9 * block * (block - (block > 0 ? 1 : 0)) / 2;
}

// Returns the first failing column, or n. Left-looking, by block columns.
size_t eliminate(DenseFront& front) {
  const size_t n = front.size.n, m = front.size.m;
  const MatrixView f = front.columns;
  for (size_t k = 0; k < n; k += block_columns) {
    const size_t width = std::min(block_columns, n - k), next = k + width;
    subtract_product_transposed(f.from(k, k), f.from(k, 0), f.from(k, 0), n + m - k, width, k, Shape::lower);
    const size_t done =
        factor_triangle(f.from(k, k), width, front.original_diagonal.data() + k, front.inverse_diagonal.data() + k);
    if (done < width) return k + done;
    solve_with_triangle(f.from(next, k), f.from(k, k), front.inverse_diagonal.data() + k, n + m - next, width);
  }
  subtract_product_transposed(front.update, f.from(n, 0), f.from(n, 0), m, m, n, Shape::lower);
  return n;
}

// W = L21 X^T with X = L^-T, an upper triangle: a block of its rows begins at its own diagonal.
void multiply_below(MatrixView w, ConstMatrixView l21, ConstMatrixView x, size_t m, size_t n) {
  for (size_t k = 0; k < n; k += product_columns)
    product_transposed(w.from(0, k), l21.from(0, k), x.from(k, k), m, std::min(product_columns, n - k), n - k);
}

// The lower triangle of D^-1 = X X^T.
void multiply_inverse(MatrixView inverse, ConstMatrixView x, size_t n) {
  for_each_index((n + product_columns - 1) / product_columns, n * n, [&](size_t block) {
    const size_t k = block * product_columns, width = std::min(product_columns, n - k);
    product_transposed(inverse.from(k, 0), x.from(k, k), x.from(0, k), width, k + width, n - k);
  });
}

template <class Real>
void store_inverse(ConstMatrixView lower, size_t n, Real* inverse) {
  for_each_index((n + group_columns - 1) / group_columns, n * n, [&](size_t group) {
    const size_t first = group * group_columns;
    Real* to = inverse + packed_offset(n, first);
    for (size_t j = first; j < std::min(first + group_columns, n); ++j) {
      for (size_t i = first; i < j; ++i) *to++ = static_cast<Real>(*lower.at(j, i));
      for (size_t i = j; i < n; ++i) *to++ = static_cast<Real>(*lower.at(i, j));
    }
  });
}

// One factorisation in progress.
template <class Real>
class Elimination {
 public:
  Elimination(const BlockMatrix& matrix, const Symbolic& symbolic, WorkMemory& memory, Panels<Real>& panels)
      : matrix_(matrix),
        symbolic_(symbolic),
        memory_(memory),
        update_(symbolic.fronts.size()),
        children_(symbolic.fronts.size()),
        of_top_(symbolic.fronts.size()),
        panels_(panels) {
    const size_t entries_before = panels_.entries();
    panels_.begin.assign(1, 0);
    for (const Supernode& node : symbolic.nodes) {
      const size_t columns = 3 * index(node.columns);
      panels_.begin.push_back(panels_.begin.back() + 3 * index(node.rows) * columns + packed_size(columns));
    }
    for (size_t k = 0; k < symbolic.fronts.size(); ++k) {
      const int parent = symbolic.fronts[k].parent;
      if (parent >= 0) children_[index(parent)].push_back(k);
    }
    for (const int k : symbolic.top_fronts) of_top_[index(k)] = true;
    if (!panels_.data || panels_.entries() != entries_before)
      panels_.data = LargeArray<Real>(panels_.entries() + vector_padding);
    std::fill_n(panels_.data.get() + panels_.entries(), vector_padding, Real(0));
  }

  void run() {
    // Each task stops at its first failure; the first of all in order of elimination is reported.
    std::vector<int> failure(symbolic_.tasks.size(), -1);
    std::vector<LargeArray<double>> updates_of_task(symbolic_.tasks.size());
    const Demand demand = largest_demand();
    parallel_for(symbolic_.tasks.size(), 1, [&](size_t t) {
      std::unique_ptr<Workspace> workspace = take_workspace(demand);
      const Task& task = symbolic_.tasks[t];
      for (int k = task.front_begin; k < task.front_end && failure[t] < 0; ++k)
        failure[t] = eliminate_front(index(k), *workspace);
      updates_of_task[t] = keep_updates(task, *workspace);
      give_back(std::move(workspace));
    });
    for (const std::unique_ptr<Workspace>& workspace : free_) memory_.give_back(std::move(workspace->memory));
    free_.clear();
    for (const int column : failure) check(column);
    Demand top;
    for (const int k : symbolic_.top_fronts) top.add(*this, index(k));
    Workspace workspace(memory_, top, symbolic_.size);
    for (const int k : symbolic_.top_fronts) check(eliminate_front(index(k), workspace));
    memory_.give_back(std::move(workspace.memory));
    memory_.finish();
  }

 private:
  // Memory for a run of fronts, in numbers. Updates wait for their parents on a stack, children before parents.
  struct Demand {
    size_t front = 0, stack = 0, most_stack = 0, columns = 0;

    void add(const Elimination& elimination, size_t k) {
      const Symbolic& symbolic = elimination.symbolic_;
      const FrontSize size = front_size(symbolic, symbolic.fronts[k]);
      constexpr bool rounded = !std::is_same_v<Real, double>;
      front = std::max(front, size.columns_size() + std::max(size.update_size(), size.panel_size(rounded)));
      columns = std::max(columns, size.n);
      for (const size_t child : elimination.children_[k])
        if (elimination.of_top_[child] == elimination.of_top_[k])
          stack -= front_size(symbolic, symbolic.fronts[child]).packed_update();
      stack += size.packed_update();
      most_stack = std::max(most_stack, stack);
    }
  };

  // Rows [begin, end) of a child, in blocks, from `position` on in its parent's front.
  struct Run {
    size_t begin, end, position;
  };

  struct Workspace {
    Workspace(WorkMemory& from, const Demand& demand, int size)
        : memory(from.take(demand.front + demand.most_stack)),
          numbers(memory.get()),
          stack(memory.get() + demand.front),
          position(index(size)) {
      front.original_diagonal.resize(demand.columns);
      front.inverse_diagonal.resize(demand.columns);
    }
    LargeArray<double> memory;
    double *numbers, *stack;  // of the front, and of waiting updates
    size_t stack_end = 0;
    std::vector<size_t> position;  // of a column (in order of elimination) in the current front
    std::vector<Run> runs;         // of the child being added
    DenseFront front;
  };

  Demand largest_demand() const {
    Demand largest;
    for (const Task& task : symbolic_.tasks) {
      Demand demand;
      for (int k = task.front_begin; k < task.front_end; ++k) demand.add(*this, index(k));
      largest.front = std::max(largest.front, demand.front);
      largest.most_stack = std::max(largest.most_stack, demand.most_stack);
      largest.columns = std::max(largest.columns, demand.columns);
    }
    return largest;
  }

  std::unique_ptr<Workspace> take_workspace(const Demand& demand) {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Workspace> workspace = std::move(free_.back());
        free_.pop_back();
        return workspace;
      }
    }
    return std::make_unique<Workspace>(memory_, demand, symbolic_.size);
  }

  void give_back(std::unique_ptr<Workspace> workspace) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(workspace));
  }

  // Moves what a task leaves on its stack for the top to memory of its own.
  LargeArray<double> keep_updates(const Task& task, Workspace& workspace) {
    LargeArray<double> kept(workspace.stack_end);
    std::copy(workspace.stack, workspace.stack + workspace.stack_end, kept.get());
    for (int k = task.front_begin; k < task.front_end; ++k)
      if (update_[index(k)]) update_[index(k)] = kept.get() + (update_[index(k)] - workspace.stack);
    workspace.stack_end = 0;
    return kept;
  }

  void check(int failed_column) const {
    if (failed_column < 0) return;
    throw simulation_error("the matrix is not positive definite at block row " +
                           std::to_string(symbolic_.permutation[index(failed_column)]) +
                           "; that vertex is not held, has no mass or lies in inverted elements");
  }

  // Returns the first failing column, or -1.
  int eliminate_front(size_t k, Workspace& workspace) {
    DenseFront& front = workspace.front;
    begin_front(k, workspace);
    add_matrix(k, workspace);
    for (size_t i = 0; i < front.size.n; ++i) front.original_diagonal[i] = *front.columns.at(i, i);
    add_children(k, workspace);
    const size_t done = eliminate(front);
    if (done < front.size.n) {
      const Supernode& first = symbolic_.nodes[index(symbolic_.fronts[k].node_begin)];
      return first.first + static_cast<int>(done / 3);
    }
    push_update(k, workspace);
    make_panels(k, workspace);
    return -1;
  }

  // Clears the front, and determines where the columns of the matrix are in it.
  void begin_front(size_t k, Workspace& workspace) const {
    const Front& nodes = symbolic_.fronts[k];
    DenseFront& front = workspace.front;
    front.size = front_size(symbolic_, nodes);
    const size_t n = front.size.n, m = front.size.m;
    front.columns = {workspace.numbers, column_stride(n + m)};
    front.update = {workspace.numbers + front.size.columns_size(), column_stride(m)};
    for_each_index(n, n * (n + m),
                   [&](size_t j) { std::fill(front.columns.at(j, j), front.columns.at(n + m, j), 0.0); });
    for_each_index(m, m * m / 2, [&](size_t j) { std::fill(front.update.at(j, j), front.update.at(m, j), 0.0); });

    const Supernode& first = symbolic_.nodes[index(nodes.node_begin)];
    const Supernode& last = symbolic_.nodes[index(nodes.node_end) - 1];
    size_t next = 0;
    for (int column = first.first; column < last.first + last.columns; ++column, next += 3)
      workspace.position[index(column)] = next;
    for (int i = last.row_begin; i < last.row_begin + last.rows; ++i, next += 3)
      workspace.position[index(symbolic_.row[index(i)])] = next;
  }

  void add_matrix(size_t k, Workspace& workspace) const {
    const Front& nodes = symbolic_.fronts[k];
    const int begin = symbolic_.nodes[index(nodes.node_begin)].first;
    const int end = begin + static_cast<int>(workspace.front.size.n / 3);
    for (int column = begin; column < end; ++column) {
      // By symmetry a row of the matrix is the column of the factor, transposed.
      const size_t source = index(symbolic_.permutation[index(column)]);
      for (size_t i = index(matrix_.row_start[source]); i < index(matrix_.row_start[source + 1]); ++i) {
        const int row = symbolic_.position[index(matrix_.column[i])];
        if (row < column) continue;
        double* to = workspace.front.columns.at(workspace.position[index(row)], 3 * index(column - begin));
        const Mat3& block = matrix_.block[i];
        for (size_t c = 0; c < 3; ++c, to += workspace.front.columns.stride)
          for (size_t r = 0; r < 3; ++r) to[r] += block(c, r);
      }
    }
  }

  // Adds children in order; the columns of each child in parallel.
  void add_children(size_t k, Workspace& workspace) const {
    for (const size_t child : children_[k]) {
      add_child(child, workspace);
      if (of_top_[child] == of_top_[k])
        workspace.stack_end -= front_size(symbolic_, symbolic_.fronts[child]).packed_update();
    }
  }

  void add_child(size_t child, Workspace& workspace) const {
    const Supernode& last = symbolic_.nodes[index(symbolic_.fronts[child].node_end) - 1];
    const size_t blocks = index(last.rows), m = 3 * blocks;
    const DenseFront& front = workspace.front;
    find_runs(last, workspace);
    const std::vector<Run>& runs = workspace.runs;
    for_each_index(blocks, m * m / 2, [&](size_t block) {
      const auto own = std::partition_point(runs.begin(), runs.end(), [&](const Run& run) { return run.end <= block; });
      const size_t first = own->position + 3 * (block - own->begin), n = front.size.n;
      const double* from = update_[child] + packed_offset_of_update(m, block);
      for (size_t column = first; column < first + 3; ++column) {
        // Rows of the front start at 0; those of the update matrix behind the front's own columns.
        double* to = column < n ? front.columns.at(0, column) : front.update.at(0, column - n) - n;
        for (auto run = own; run != runs.end(); ++run) {
          const size_t begin = std::max(block, run->begin), numbers = 3 * (run->end - begin);
          double* target = to + run->position + 3 * (begin - run->begin);
          for (size_t i = 0; i < numbers; ++i) target[i] += from[i];
          from += numbers;
        }
      }
    });
  }

  // Rows of a child that are contiguous in the current front too.
  void find_runs(const Supernode& child, Workspace& workspace) const {
    workspace.runs.clear();
    for (size_t i = 0; i < index(child.rows); ++i) {
      const size_t position = workspace.position[index(symbolic_.row[index(child.row_begin) + i])];
      std::vector<Run>& runs = workspace.runs;
      if (runs.empty() || position != runs.back().position + 3 * (i - runs.back().begin))
        runs.push_back({i, i + 1, position});
      else
        runs.back().end = i + 1;
    }
  }

  void push_update(size_t k, Workspace& workspace) {
    const DenseFront& front = workspace.front;
    const size_t m = front.size.m;
    double* packed = workspace.stack + workspace.stack_end;
    update_[k] = packed;
    workspace.stack_end += front.size.packed_update();
    for_each_index(m / 3, m * m / 2, [&](size_t block) {
      double* to = packed + packed_offset_of_update(m, block);
      for (size_t j = 3 * block; j < 3 * block + 3; ++j, to += m - 3 * block)
        std::copy(front.update.at(3 * block, j), front.update.at(m, j), to);
    });
  }

  // Computes W and D^-1 of each panel, in the memory of the update matrix.
  void make_panels(size_t k, Workspace& workspace) {
    const Front& nodes = symbolic_.fronts[k];
    const DenseFront& front = workspace.front;
    size_t begin = 0;
    for (int panel = nodes.node_begin; panel < nodes.node_end; ++panel) {
      const Supernode& node = symbolic_.nodes[index(panel)];
      const size_t n = 3 * index(node.columns), m = 3 * index(node.rows);
      const MatrixView x{front.update.data, column_stride(n)};
      const MatrixView inverse = x.from(0, n);
      const ConstMatrixView l = front.columns.from(begin, begin), below = front.columns.from(begin + n, begin);
      invert_triangle(l, front.inverse_diagonal.data() + begin, x, n);
      multiply_inverse(inverse, x, n);
      Real* w = panels_.data.get() + panels_.begin[index(panel)];
      if constexpr (std::is_same_v<Real, double>) {
        multiply_below({w, m}, below, x, m, n);
      } else {
        const MatrixView exact = inverse.from(0, n);
        multiply_below({exact.data, m}, below, x, m, n);
        for_each_index(n, m * n, [&](size_t j) {
          std::transform(exact.data + j * m, exact.data + (j + 1) * m, w + j * m,
                         [](double v) { return static_cast<Real>(v); });
        });
      }
      store_inverse(inverse, n, w + m * n);
      begin += n;
    }
  }

  const BlockMatrix& matrix_;
  const Symbolic& symbolic_;
  WorkMemory& memory_;
  // Per front, packed lower triangle: the contribution of its elimination to its parent.
  std::vector<const double*> update_;
  std::vector<std::vector<size_t>> children_;
  std::vector<bool> of_top_;
  Panels<Real>& panels_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
};

}  // namespace

LargeArray<double> WorkMemory::take(std::size_t numbers) {
  {
    const std::lock_guard lock(mutex_);
    const auto by_size = [](const LargeArray<double>& a, const LargeArray<double>& b) { return a.size() < b.size(); };
    std::sort(kept_.begin(), kept_.end(), by_size);
    const auto fits =
        std::find_if(kept_.begin(), kept_.end(), [&](const auto& memory) { return memory.size() >= numbers; });
    if (fits != kept_.end()) {
      LargeArray<double> memory = std::move(*fits);
      kept_.erase(fits);
      return memory;
    }
    if (!kept_.empty()) kept_.pop_back();  // too small, as it would be the next time
  }
  return LargeArray<double>(numbers);
}

void WorkMemory::give_back(LargeArray<double> memory) {
  const std::lock_guard lock(mutex_);
  kept_.push_back(std::move(memory));
}

void WorkMemory::finish() {
  const std::lock_guard lock(mutex_);
  if (finished_++ == 0) kept_.clear();
}

template <class Real>
void numeric_factorisation(const BlockMatrix& matrix, const Symbolic& symbolic, WorkMemory& memory,
                           Panels<Real>& panels) {
  Elimination<Real>(matrix, symbolic, memory, panels).run();
}

bool round_to_half(const Panels<float>& panels, const Symbolic& symbolic, Panels<Half>& half) {
  half = {};
  const auto largest = [](const float* begin, const float* end) {
    return std::accumulate(begin, end, 0.0f, [](float most, float value) { return std::max(most, std::abs(value)); });
  };
  float largest_below = 0, largest_inverse = 0;
  for (size_t k = 0; k < symbolic.nodes.size(); ++k) {
    const float* inverse = panels.inverse(symbolic.nodes[k], k);
    largest_below = std::max(largest_below, largest(panels.below(symbolic.nodes[k], k), inverse));
    largest_inverse = std::max(largest_inverse, largest(inverse, panels.data.get() + panels.begin[k + 1]));
  }
  if (!(largest_below <= largest_half)) return false;
  const float scale =
      largest_inverse > 0 ? std::ldexp(1.0f, std::ilogb(largest_half) - std::ilogb(largest_inverse) - 1) : 1.0f;
  half.begin = panels.begin;
  half.inverse_scale = static_cast<double>(scale);
  half.data = LargeArray<Half>(panels.entries() + vector_padding);
  for (size_t k = 0; k < symbolic.nodes.size(); ++k) {
    const size_t begin = panels.begin[k], end = panels.begin[k + 1];
    const auto below = static_cast<size_t>(panels.inverse(symbolic.nodes[k], k) - panels.data.get()) - begin;
    to_half(panels.data.get() + begin, below, 1, half.data.get() + begin);
    to_half(panels.data.get() + begin + below, end - begin - below, scale, half.data.get() + begin + below);
  }
  std::fill_n(half.data.get() + panels.entries(), vector_padding, Half{0});
  return true;
}

template void numeric_factorisation(const BlockMatrix&, const Symbolic&, WorkMemory&, Panels<double>&);
template void numeric_factorisation(const BlockMatrix&, const Symbolic&, WorkMemory&, Panels<float>&);

}  // namespace sinew::cholesky
