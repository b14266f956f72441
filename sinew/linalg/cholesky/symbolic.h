// Symbolic factorisation: supernodes, their rows, and the work split into independent subtrees.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew::cholesky {

// Consecutive columns of the factor that have the same rows below the diagonal block. All counts are in 3x3 blocks.
struct Supernode {
  int first = 0;  // first column, in order of elimination
  int columns = 0;
  int rows = 0;       // below the diagonal block
  int row_begin = 0;  // into Symbolic::row and Symbolic::slot
  int parent = -1;    // supernode that receives its update, -1 for roots
  int own_slot = 0;   // slot of its first column
};

// Supernodes that are eliminated together: panels of one wider supernode. Each is the parent of the one before, whose
// rows are the parent's columns followed by the parent's rows.
struct Front {
  int node_begin = 0, node_end = 0;
  int parent = -1;  // front that receives its update, -1 for roots
};

// Supernodes [node_begin, node_end) together with all their descendants, so that different tasks can run in parallel.
// Contributions to columns outside the task are first collected in its own `outer` slots.
struct Task {
  int node_begin = 0, node_end = 0;
  int front_begin = 0, front_end = 0;  // the task's supernodes as fronts
  int column_begin = 0, column_end = 0;
  int slot_begin = 0;           // slots of the task's own columns, then of `outer`
  std::vector<int> outer_slot;  // for each outer row, ascending: the slot of its column in the top
};

// During a solution the vector is stored in `slots` block entries: the columns and outer rows of each task in turn,
// then the columns of the top. Supernodes find their rows by slot alone.
struct Symbolic {
  int size = 0;                  // block rows of the matrix
  std::vector<int> permutation;  // column in order of elimination -> block row of the matrix
  std::vector<int> position;     // the inverse of `permutation`
  std::vector<Supernode> nodes;  // children before parents
  std::vector<Front> fronts;     // in the order of their nodes
  std::vector<int> row;          // per node, ascending: columns in order of elimination
  std::vector<int> slot;         // the rows of `row` as slots
  std::vector<Task> tasks;
  std::vector<int> top;         // nodes in no task, children before parents
  std::vector<int> top_fronts;  // the nodes of `top` as fronts
  int top_slot_begin = 0;
  int slots = 0;
};

Symbolic symbolic_factorisation(const BlockMatrix& matrix);

}  // namespace sinew::cholesky
