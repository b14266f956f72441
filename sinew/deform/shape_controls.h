// The force rigs of a scene (shape/shape_forces.h), as sessions drive them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/skeleton.h"
#include "sinew/deform/deformer.h"

namespace sinew {

class ShapeControls {
 public:
  struct Control {
    std::string name;
    double least = 0, most = 1;  // of the samples of its rigs
    bool posed = false;          // a joint, a morph target or a number of the file gives its value
  };
  // Values that users hold in place of the file's keys and the rig's pose.
  struct Held {
    std::vector<double> control;  // per control: its value, or nan where it is not held
    std::vector<double> share;    // per rig: factor of its forces
  };

  virtual ~ShapeControls() = default;
  virtual std::span<const Control> controls() const = 0;
  virtual std::span<const std::string> rigs() const = 0;

  // Values of the controls in a pose at a time on the clip's time line, seconds; one per control.
  virtual void values(const Pose& pose, double clip_time, std::span<double> values) const = 0;
  // Computes RigState::forces, shown_by_rig and stiffening.
  virtual void find(const Pose& pose, double clip_time, const Held& held, std::vector<PointForce>& forces,
                    std::vector<PointDisplacement>& shown_by_rig, std::vector<PointStiffening>& stiffening) const = 0;
};

}  // namespace sinew
