#include "sinew/linalg/cholesky/substitution.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/cholesky/panels.h"

namespace sinew::cholesky {
namespace {

using std::size_t;

// Panels of the top with at least this many numbers are shared among threads.
constexpr size_t shared_panel = 10'000;
// A large D^-1 is applied in this many parts with a partial sum each, whatever the number of threads.
constexpr size_t inverse_parts = 4;
constexpr size_t divided_inverse = 400;  // columns

size_t padded(size_t n) { return (n + 2 * vector_padding - 1) / vector_padding * vector_padding; }

// Appends the scratch of the nodes that `for_each_node` names.
template <class ForEachNode>
Scratch append_scratch(const ForEachNode& for_each_node, size_t& end) {
  size_t rows = 0, columns = 0, parts = 1;
  for_each_node([&](const Supernode& node) {
    rows = std::max(rows, 3 * index(node.rows));
    columns = std::max(columns, 3 * index(node.columns));
    if (columns >= divided_inverse) parts = inverse_parts;
  });
  Scratch scratch;
  scratch.rows_begin = end;
  scratch.columns_begin = scratch.rows_begin + padded(rows);
  scratch.columns_stride = padded(columns);
  end = scratch.columns_begin + parts * scratch.columns_stride;
  return scratch;
}

// First column of a part of D^-1: whole groups, about equal numbers of entries in each part.
size_t part_begin(size_t n, size_t part) {
  if (part == inverse_parts) return n;
  const double fraction = static_cast<double>(part) / inverse_parts;
  const double column = static_cast<double>(n) * (1 - std::sqrt(1 - fraction));
  return static_cast<size_t>(column) / group_columns * group_columns;
}

// body(begin, end) over [0, count): in one piece, or in pieces of `grain` side by side.
template <class Body>
void in_pieces(bool shared, size_t count, size_t grain, const Body& body) {
  if (shared)
    parallel_chunks(count, grain, std::cref(body));
  else
    body(size_t{0}, count);
}

size_t piece(size_t count) { return (count / 8 + vector_padding) / vector_padding * vector_padding; }

template <class Entry>
class Substitution {
 public:
  using Real = Arithmetic<Entry>;

  Substitution(const Symbolic& symbolic, const WorkspaceLayout& layout, const Panels<Entry>& panels, Real* workspace,
               std::span<const double> b, std::span<double> x, size_t count, std::span<const char> only)
      : symbolic_(symbolic),
        layout_(layout),
        panels_(panels),
        vectors_(workspace),
        scratch_(workspace + count * layout.vector_stride),
        b_(b),
        x_(x),
        only_(only),
        count_(count),
        length_(3 * index(symbolic.size)) {
    for (size_t v = 0; v < count; ++v) scale_[v] = scale_of(b.subspan(v * length_, length_));
  }

  void run() {
    const auto forward = [this](size_t begin, size_t end) {
      for (size_t t = begin; t < end; ++t) forward_task(t);
    };
    const auto backward = [this](size_t begin, size_t end) {
      for (size_t t = begin; t < end; ++t) backward_task(t);
    };
    in_pieces(true, symbolic_.tasks.size(), 1, forward);
    substitute_top();
    in_pieces(true, symbolic_.tasks.size(), 1, backward);
  }

 private:
  // Single precision has too small a range of exponents for vectors far from one; scaling by a power of two is exact.
  static double scale_of(std::span<const double> b) {
    if constexpr (std::is_same_v<Real, double>) return 1;
    double side_by_side[8] = {};  // for vector registers
    size_t i = 0;
    for (; i + 8 <= b.size(); i += 8)
      for (size_t lane = 0; lane < 8; ++lane) side_by_side[lane] = std::max(side_by_side[lane], std::abs(b[i + lane]));
    for (; i < b.size(); ++i) side_by_side[0] = std::max(side_by_side[0], std::abs(b[i]));
    const double largest = *std::max_element(side_by_side, side_by_side + 8);
    if (!(largest > 0) || !std::isfinite(largest)) return 1;
    return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
  }

  bool wanted(int k) const { return only_.empty() || only_[index(k)] != 0; }

  bool any_wanted(const Task& task) const {
    for (int k = task.node_begin; k < task.node_end; ++k)
      if (wanted(k)) return true;
    return false;
  }

  Real* vector(size_t v) const { return vectors_ + v * layout_.vector_stride; }

  void read_columns(int first, int count, int first_slot) const {
    for (size_t v = 0; v < count_; ++v) {
      Real* to = vector(v) + 3 * index(first_slot);
      const double* b = b_.data() + v * length_;
      for (int c = first; c < first + count; ++c, to += 3) {
        const double* from = b + 3 * index(symbolic_.permutation[index(c)]);
        for (size_t i = 0; i < 3; ++i) to[i] = static_cast<Real>(from[i] * scale_[v]);
      }
    }
  }

