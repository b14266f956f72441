// Values of the controls of force rigs in a pose. A control's name is
//
//   elbow_l         a joint: the angle by which it is turned from the file's rest pose, relative to its parent
//   elbow_l:twist   the part of this turn about the direction of its bone, with its sign
//   elbow_l:swing   the rest of it: the angle by which the bone's direction leans
//   elbow_l:x       the part about the joint's own x axis, with its sign; likewise y and z
//   breathe         an abstract control of the rigs' file, held by a setting, keyed in the file or at its value there
//   smile           a morph target, by name or as NODE.TARGET: its weight
//   breathe         a custom property of the character's file that clips move (/nodes/3/extras/breathe), or any other
//                   number that they move, by its pointer (/materials/0/emissiveFactor/1)
//
// in this order of precedence: a control of the rigs' file hides a joint, a joint a morph target, that a property.
// Angles are degrees.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/shape/shape_rig.h"

namespace sinew {

// Values held by settings: "breathe=0.5".
struct HeldControl {
  std::string name;
  double value = 0;
};
// Throws usage_error naming the text.
HeldControl held_control_from(const std::string& text);

// The thing that a control's name stands for.
enum class ControlSource {
  declared,  // a control of the file
  joint,
  morph,
  property,  // a number of the character's file
  unknown,
};
// Throws input_error if it names a joint with a measure that does not exist, as elbow_l:twst, or several properties.
ControlSource control_source(const std::string& name, const ShapeFile& file, const Character& character,
                             const SimulationSurface& surface);

// How a control is measured, for those who compute it elsewhere.
struct ControlMeasure {
  std::string_view measure;  // abstract, weight, property, or of a joint: angle, swing, twist, x, y, z
  int joint = -1;            // the joint; of a weight: the node
  int target = -1;           // of a weight: the morph target
  std::string pointer = {};  // of a property
  Quat rest = {};            // of a joint: its rotation at rest, relative to its parent
  Vec3 axis = {};            // of a joint: about which its twist is measured, or from which its swing, joint space
};

// Angle of the part of a rotation about a unit axis, degrees, in (-180, 180].
double twist_about(const Quat& rotation, const Vec3& axis);

class ControlValues {
 public:
  // Finds the controls of all rigs. Throws input_error naming the file, the rig and a remedy if a control does not
  // exist, usage_error if none is called as a held one is. `owner`: what a rig of the file is, for messages.
  ControlValues(const ShapeFile& file, std::span<const HeldControl> held, const Character& character,
                const SimulationSurface& surface, const std::string& owner = "rig");

  // The controls of a rig, in its order; rigs share controls of one name.
  std::span<const std::size_t> of_rig(std::size_t rig) const { return of_rig_[rig]; }
  std::size_t size() const { return controls_.size(); }
  const std::string& name(std::size_t control) const { return names_[control]; }
  // Whether a joint, a morph target or a property gives its value.
  bool is_posed(std::size_t control) const { return controls_[control].measure != Measure::abstract; }
  ControlMeasure measure(std::size_t control, const Skeleton& skeleton) const;
  // Weight of the morph target of a rig in a pose (ShapeRig::morph); 0 for a rig without one.
  double morph_weight(std::size_t rig, const Pose& pose) const;
  // `clip_time`: seconds on the clip's time line. `values`: one per control.
  void find(const Pose& pose, double clip_time, std::span<double> values) const;

 private:
  enum class Measure { abstract, weight, property, angle, swing, twist, x, y, z };
  struct Control {
    Measure measure = Measure::abstract;
    int joint = -1, parent = -1;  // indices into Skeleton::joints
    int target = -1;              // of a weight: the morph target; of a property: index into Skeleton::properties
    Quat rest;                    // the joint's rotation at rest, relative to its parent
    Vec3 along;                   // direction of its bone, or the axis, joint space
    AbstractControl keyed;
  };
  Control control_of(const std::string& name, const ShapeFile& file, const std::string& owner,
                     std::span<const HeldControl> held, const Character& character, const SimulationSurface& surface);
  static std::optional<Control> weight_of(const std::string& name, const Character& character,
                                          const SimulationSurface& surface);
  static double value_of(const Control& control, const Pose& pose, double clip_time);

  std::vector<Control> controls_;
  std::vector<std::string> names_;
  std::vector<std::optional<Control>> morph_of_rig_;
  std::vector<std::vector<std::size_t>> of_rig_;
};

}  // namespace sinew
