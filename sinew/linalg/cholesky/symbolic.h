// Symbolic factorisation: supernodes, their rows, and the work split into independent subtrees.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew::cholesky {

// Consecutive columns of the factor that share their rows below the diagonal block. All counts are
// in 3x3 blocks.
struct Supernode {
  int first = 0;  // first column, in order of elimination
  int columns = 0;
  int rows = 0;       // below the diagonal block
  int row_begin = 0;  // into Symbolic::row and Symbolic::slot
  int parent = -1;    // supernode that receives its update, -1 for roots
  int own_slot = 0;   // slot of its first column
};

// Supernodes that are eliminated together: panels of one wider supernode, each the parent of the one before, whose rows
// are its columns and then its own rows.
struct Front {
  int node_begin = 0, node_end = 0;
  int parent = -1;  // front that receives its update, -1 for roots
};

// Supernodes [node_begin, node_end) are closed under descent, so that different tasks can be worked
// on side by side. What a task adds to columns outside itself goes to its own `outer` slots first.
struct Task {
  int node_begin = 0, node_end = 0;
  int front_begin = 0, front_end = 0;  // the same as fronts
  int column_begin = 0, column_end = 0;
  int slot_begin = 0;           // slots of its own columns, then of `outer`
  std::vector<int> outer_slot;  // for each outer row, ascending: the slot of that column in the top
};

// During a solution the vector lives in `slots` block entries: the columns and outer rows of task
// after task, then the columns of the top. Supernodes find their rows by slot alone.
struct Symbolic {
  int size = 0;                  // block rows of the matrix
  std::vector<int> permutation;  // column in order of elimination -> block row of the matrix
  std::vector<int> position;     // its inverse
  std::vector<Supernode> nodes;  // children before parents
  std::vector<Front> fronts;     // in the order of their nodes
  std::vector<int> row;          // per node, ascending: columns in order of elimination
  std::vector<int> slot;         // the same rows as slots
  std::vector<Task> tasks;
  std::vector<int> top;         // nodes in no task, children before parents
  std::vector<int> top_fronts;  // the same as fronts
  int top_slot_begin = 0;
  int slots = 0;
};

Symbolic symbolic_factorisation(const BlockMatrix& matrix);

}  // namespace sinew::cholesky