  void write_columns(int first, int count, int first_slot) const {
    for (size_t v = 0; v < count_; ++v) {
      const Real* from = vector(v) + 3 * index(first_slot);
      const double inverse_scale = 1 / (scale_[v] * panels_.inverse_scale);
      double* x = x_.data() + v * length_;
      for (int c = first; c < first + count; ++c, from += 3) {
        double* to = x + 3 * index(symbolic_.permutation[index(c)]);
        for (size_t i = 0; i < 3; ++i) to[i] = static_cast<double>(from[i]) * inverse_scale;
      }
    }
  }

  void write_node(int k) const {
    const Supernode& node = symbolic_.nodes[index(k)];
    if (wanted(k)) write_columns(node.first, node.columns, node.own_slot);
  }

  // y -= W b, scattered to the rows of the node.
  void forward_node(int k, const Scratch& scratch, bool may_share) const {
    const Supernode& node = symbolic_.nodes[index(k)];
    const size_t n = 3 * index(node.columns), m = 3 * index(node.rows);
    if (m == 0) return;
    const Entry* w = panels_.below(node, index(k));
    const int* slot = symbolic_.slot.data() + node.row_begin;
    Real* y = scratch_ + scratch.rows_begin;
    for (size_t v = 0; v < count_; ++v) {
      const Real* b = vector(v) + 3 * index(node.own_slot);
      // Zeros contribute nothing: a vector with one entry only needs the path from its column to the root.
      if (std::all_of(b, b + n, [](Real entry) { return entry == 0; })) continue;
      in_pieces(may_share && m * n >= shared_panel, m, piece(m),
                [&](size_t begin, size_t end) { panel_times(w + begin, m, end - begin, n, b, y + begin); });
      for (size_t i = 0; i < index(node.rows); ++i) {
        Real* to = vector(v) + 3 * index(slot[i]);
        to[0] -= y[3 * i];
        to[1] -= y[3 * i + 1];
        to[2] -= y[3 * i + 2];
      }
    }
  }

  // x = D^-1 b - W^T y, y gathered from the rows of the node.
  void backward_node(int k, const Scratch& scratch, bool may_share) const {
    if (!wanted(k)) return;
    const Supernode& node = symbolic_.nodes[index(k)];
    const size_t n = 3 * index(node.columns), m = 3 * index(node.rows);
    const Entry* w = panels_.below(node, index(k));
    const Entry* inverse = panels_.inverse(node, index(k));
    const int* slot = symbolic_.slot.data() + node.row_begin;
    Real* y = scratch_ + scratch.rows_begin;
    Real* x = scratch_ + scratch.columns_begin;
    for (size_t v = 0; v < count_; ++v) {
      Real* own = vector(v) + 3 * index(node.own_slot);
      for (size_t i = 0; i < index(node.rows); ++i) {
        const Real* from = vector(v) + 3 * index(slot[i]);
        y[3 * i] = from[0];
        y[3 * i + 1] = from[1];
        y[3 * i + 2] = from[2];
      }
      apply_inverse(inverse, n, own, x, scratch.columns_stride, may_share && n * n / 2 >= shared_panel);
      in_pieces(may_share && m * n >= shared_panel, n, piece(n), [&](size_t begin, size_t end) {
        subtract_panel_transposed_times(w + begin * m, m, m, end - begin, y, x + begin);
      });
      std::copy(x, x + n, own);
    }
  }

  static void apply_inverse(const Entry* inverse, size_t n, const Real* b, Real* x, size_t stride, bool shared) {
    if (n < divided_inverse) {
      std::fill(x, x + n, Real(0));
      add_packed_times(inverse, n, 0, n, b, x);
      return;
    }
    in_pieces(shared, inverse_parts, 1, [&](size_t begin, size_t end) {
      for (size_t part = begin; part < end; ++part) {
        Real* sum = x + part * stride;
        std::fill(sum, sum + n, Real(0));
        add_packed_times(inverse, n, part_begin(n, part), part_begin(n, part + 1), b, sum);
      }
    });
    for (size_t part = 1; part < inverse_parts; ++part)
      for (size_t i = part_begin(n, part); i < n; ++i) x[i] += x[part * stride + i];
  }

  void forward_task(size_t t) const {
    const Task& task = symbolic_.tasks[t];
    const int columns = task.column_end - task.column_begin;
    read_columns(task.column_begin, columns, task.slot_begin);
    for (size_t v = 0; v < count_; ++v) {
      Real* outer = vector(v) + 3 * index(task.slot_begin + columns);
      std::fill(outer, outer + 3 * task.outer_slot.size(), Real(0));
    }
    for (int k = task.node_begin; k < task.node_end; ++k) forward_node(k, layout_.task_scratch[t], false);
  }

