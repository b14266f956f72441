#include "sinew/linalg/cholesky/symbolic.h"

#include <algorithm>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/linalg/cholesky/ordering.h"

namespace sinew::cholesky {
namespace {

using std::size_t;

// Model of the time that a solution spends on a supernode, in nanoseconds: the panel below the
// diagonal is read twice, the triangle once (panels.h); rows are gathered and scattered one by one.
// Measured on factors of 10^6 to 10^8 entries; only the ratios matter.
double solve_cost(double columns, double rows) {
  constexpr double per_node = 60, per_row = 4, per_entry = 0.5;
  return per_node + per_row * rows + 9 * per_entry * (columns * rows + columns * columns / 4);
}

// Number of solutions over which the time of a factorisation is spread.
constexpr double solutions_per_factor = 100;

// Cost of a panel for a solution plus its part of the factorisation: its elimination and the computation of D^-1 and W.
// That part keeps panels from growing where they save little traffic for many operations.
double panel_cost(double columns, double rows) {
  constexpr double per_operation = 0.02;
  const double n = 3 * columns, m = 3 * rows;
  return solve_cost(columns, rows) + per_operation / solutions_per_factor * (n * n * n + 2 * m * n * n + m * m * n);
}

// Cost of a supernode, whose update matrix is cleared, summed, moved and added to its parent's front.
double node_cost(double columns, double rows) {
  constexpr double per_node = 2000, per_update_entry = 0.7;
  return panel_cost(columns, rows) + (per_node + per_update_entry * 9 * rows * rows) / solutions_per_factor;
}

// Panels of a wide supernode have this many columns, or a multiple.
constexpr int panel_step = 8;

// Number of columns of the panels (except the last) into which a supernode is divided: the cheapest one. A solution
// reads a chain of panels more often than one D^-1, but the chain takes fewer operations to compute.
int panel_columns(int columns, int rows) {
  int best = columns;
  double least = panel_cost(columns, rows);
  for (int width = panel_step; width < columns; width += panel_step) {
    double sum = 0;
    for (int begin = 0; begin < columns; begin += width) {
      const int own = std::min(width, columns - begin);
      sum += panel_cost(own, columns - begin - own + rows);
    }
    if (sum < least) {
      least = sum;
      best = width;
    }
  }
  return best;
}

// The assembly tree while supernodes are being merged. `members` are columns.
struct MergeTree {
  std::vector<std::vector<int>> members;
  std::vector<int> rows;
  std::vector<int> parent;
  std::vector<std::vector<int>> children;
  std::vector<bool> merged;  // into its parent
};

// Runs of columns in postorder where each column's rows are the next one and that one's rows.
MergeTree fundamental_supernodes(const std::vector<int>& parent, const std::vector<int>& counts) {
  MergeTree tree;
  std::vector<int> node_of(parent.size());
  for (size_t column = 0; column < parent.size(); ++column) {
    const bool continues =
        column > 0 && parent[column - 1] == static_cast<int>(column) && counts[column - 1] == counts[column] + 1;
    if (!continues) {
      tree.members.emplace_back();
      tree.rows.push_back(0);
    }
    node_of[column] = static_cast<int>(tree.members.size()) - 1;
    tree.members.back().push_back(static_cast<int>(column));
    tree.rows.back() = counts[column];
  }
  tree.parent.assign(tree.members.size(), -1);
  tree.children.resize(tree.members.size());
  tree.merged.assign(tree.members.size(), false);
  for (size_t node = 0; node < tree.members.size(); ++node) {
    const int above = parent[index(tree.members[node].back())];
    if (above < 0) continue;
    tree.parent[node] = node_of[index(above)];
    tree.children[index(tree.parent[node])].push_back(static_cast<int>(node));
  }
  return tree;
}

double merge_gain(const MergeTree& tree, int child, int parent) {
  const double child_columns = static_cast<double>(tree.members[index(child)].size());
  const double parent_columns = static_cast<double>(tree.members[index(parent)].size());
  const double child_rows = tree.rows[index(child)], parent_rows = tree.rows[index(parent)];
  return node_cost(child_columns, child_rows) + node_cost(parent_columns, parent_rows) -
         node_cost(child_columns + parent_columns, parent_rows);
}

// Relaxed amalgamation: a child joins its parent where the explicit zeros cost less time than the
// separate supernode did. Bottom up; the best child first, until none gains.
void amalgamate(MergeTree& tree) {
  for (size_t node = 0; node < tree.members.size(); ++node) {
    std::vector<int>& children = tree.children[node];
    for (;;) {
      double best_gain = 0;
      size_t best = children.size();
      for (size_t k = 0; k < children.size(); ++k) {
        const double gain = merge_gain(tree, children[k], static_cast<int>(node));
        if (gain > best_gain) {
          best_gain = gain;
          best = k;
        }
      }
      if (best == children.size()) break;
      const int child = children[best];
      children.erase(children.begin() + static_cast<std::ptrdiff_t>(best));
      std::vector<int>& members = tree.members[node];
      members.insert(members.end(), tree.members[index(child)].begin(), tree.members[index(child)].end());
      for (const int grandchild : tree.children[index(child)]) {
        tree.parent[index(grandchild)] = static_cast<int>(node);
        children.push_back(grandchild);
      }
      tree.merged[index(child)] = true;
      std::vector<int>().swap(tree.members[index(child)]);
      std::vector<int>().swap(tree.children[index(child)]);
    }
  }
}

// Numbers the merged supernodes in postorder and their columns consecutively. Returns the order of
// the columns; nodes get first, columns, rows and parent.
std::vector<int> renumber(MergeTree& tree, std::vector<Supernode>& nodes) {
  std::vector<int> kept, compact(tree.members.size(), -1);
  for (size_t node = 0; node < tree.members.size(); ++node) {
    if (tree.merged[node]) continue;
    compact[node] = static_cast<int>(kept.size());
    kept.push_back(static_cast<int>(node));
  }
  std::vector<int> parent;
  for (const int node : kept) {
    const int above = tree.parent[index(node)];
    parent.push_back(above < 0 ? -1 : compact[index(above)]);
  }
  const std::vector<int> order = postorder(parent);
  const std::vector<int> rank = inverse_permutation(order);
  std::vector<int> columns;
  for (const int k : order) {
    std::vector<int>& members = tree.members[index(kept[index(k)])];
    std::sort(members.begin(), members.end());
    Supernode node;
    node.first = static_cast<int>(columns.size());
    node.columns = static_cast<int>(members.size());
    node.rows = tree.rows[index(kept[index(k)])];
    node.parent = parent[index(k)] < 0 ? -1 : rank[index(parent[index(k)])];
    nodes.push_back(node);
    columns.insert(columns.end(), members.begin(), members.end());
  }
  return columns;
}

// Rows of each supernode: those that its own columns and its children reach beyond it, preceded by those of its own
// columns that are rows of its panels.
void find_rows(const Graph& graph, Symbolic& symbolic) {
  std::vector<int> mark(index(symbolic.size), -1);
  std::vector<std::vector<int>> children(symbolic.nodes.size());
  for (size_t k = 0; k < symbolic.nodes.size(); ++k) {
    Supernode& node = symbolic.nodes[k];
    const int end = node.first + node.columns;
    for (int column = node.first + panel_columns(node.columns, node.rows); column < end; ++column)
      symbolic.row.push_back(column);
    node.row_begin = static_cast<int>(symbolic.row.size());
    const auto add = [&](int row) {
      if (row < end || mark[index(row)] == static_cast<int>(k)) return;
      mark[index(row)] = static_cast<int>(k);
      symbolic.row.push_back(row);
    };
    for (int column = node.first; column < end; ++column)
      for (int i = graph.start[index(column)]; i < graph.start[index(column) + 1]; ++i) add(graph.neighbour[index(i)]);
    for (const int child : children[k]) {
      const Supernode& below = symbolic.nodes[index(child)];
      for (int i = 0; i < below.rows; ++i) add(symbolic.row[index(below.row_begin + i)]);
    }
    node.rows = static_cast<int>(symbolic.row.size()) - node.row_begin;
    std::sort(symbolic.row.begin() + node.row_begin, symbolic.row.end());
    if (node.parent >= 0) children[index(node.parent)].push_back(static_cast<int>(k));
  }
}

// Cuts the forest into tasks of at most a small share of the whole cost each, and the top above
// them. Depends on the matrix alone, never on the number of threads.
void find_tasks(Symbolic& symbolic) {
  constexpr double share = 1.0 / 12;
  constexpr double smallest = 100e3;  // nanoseconds; less is not worth handing to another thread
  const size_t count = symbolic.nodes.size();
  std::vector<double> subtree_cost(count, 0);
  std::vector<int> subtree_begin(count);
  for (size_t k = 0; k < count; ++k) subtree_begin[k] = static_cast<int>(k);
  double total = 0;
  for (size_t k = 0; k < count; ++k) {
    const Supernode& node = symbolic.nodes[k];
    const double cost = solve_cost(node.columns, node.rows);
    total += cost;
    subtree_cost[k] += cost;
    if (node.parent < 0) continue;
    subtree_cost[index(node.parent)] += subtree_cost[k];
    subtree_begin[index(node.parent)] = std::min(subtree_begin[index(node.parent)], subtree_begin[k]);
  }
  const double limit = std::max(smallest, total * share);

  // From the last node downwards, a subtree that is small enough becomes a task; subtrees that are
  // neighbours in the order join while they stay within the limit together.
  std::vector<double> task_cost;
  for (int k = static_cast<int>(count) - 1; k >= 0;) {
    if (subtree_cost[index(k)] > limit) {
      symbolic.top.push_back(k--);
      continue;
    }
    const int begin = subtree_begin[index(k)];
    if (!symbolic.tasks.empty() && symbolic.tasks.back().node_begin == k + 1 &&
        task_cost.back() + subtree_cost[index(k)] <= limit) {
      symbolic.tasks.back().node_begin = begin;
      task_cost.back() += subtree_cost[index(k)];
    } else {
      Task task;
      task.node_begin = begin;
      task.node_end = k + 1;
      symbolic.tasks.push_back(task);
      task_cost.push_back(subtree_cost[index(k)]);
    }
    k = begin - 1;
  }
  std::reverse(symbolic.top.begin(), symbolic.top.end());
  std::reverse(symbolic.tasks.begin(), symbolic.tasks.end());
}

// Until here nodes are whole supernodes; each becomes a front of one or more panels.
void divide_into_panels(Symbolic& symbolic) {
  const std::vector<Supernode> whole = std::move(symbolic.nodes);
  symbolic.nodes.clear();
  for (const Supernode& node : whole) {
    Front front;
    front.node_begin = static_cast<int>(symbolic.nodes.size());
    front.parent = node.parent;
    const int width = panel_columns(node.columns, node.rows);
    for (int begin = 0; begin < node.columns; begin += width) {
      Supernode panel = node;
      panel.first = node.first + begin;
      panel.columns = std::min(width, node.columns - begin);
      const int own_rows = node.columns - begin - panel.columns;
      panel.rows = own_rows + node.rows;
      panel.row_begin = node.row_begin - own_rows;
      panel.parent = static_cast<int>(symbolic.nodes.size()) + 1;
      symbolic.nodes.push_back(panel);
    }
    front.node_end = static_cast<int>(symbolic.nodes.size());
    symbolic.fronts.push_back(front);
  }
  for (const Front& front : symbolic.fronts)
    symbolic.nodes[index(front.node_end) - 1].parent =
        front.parent < 0 ? -1 : symbolic.fronts[index(front.parent)].node_begin;
  for (Task& task : symbolic.tasks) {
    task.front_begin = std::exchange(task.node_begin, symbolic.fronts[index(task.node_begin)].node_begin);
    task.front_end = std::exchange(task.node_end, symbolic.fronts[index(task.node_end) - 1].node_end);
  }
  symbolic.top_fronts = std::exchange(symbolic.top, {});
  for (const int front : symbolic.top_fronts)
    for (int k = symbolic.fronts[index(front)].node_begin; k < symbolic.fronts[index(front)].node_end; ++k)
      symbolic.top.push_back(k);
}

void assign_slots(Symbolic& symbolic) {
  std::vector<int> slot_of(index(symbolic.size), -1);  // of columns
  std::vector<std::vector<int>> outer(symbolic.tasks.size());
  int next = 0;
  for (size_t t = 0; t < symbolic.tasks.size(); ++t) {
    Task& task = symbolic.tasks[t];
    const Supernode& last = symbolic.nodes[index(task.node_end) - 1];
    task.column_begin = symbolic.nodes[index(task.node_begin)].first;
    task.column_end = last.first + last.columns;
    task.slot_begin = next;
    for (int column = task.column_begin; column < task.column_end; ++column) slot_of[index(column)] = next++;
    for (int k = task.node_begin; k < task.node_end; ++k) {
      const Supernode& node = symbolic.nodes[index(k)];
      if (node.parent >= 0 && node.parent < task.node_end) continue;  // its parent's rows include its own
      const auto begin = symbolic.row.begin() + node.row_begin;
      outer[t].insert(outer[t].end(), begin, begin + node.rows);
    }
    std::sort(outer[t].begin(), outer[t].end());
    outer[t].erase(std::unique(outer[t].begin(), outer[t].end()), outer[t].end());
    next += static_cast<int>(outer[t].size());
  }
  symbolic.top_slot_begin = next;
  for (const int k : symbolic.top) {
    const Supernode& node = symbolic.nodes[index(k)];
    for (int column = node.first; column < node.first + node.columns; ++column) slot_of[index(column)] = next++;
  }
  symbolic.slots = next;

  symbolic.slot.resize(symbolic.row.size());
  for (size_t t = 0; t < symbolic.tasks.size(); ++t) {
    Task& task = symbolic.tasks[t];
    const int outer_begin = task.slot_begin + task.column_end - task.column_begin;
    for (const int row : outer[t]) task.outer_slot.push_back(slot_of[index(row)]);
    for (int k = task.node_begin; k < task.node_end; ++k) {
      const Supernode& node = symbolic.nodes[index(k)];
      for (int i = node.row_begin; i < node.row_begin + node.rows; ++i) {
        const int row = symbolic.row[index(i)];
        if (row < task.column_end) {
          symbolic.slot[index(i)] = slot_of[index(row)];
        } else {
          const auto found = std::lower_bound(outer[t].begin(), outer[t].end(), row);
          symbolic.slot[index(i)] = outer_begin + static_cast<int>(found - outer[t].begin());
        }
      }
    }
  }
  for (const int k : symbolic.top) {
    const Supernode& node = symbolic.nodes[index(k)];
    for (int i = node.row_begin; i < node.row_begin + node.rows; ++i)
      symbolic.slot[index(i)] = slot_of[index(symbolic.row[index(i)])];
  }
  for (Supernode& node : symbolic.nodes) node.own_slot = slot_of[index(node.first)];
}

std::vector<int> composed(const std::vector<int>& outer, const std::vector<int>& inner) {
  std::vector<int> result(inner.size());
  for (size_t i = 0; i < inner.size(); ++i) result[i] = outer[index(inner[i])];
  return result;
}

}  // namespace

Symbolic symbolic_factorisation(const BlockMatrix& matrix) {
  Symbolic symbolic;
  symbolic.size = matrix.rows;
  if (matrix.rows == 0) return symbolic;
  const Graph original = pattern_graph(matrix);
  symbolic.permutation = nested_dissection(original);
  symbolic.permutation =
      composed(symbolic.permutation, postorder(elimination_tree(permuted(original, symbolic.permutation))));

  Graph graph = permuted(original, symbolic.permutation);
  const std::vector<int> parent = elimination_tree(graph);
  MergeTree tree = fundamental_supernodes(parent, column_counts(graph, parent));
  amalgamate(tree);
  symbolic.permutation = composed(symbolic.permutation, renumber(tree, symbolic.nodes));
  symbolic.position = inverse_permutation(symbolic.permutation);
  find_rows(permuted(original, symbolic.permutation), symbolic);
  find_tasks(symbolic);
  divide_into_panels(symbolic);
  assign_slots(symbolic);
  return symbolic;
}

}  // namespace sinew::cholesky
