// Where the skeleton alone carries the functions and the cells of a lattice (Capell 2004, section 5.2.2).
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/lattice/lattice_body.h"

namespace sinew {

struct LatticePose {
  // Per function: R_i, and g_i: the goal of its coefficient, world, metres; zero for detail, which has none of its own.
  VertexFrames functions;
  // Per function: where the vertex that it belongs to goes, world, metres.
  std::vector<Vec3> place;
  // Per cell: R_c, and where the centre of its flesh goes.
  VertexFrames cells;
  // By which the bones enlarge what they carry: s_i and s_c, cube roots of their determinants, blended as
  // the places are. One where they do not.
  std::vector<double> function_scale, cell_scale;
  std::vector<double> bone_scale;  // of the bones themselves

  // The c of x -> s_c R_c x + c.
  Vec3 translation(const LatticeDescription& description, std::size_t cell) const {
    return cells.goal[cell] - cells.rotation[cell] * (cell_scale[cell] * description.cell_centre[cell]);
  }
};

// Bones: rest space to world, metres. `functions`: those that are wanted, ascending; others are left as they are, which
// at first is unturned and zero. predict_functions() leaves the cells out.
void predict_functions(const LatticeDescription& description, std::span<const Affine> bones,
                       std::span<const int> functions, LatticePose& pose);
void predict_pose(const LatticeDescription& description, std::span<const Affine> bones, std::span<const int> functions,
                  LatticePose& pose);
void predict_pose(const LatticeDescription& description, std::span<const Affine> bones, LatticePose& pose);  // of all

}  // namespace sinew
