#include "sinew/deform/lattice/lattice_pose.h"

#include <cmath>
#include <numeric>

#include "sinew/base/threads/parallel.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

constexpr std::size_t lattice_pose_grain = 128;

void make_room(std::size_t count, VertexFrames& frames) {
  frames.orientation.resize(count);
  frames.rotation.resize(count);
  frames.goal.resize(count);
}

// Scale of each bone.
void bone_scales(std::span<const Affine> bones, std::vector<double>& scales) {
  // Rounding of rotations is no scale.
  constexpr double rounding = 1e-6;
  scales.clear();
  for (const Affine& bone : bones) {
    const double scale = std::cbrt(std::abs(determinant(bone.linear)));
    scales.push_back(std::abs(scale - 1) < rounding ? 1.0 : scale);
  }
}

double blended_scale(const Influences& influences, std::span<const double> scales) {
  // Computed as a difference from one, so that bones without scale give exactly one.
  double excess = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k)
    excess += influences.weight[k] * (scales[static_cast<std::size_t>(influences.joint[k])] - 1);
  return 1 + excess;
}

// Input of the prediction of frames; refers to the pose that they become part of.
struct Bones {
  Bones(std::span<const Affine> of, const Skinning& skinning, LatticePose& pose)
      : transforms(of), rotations(pose.functions.bones), scales(pose.bone_scale) {
    bone_rotations(of, skinning.kind, pose.functions.bones);
    bone_scales(of, pose.bone_scale);
    correction = skin_correction(skinning, of);
  }

  std::span<const Affine> transforms;
  const BoneRotations& rotations;
  const std::vector<double>& scales;
  std::vector<Vec3> correction;  // of the whole skin, per vertex: metres, world; empty: none
};

void predict_functions(const LatticeDescription& description, std::span<const int> functions, const Bones& bones,
                       LatticePose& pose) {
  const std::size_t count = description.role.size();
  make_room(count, pose.functions);
  pose.place.resize(count);
  pose.function_scale.resize(count, 1.0);
  const auto coarse = static_cast<std::size_t>(description.coarse_functions);
  parallel_for(functions.size(), lattice_pose_grain, [&](std::size_t k) {
    const auto f = static_cast<std::size_t>(functions[k]);
    predict_frame(f, description.place[f], description.influences[f], bones.transforms, bones.rotations,
                  pose.functions);
    const double scale = pose.function_scale[f] = blended_scale(description.influences[f], bones.scales);
    Vec3& goal = pose.functions.goal[f];
    if (!bones.correction.empty()) goal += row_times(description.carried_functions, f, bones.correction);
    pose.place[f] = goal;
    // Coefficients of smooth schemes do not lie where their vertices end up; detail has no goal of its own.
    goal = f < coarse ? goal + pose.functions.rotation[f] * (scale * (description.rest[f] - description.place[f]))
                      : Vec3{};
  });
}

void predict_cells(const LatticeDescription& description, const Bones& bones, LatticePose& pose) {
  const std::size_t cells = description.cell_centre.size();
  make_room(cells, pose.cells);
  pose.cell_scale.resize(cells, 1.0);
  parallel_for(cells, lattice_pose_grain, [&](std::size_t c) {
    predict_frame(c, description.cell_centre[c], description.cell_influences[c], bones.transforms, bones.rotations,
                  pose.cells);
    if (!bones.correction.empty()) pose.cells.goal[c] += row_times(description.carried_cells, c, bones.correction);
    pose.cell_scale[c] = blended_scale(description.cell_influences[c], bones.scales);
  });
}

}  // namespace

void predict_functions(const LatticeDescription& description, std::span<const Affine> bones,
                       std::span<const int> functions, LatticePose& pose) {
  predict_functions(description, functions, Bones(bones, description.skinning, pose), pose);
}

void predict_pose(const LatticeDescription& description, std::span<const Affine> bones, std::span<const int> functions,
                  LatticePose& pose) {
  const Bones known(bones, description.skinning, pose);
  predict_cells(description, known, pose);
  predict_functions(description, functions, known, pose);
}

void predict_pose(const LatticeDescription& description, std::span<const Affine> bones, LatticePose& pose) {
  std::vector<int> all(description.role.size());
  std::iota(all.begin(), all.end(), 0);
  predict_pose(description, bones, all, pose);
}

}  // namespace sinew
