// Frames and goals of a lattice's functions and cells, as the skeleton alone predicts them (Capell 2004, section
// 5.2.2).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/lattice/lattice_body.h"

namespace sinew {

struct LatticePose {
  // Per function: R_i, and g_i, the goal of its coefficient, world, metres; zero for detail, which has no goal of its
  // own.
  VertexFrames functions;
  // Per function: goal of its vertex, world, metres.
  std::vector<Vec3> place;
  // Per cell: R_c, and the goal of the centroid of its flesh, world, metres.
  VertexFrames cells;
  // Scales s_i and s_c of the bones, blended as positions are: cube roots of the determinants. One for bones that do
  // not scale.
  std::vector<double> function_scale, cell_scale;
  std::vector<double> bone_scale;  // per bone

  // Translation c of the cell's map x -> s_c R_c x + c.
  Vec3 translation(const LatticeDescription& description, std::size_t cell) const {
    return cells.goal[cell] - cells.rotation[cell] * (cell_scale[cell] * description.cell_centre[cell]);
  }
};

// Predict the frames for `bones` (rest space to world, metres). `functions`: those to update, ascending; the others
// keep their values, initially the identity and zero. predict_functions() leaves the cells out.
void predict_functions(const LatticeDescription& description, std::span<const Affine> bones,
                       std::span<const int> functions, LatticePose& pose);
void predict_pose(const LatticeDescription& description, std::span<const Affine> bones, std::span<const int> functions,
                  LatticePose& pose);
// all functions
void predict_pose(const LatticeDescription& description, std::span<const Affine> bones, LatticePose& pose);

}  // namespace sinew
