#include "studies/mixed/twist.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "studies/mixed/free_rotations.h"
#include "studies/mixed/posed_body.h"

namespace sinew {
namespace {

TwistPose twisted(const Bar& bar, PosedBody& body, const MixedChoice& choice, double degrees, double young) {
  TwistPose pose;
  pose.material = choice.material;
  pose.reach = choice.reach;
  pose.degrees = degrees;
  try {
    body.pose(turned(bar, {1, 0, 0}, degrees), pose.positions);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::simulation) throw;
    return pose;
  }
  pose.solved = true;
  pose.body = measure_body(bar.lattice.mesh, pose.positions);
  for (int i = 0; i <= bar.lattice.cells[0]; ++i)
    pose.smallest_section = std::min(pose.smallest_section, projected_section(bar, pose.positions, i));
  pose.energy = elastic_energy(*body.body(), pose.positions) / (young * bar.length * bar.width * bar.width);
  return pose;
}

}  // namespace

std::vector<TwistPose> twist_experiment(const Bar& bar, const TwistOptions& options, const Progress& progress) {
  std::vector<TwistPose> poses;
  const double count = static_cast<double>(mixed_materials.size() * options.reaches.size() * options.degrees.size());
  for (const MixedMaterial material : mixed_materials)
    for (const double reach : options.reaches) {
      const MixedChoice choice{material, reach};
      PosedBody body(bar.lattice.mesh, bar.bones, options.material, choice);
      for (const double degrees : options.degrees) {
        report_or_stop(progress, "twisting a bar", static_cast<double>(poses.size()) / count);
        poses.push_back(twisted(bar, body, choice, degrees, options.material.young));
      }
    }
  return poses;
}

}  // namespace sinew
