#include "sinew/deform/lattice_flesh/control_lattice/lattice_pose.h"

#include <numeric>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 128;

void make_room(std::size_t count, VertexFrames& frames) {
  frames.orientation.resize(count);
  frames.rotation.resize(count);
  frames.goal.resize(count);
}

}  // namespace

void predict_pose(const LatticeDescription& description, std::span<const Affine> bones, std::span<const int> functions,
                  LatticePose& pose) {
  BoneRotations rotations;
  bone_rotations(bones, rotations);
  const std::size_t count = description.role.size(), cells = description.cell_centre.size();
  make_room(count, pose.functions);
  make_room(cells, pose.cells);
  pose.place.resize(count);
  parallel_for(cells, grain, [&](std::size_t c) {
    predict_frame(c, description.cell_centre[c], description.cell_influences[c], bones, rotations, pose.cells);
  });
  const auto coarse = static_cast<std::size_t>(description.coarse_functions);
  parallel_for(functions.size(), grain, [&](std::size_t k) {
    const auto f = static_cast<std::size_t>(functions[k]);
    predict_frame(f, description.place[f], description.influences[f], bones, rotations, pose.functions);
    Vec3& goal = pose.functions.goal[f];
    pose.place[f] = goal;
    // Coefficients of smooth schemes do not lie where their vertices end up; detail has no goal of its own.
    goal = f < coarse ? goal + pose.functions.rotation[f] * (description.rest[f] - description.place[f]) : Vec3{};
  });
}

void predict_pose(const LatticeDescription& description, std::span<const Affine> bones, LatticePose& pose) {
  std::vector<int> all(description.role.size());
  std::iota(all.begin(), all.end(), 0);
  predict_pose(description, bones, all, pose);
}

}  // namespace sinew
