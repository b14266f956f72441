// A lattice around one character, fitted to another (Capell 2004, section 6.7.1): the same cells with their vertices
// moved, so that h = r' r^-1, linear in each cell, maps the one body onto the other. Four stages minimise
//
//   C = w_skel C_skel + w_f C_features + w_surf C_surf + C_distort                                            (6.7)
//
//   1  C_skel, mean |h(b_k) - b'_k|^2, over similarities, in closed form
//   2  C_skel + C_distort, and a little of skin that tells belly from back, without which the trunk may roll
//   3  with C_features, points that the user gives
//   4  with C_surf, mean squared distance of all points of the surface from the other surface
//
// Lengths are relative to the target's height, and the weights rise within a stage. C_distort is invariant under
// similarities, as the thesis' angles are, but infinite where a cell turns inside out, so that no cell does:
//
//   C_distort = mean over cells of |F|^2 / (3 det(F)^(2/3)) - 1 + w_size (log det(F) - 3 log s)^2,
//
// F the cell's gradient of h, s the scale of the first stage.
//
// A lattice is too coarse to do well everywhere, so that a few control points may then be moved by hand. They stay
// where they are put, and stage 4 goes on with the others, which follow smoothly, since distortion counts.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/mesh/similarity_fit.h"
#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Cells around the source, and the same cells around the target; rest space of each, metres.
struct RetargetedLattice {
  TetrahedralMesh source, target;
};

// Root mean square distances after a stage, relative to the target's height; 0 where there is nothing to measure.
struct RetargetStage {
  const char* name = "";
  double skeleton = 0, features = 0, surface = 0;
  double distortion = 0;  // C_distort
};

struct RetargetFit {
  RetargetedLattice lattice;
  std::vector<RetargetStage> stages;
  std::vector<Vec3> surface;     // per vertex of the source's surface, where h takes it; target's rest space, metres
  std::vector<double> distance;  // per vertex of the source's surface, of h(x) from the target's surface, metres
};

struct RetargetRequest {
  const TetrahedralMesh* lattice = nullptr;  // around the source; cells of positive volume
  const TriangleMesh* source = nullptr;      // surfaces at rest, metres
  const TriangleMesh* target = nullptr;
  // Per vertex of the source its limb, and per limb its triangles of the target; may be empty (skin_limbs.h).
  std::vector<int> source_limb;
  std::vector<std::vector<int>> target_limbs;
  std::vector<PointPair> skeleton;
  std::vector<PointPair> sides;     // skin that tells the sides of the bodies; it weighs less than features
  std::vector<PointPair> features;  // what the user gives
  double height = 0;                // of the target, metres
};

// Throws input_error where there is neither skeleton nor features, or a number is not finite; Stopped where `progress`
// asks for it. Same bits for any number of threads.
RetargetFit fit_lattice(const RetargetRequest& request, const Progress& progress = {});

// A control point that a user has moved.
struct MovedControlPoint {
  int vertex = -1;  // of the lattice
  Vec3 to;          // target's rest space, metres
};

// `fit`, a result of the same request, with control points moved: these arrive exactly, on a straight way, and the last
// stage, now called "control points", is run again with them held. Without any, the result is `fit`, bit by bit. Throws
// usage_error where a vertex does not exist or is moved twice, and input_error for a place that is not finite or would
// turn cells inside out.
RetargetFit move_control_points(const RetargetRequest& request, const RetargetFit& fit,
                                std::span<const MovedControlPoint> moved, const Progress& progress = {});

// The control point of the fitted lattice that is nearest to a place in the target's rest space.
int nearest_control_point(const RetargetedLattice& lattice, const Vec3& place);

// The edges of the cells, each once, the smaller vertex first, ascending.
std::vector<std::array<int, 2>> lattice_edges(const TetrahedralMesh& mesh);

// Number of cells that are inside out.
int inverted_cells(const TetrahedralMesh& mesh);

}  // namespace sinew
