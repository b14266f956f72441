#include "sinew/jobs/shape/sample_pose.h"

#include <vector>

#include "sinew/base/index.h"
#include "sinew/shape/joint_turns.h"

namespace sinew {

Pose sample_pose(const Character& character, const ControlValues& controls, std::size_t rig,
                 std::span<const double> at) {
  const Skeleton& skeleton = character.skeleton;
  const std::span<const std::size_t> own = controls.of_rig(rig);
  std::vector<JointTurn> turns;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const ControlMeasure measure = controls.measure(own[k], skeleton);
    if (measure.measure == "abstract" || measure.measure == "weight" || measure.measure == "property") continue;
    JointTurn turn{skeleton.joints[index(measure.joint)].name, 0, at[k]};
    if (measure.measure != "angle" && measure.measure != "swing") turn.about = measure.axis;
    if (at[k] != 0) turns.push_back(turn);
  }
  return turned(character, sample(skeleton, nullptr, 0), turns);
}

}  // namespace sinew
