#include "sinew/shape/control_values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/linalg/turns.h"
#include "sinew/rig/weight_controls.h"

namespace sinew {
namespace {

constexpr double in_degrees = 180 / std::numbers::pi;
constexpr std::string_view joint_measures[] = {"angle", "swing", "twist", "x", "y", "z"};

double keyed_value(const AbstractControl& control, double seconds) {
  const auto& keys = control.keys;
  if (keys.empty()) return control.value;
  const double begin = keys.front()[0], end = keys.back()[0];
  if (control.loop && end > begin) {
    seconds = begin + std::fmod(seconds - begin, end - begin);
    if (seconds < begin) seconds += end - begin;
  }
  if (seconds <= begin) return keys.front()[1];
  for (std::size_t k = 1; k < keys.size(); ++k)
    if (seconds <= keys[k][0])
      return std::lerp(keys[k - 1][1], keys[k][1], (seconds - keys[k - 1][0]) / (keys[k][0] - keys[k - 1][0]));
  return keys.back()[1];
}

// The rotation of a joint's own transform, translation times rotation times scale: its columns are at right angles.
Quat rotation_of(const Mat3& linear) {
  const Vec3 x = normalized(linear.column(0)), y = normalized(linear.column(1));
  const Vec3 z = cross(x, y);
  return std::abs(dot(z, z) - 1) < 0.5 ? to_quaternion(Mat3::from_columns(x, y, z)) : Quat{};
}

// Direction of a joint's bone in joint space: towards the end of its skin's bone, or its first child.
Vec3 direction_of(int joint, const Character& character, const SimulationSurface& surface) {
  for (const Bone& bone : surface.bones)
    if (bone.joint == joint) {
      const BoneSegment& segment = main_segment(bone);
      const Vec3 along = normalized(bone.rest_to_joint.linear * (segment.tail - segment.head));
      if (norm(along) > 0) return along;
    }
  for (const Joint& child : character.skeleton.joints)
    if (child.parent == joint && norm(child.rest.translation) > 0) return normalized(child.rest.translation);
  return {0, 1, 0};
}

// Index into Skeleton::properties; -1: none of this name.
int find_property(const std::string& name, const Character& character) {
  constexpr std::string_view custom = "/extras/";
  const std::vector<Property>& properties = character.skeleton.properties;
  std::vector<int> found;
  for (std::size_t k = 0; k < properties.size(); ++k) {
    const std::string& pointer = properties[k].pointer;
    if (pointer == name) return static_cast<int>(k);
    const std::size_t at = pointer.find(custom);
    if (at != std::string::npos && pointer.substr(at + custom.size()) == name) found.push_back(static_cast<int>(k));
  }
  if (found.size() > 1)
    throw input_error("control " + name + ": " + character.file + " has several custom properties of this name; say " +
                      properties[index(found[0])].pointer + " or " + properties[index(found[1])].pointer + ".");
  return found.empty() ? -1 : found.front();
}

}  // namespace

double twist_about(const Quat& q, const Vec3& axis) { return twist_angle(q, axis) * in_degrees; }

HeldControl held_control_from(const std::string& text) {
  const std::size_t equals = text.find('=');
  HeldControl held;
  std::size_t read = 0;
  try {
    if (equals != std::string::npos && equals > 0)
      held = {text.substr(0, equals), std::stod(text.substr(equals + 1), &read)};
  } catch (const std::exception&) {
    read = 0;
  }
  if (read == 0 || equals + 1 + read != text.size() || !std::isfinite(held.value))
    throw usage_error("--control: '" + text + "' is no control with a value; write it as breathe=0.5.");
  return held;
}

ControlSource control_source(const std::string& name, const ShapeFile& file, const Character& character,
                             const SimulationSurface& surface) {
  if (std::any_of(file.controls.begin(), file.controls.end(),
                  [&](const AbstractControl& control) { return control.name == name; }))
    return ControlSource::declared;
  const std::vector<Joint>& joints = character.skeleton.joints;
  const auto is_joint = [&](const std::string& called) {
    return std::any_of(joints.begin(), joints.end(), [&](const Joint& joint) { return joint.name == called; });
  };
  if (is_joint(name)) return ControlSource::joint;
  const std::vector<WeightControl> weights = weight_controls(character, surface);
  if (std::any_of(weights.begin(), weights.end(), [&](const WeightControl& weight) {
        return weight.parameter.name == name || weight.parameter.control == name;
      }))
    return ControlSource::morph;
  if (find_property(name, character) >= 0) return ControlSource::property;
  const std::size_t colon = name.rfind(':');
  if (colon == std::string::npos || !is_joint(name.substr(0, colon))) return ControlSource::unknown;
  const std::string measure = name.substr(colon + 1);
  if (std::find(std::begin(joint_measures), std::end(joint_measures), measure) == std::end(joint_measures))
    throw input_error("control " + name + ": a joint has the measures angle, swing, twist, x, y and z, and no " +
                      measure + ".");
  return ControlSource::joint;
}

ControlValues::ControlValues(const ShapeFile& file, std::span<const HeldControl> held, const Character& character,
                             const SimulationSurface& surface, const std::string& owner) {
  for (const HeldControl& each : held) {
    const bool known = std::any_of(file.rigs.begin(), file.rigs.end(), [&](const ShapeRig& rig) {
      return std::find(rig.controls.begin(), rig.controls.end(), each.name) != rig.controls.end();
    });
    if (!known)
      throw usage_error("--control: no rig of " + file.file + " has a control '" + each.name +
                        "'; `sinew shape list` names them.");
  }
  std::map<std::string, std::size_t> known;
  for (const ShapeRig& rig : file.rigs) {
    std::vector<std::size_t>& of_rig = of_rig_.emplace_back();
    for (const std::string& name : rig.controls) {
      const auto [found, is_new] = known.try_emplace(name, controls_.size());
      if (is_new) {
        controls_.push_back(control_of(name, file, owner + " '" + rig.name + "'", held, character, surface));
        names_.push_back(name);
      }
      of_rig.push_back(found->second);
    }
    morph_of_rig_.emplace_back();
    if (rig.morph.empty()) continue;
    morph_of_rig_.back() = weight_of(rig.morph, character, surface);
    if (!morph_of_rig_.back() || rig.controls.size() != 1)
      throw input_error(file.file + ": rig '" + rig.name + "': " +
                        (rig.controls.size() != 1 ? "has 'morph' and several controls; leave one of them."
                                                  : character.file + " has no morph target '" + rig.morph +
                                                        "', whose shape its forces would make; correct 'morph'."));
  }
}

std::optional<ControlValues::Control> ControlValues::weight_of(const std::string& name, const Character& character,
                                                               const SimulationSurface& surface) {
  for (const WeightControl& weight : weight_controls(character, surface))
    if (weight.parameter.name == name || weight.parameter.control == name) {
      Control control;
      control.measure = Measure::weight;
      control.joint = weight.node;
      control.target = weight.target;
      control.keyed.value = weight.parameter.rest;
      return control;
    }
  return {};
}

ControlMeasure ControlValues::measure(std::size_t control, const Skeleton& skeleton) const {
  constexpr std::string_view words[] = {"abstract", "weight", "property", "angle", "swing", "twist", "x", "y", "z"};
  const Control& of = controls_[control];
  ControlMeasure measure{words[static_cast<std::size_t>(of.measure)], of.joint};
  if (of.measure == Measure::weight) measure.target = of.target;
  if (of.measure == Measure::property) measure.pointer = skeleton.properties[index(of.target)].pointer;
  if (of.measure >= Measure::angle) measure.rest = of.rest, measure.axis = of.along;
  return measure;
}

double ControlValues::morph_weight(std::size_t rig, const Pose& pose) const {
  return morph_of_rig_[rig] ? value_of(*morph_of_rig_[rig], pose, 0) : 0;
}

ControlValues::Control ControlValues::control_of(const std::string& name, const ShapeFile& file,
                                                 const std::string& owner, std::span<const HeldControl> held,
                                                 const Character& character, const SimulationSurface& surface) {
  Control control;
  for (const HeldControl& each : held)
    if (each.name == name) {
      control.keyed.value = each.value;
      return control;
    }
  for (const AbstractControl& each : file.controls)
    if (each.name == name) {
      control.keyed = each;
      return control;
    }
  const std::size_t colon = name.rfind(':');
  const std::string suffix = colon == std::string::npos ? "" : name.substr(colon + 1);
  constexpr Word<Measure> measures[] = {{"angle", Measure::angle}, {"swing", Measure::swing}, {"twist", Measure::twist},
                                        {"x", Measure::x},         {"y", Measure::y},         {"z", Measure::z}};
  const auto measure =
      std::find_if(std::begin(measures), std::end(measures), [&](const auto& word) { return suffix == word.word; });
  const std::vector<Joint>& joints = character.skeleton.joints;
  const auto find_joint = [&](const std::string& called) {
    const auto found = std::find_if(joints.begin(), joints.end(), [&](const Joint& j) { return j.name == called; });
    return found == joints.end() ? -1 : static_cast<int>(found - joints.begin());
  };
  control.joint = find_joint(name);
  control.measure = Measure::angle;
  if (control.joint < 0 && measure != std::end(measures)) {
    control.joint = find_joint(name.substr(0, colon));
    control.measure = measure->value;
  }
  if (control.joint >= 0) {
    const Joint& joint = joints[index(control.joint)];
    control.parent = joint.parent;
    control.rest = joint.rest_matrix ? rotation_of(joint.rest_matrix->linear) : normalized(joint.rest.rotation);
    control.along = control.measure == Measure::x   ? Vec3{1, 0, 0}
                    : control.measure == Measure::y ? Vec3{0, 1, 0}
                    : control.measure == Measure::z ? Vec3{0, 0, 1}
                                                    : direction_of(control.joint, character, surface);
    return control;
  }
  if (const auto weight = weight_of(name, character, surface)) return *weight;
  if (const int property = find_property(name, character); property >= 0) {
    control.measure = Measure::property;
    control.target = property;
    control.keyed.value = character.skeleton.properties[index(property)].rest;
    return control;
  }
  if (name.starts_with('/'))
    throw input_error(file.file + ": " + owner + ": no clip of " + character.file + " moves " + name +
                      ", or it is no number; `sinew info` names what its clips move.");
  throw input_error(file.file + ": " + owner + ": " + character.file +
                    " has no joint, morph target or custom property '" + name +
                    "', and the file no control of this name; correct it" +
                    (owner.starts_with("rig ") ? ", add it to \"controls\", or hold it by --control " + name + "=1."
                                               : ", or add it to \"controls\"."));
}

void ControlValues::find(const Pose& pose, double clip_time, std::span<double> values) const {
  for (std::size_t c = 0; c < controls_.size(); ++c) values[c] = value_of(controls_[c], pose, clip_time);
}

double ControlValues::value_of(const Control& control, const Pose& pose, double clip_time) {
  if (control.measure == Measure::abstract) return keyed_value(control.keyed, clip_time);
  if (control.measure == Measure::weight) {
    const std::vector<double>& weights = pose.morph_weights[index(control.joint)];
    return index(control.target) < weights.size() ? weights[index(control.target)] : control.keyed.value;
  }
  if (control.measure == Measure::property)
    return index(control.target) < pose.properties.size() ? pose.properties[index(control.target)]
                                                          : control.keyed.value;
  Mat3 local = pose.world[index(control.joint)].linear;
  if (control.parent >= 0) local = inverse(pose.world[index(control.parent)].linear) * local;
  const Quat q = conjugate(control.rest) * rotation_of(local);
  switch (control.measure) {
    case Measure::angle:
      return turned_angle(q) * in_degrees;
    case Measure::swing: {
      const Vec3 leaning = rotate(normalized(q), control.along);
      return std::atan2(norm(cross(control.along, leaning)), dot(control.along, leaning)) * in_degrees;
    }
    default:
      return twist_about(q, control.along);
  }
}

}  // namespace sinew