  void backward_task(size_t t) const {
    const Task& task = symbolic_.tasks[t];
    const int columns = task.column_end - task.column_begin;
    if (!any_wanted(task)) return;
    for (size_t v = 0; v < count_; ++v) {
      Real* outer = vector(v) + 3 * index(task.slot_begin + columns);
      for (const int slot : task.outer_slot)
        for (size_t i = 0; i < 3; ++i) *outer++ = vector(v)[3 * index(slot) + i];
    }
    for (int k = task.node_end; k-- > task.node_begin;) backward_node(k, layout_.task_scratch[t], false);
    if (only_.empty())
      write_columns(task.column_begin, columns, task.slot_begin);
    else
      for (int k = task.node_begin; k < task.node_end; ++k) write_node(k);
  }

  void substitute_top() const {
    for (const int k : symbolic_.top) {
      const Supernode& node = symbolic_.nodes[index(k)];
      read_columns(node.first, node.columns, node.own_slot);
    }
    for (const Task& task : symbolic_.tasks)
      for (size_t v = 0; v < count_; ++v) {
        const Real* outer = vector(v) + 3 * index(task.slot_begin + task.column_end - task.column_begin);
        for (const int slot : task.outer_slot)
          for (size_t i = 0; i < 3; ++i) vector(v)[3 * index(slot) + i] += *outer++;
      }
    const bool may_share = thread_count() > 1;
    for (const int k : symbolic_.top) forward_node(k, layout_.top_scratch, may_share);
    for (size_t i = symbolic_.top.size(); i-- > 0;) backward_node(symbolic_.top[i], layout_.top_scratch, may_share);
    for (const int k : symbolic_.top) write_node(k);
  }

  const Symbolic& symbolic_;
  const WorkspaceLayout& layout_;
  const Panels<Entry>& panels_;
  Real* vectors_;
  Real* scratch_;
  std::span<const double> b_;
  std::span<double> x_;
  std::span<const char> only_;  // per supernode
  size_t count_, length_;
  double scale_[most_vectors_at_once];
};

}  // namespace

std::vector<char> nodes_of_rows(const Symbolic& symbolic, std::span<const int> rows) {
  std::vector<char> asked(index(symbolic.size), 0), nodes(symbolic.nodes.size(), 0);
  for (const int row : rows) asked[index(symbolic.position[index(row)])] = 1;
  for (size_t k = 0; k < nodes.size(); ++k) {  // children before parents
    const Supernode& node = symbolic.nodes[k];
    const auto first = asked.begin() + node.first;
    if (nodes[k] == 0 && std::find(first, first + node.columns, 1) == first + node.columns) continue;
    nodes[k] = 1;
    if (node.parent >= 0) nodes[index(node.parent)] = 1;
  }
  return nodes;
}

WorkspaceLayout workspace_layout(const Symbolic& symbolic) {
  WorkspaceLayout layout;
  layout.vector_stride = padded(3 * index(symbolic.slots));
  for (const Task& task : symbolic.tasks)
    layout.task_scratch.push_back(append_scratch(
        [&](const auto& visit) {
          for (int k = task.node_begin; k < task.node_end; ++k) visit(symbolic.nodes[index(k)]);
        },
        layout.scratch_size));
  layout.top_scratch = append_scratch(
      [&](const auto& visit) {
        for (const int k : symbolic.top) visit(symbolic.nodes[index(k)]);
      },
      layout.scratch_size);
  return layout;
}

template <class Real>
std::vector<Real> WorkspacePool<Real>::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return {};
  std::vector<Real> workspace = std::move(free_.back());
  free_.pop_back();
  return workspace;
}

template <class Real>
void WorkspacePool<Real>::give_back(std::vector<Real> workspace) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(workspace));
}

template <class Entry>
void substitute(const Symbolic& symbolic, const WorkspaceLayout& layout, const Panels<Entry>& panels,
                WorkspacePool<Arithmetic<Entry>>& pool, std::span<const double> b, std::span<double> x,
                std::size_t count, std::span<const char> only) {
  std::vector<Arithmetic<Entry>> workspace = pool.take();
  const size_t size = count * layout.vector_stride + layout.scratch_size;
  if (workspace.size() < size) workspace.resize(size);
  Substitution<Entry>(symbolic, layout, panels, workspace.data(), b, x, count, only).run();
  pool.give_back(std::move(workspace));
}

template class WorkspacePool<double>;
template class WorkspacePool<float>;
template void substitute(const Symbolic&, const WorkspaceLayout&, const Panels<double>&, WorkspacePool<double>&,
                         std::span<const double>, std::span<double>, std::size_t, std::span<const char>);
template void substitute(const Symbolic&, const WorkspaceLayout&, const Panels<float>&, WorkspacePool<float>&,
                         std::span<const double>, std::span<double>, std::size_t, std::span<const char>);
template void substitute(const Symbolic&, const WorkspaceLayout&, const Panels<Half>&, WorkspacePool<float>&,
                         std::span<const double>, std::span<double>, std::size_t, std::span<const char>);

}  // namespace sinew::cholesky
