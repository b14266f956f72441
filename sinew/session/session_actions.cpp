// Actions of a session, and what they change.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/cook/methods.h"
#include "sinew/linalg/turns.h"
#include "sinew/session/session.h"

namespace sinew {
namespace {

// Index of a control or rig of this name; the number of them if there is none.
std::size_t shape_index(const ShapeControls& shapes, Action::Kind kind, std::string_view name) {
  std::size_t index = 0;
  if (kind == Action::Kind::rig)
    while (index < shapes.rigs().size() && shapes.rigs()[index] != name) ++index;
  else
    while (index < shapes.controls().size() && shapes.controls()[index].name != name) ++index;
  return index;
}

// Index of the muscle of this name; the number of them if there is none.
std::size_t muscle_index(const MuscleControls& muscles, std::string_view name) {
  const auto names = muscles.names();
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

// Values that keys and the pose give the controls.
std::vector<double> own_values(const ShapeControls& shapes, const Moment& moment) {
  std::vector<double> values(shapes.controls().size());
  shapes.values(moment.pose, moment.clip_time, values);
  return values;
}

}  // namespace

void TissueChanges::apply(double elapsed, const Vec3& gravity_of_scene, Environment& environment) const {
  if (stiffness) environment.stiffness = stiffness->at(elapsed);
  if (damping) environment.damping = damping->at(elapsed);
  if (!gravity) return;
  ActiveChange<Vec3> change = *gravity;
  if (gravity_is_given_back && elapsed - change.begin >= change.seconds) return;
  if (gravity_is_given_back) change.to = environment.gravity.value_or(gravity_of_scene);
  environment.gravity = change.at(elapsed);
}

void Session::find_shape_forces(Moment& moment) const {
  moment.forces.clear();
  moment.shown_by_rig.clear();
  moment.stiffening.clear();
  if (!scene_->shapes) return;
  const ShapeControls& shapes = *scene_->shapes;
  held_shapes_.control.assign(shapes.controls().size(), NAN);
  held_shapes_.share.assign(shapes.rigs().size(), 1.0);
  for (const ShapeChange& change : shapes_) {
    if (change.kind == Action::Kind::activation || change.is_over(moment.elapsed)) continue;
    const std::size_t index = shape_index(shapes, change.kind, change.name);
    if (change.kind == Action::Kind::rig) {
      if (index < shapes.rigs().size()) held_shapes_.share[index] = change.at(moment.elapsed, 1);
    } else if (index < shapes.controls().size()) {
      const double own = change.to ? 0 : own_values(shapes, moment)[index];
      held_shapes_.control[index] = change.at(moment.elapsed, own);
    }
  }
  shapes.find(moment.pose, moment.clip_time, held_shapes_, moment.forces, moment.shown_by_rig, moment.stiffening);
}

void Session::find_activation(const Scene& scene, Moment& moment) const {
  moment.activation.clear();
  if (!scene.muscles) return;
  scene.muscles->find(moment.pose, moment.clip_time, moment.bones, moment.activation);
  for (const ShapeChange& change : shapes_) {
    if (change.kind != Action::Kind::activation || change.is_over(moment.elapsed)) continue;
    const std::size_t index = muscle_index(*scene.muscles, change.name);
    if (index < moment.activation.size())
      moment.activation[index] = change.at(moment.elapsed, moment.activation[index]);
  }
}

void Session::act(const Action& action) { act(action, last_.elapsed); }

void Session::act(const Action& action, double elapsed) {
  Environment asked;
  if (kind_of(action).load) asked.loads.emplace_back();
  if (action.kind == Action::Kind::grab) asked.held.emplace_back();
  if (action.kind == Action::Kind::gravity || action.kind == Action::Kind::own_gravity) asked.gravity = action.gravity;
  if (action.kind == Action::Kind::stiffness) asked.stiffness = most_of_tissue;
  if (action.kind == Action::Kind::damping) asked.damping = most_of_tissue;
  check_capabilities(scene_->method, traits().can, asked, traits().all_with);
  check_action(action);
  start_action(action, elapsed);
  take_.push_back({elapsed, action});
  if (action.kind == Action::Kind::grab) take_.back().action.radius = hold_radius(action);
}

void Session::start_action(const Action& action, double elapsed) {
  if (const ActionKind& row = kind_of(action); row.load)
    return loads_.push_back({row.load(action), last_.elapsed + action.seconds});
  switch (action.kind) {
    case Action::Kind::grab: {
      const bool taken =
          std::any_of(grabs_.begin(), grabs_.end(), [&](const ActiveGrab& grab) { return grab.name == action.name; });
      if (taken) throw usage_error("'" + action.name + "' holds something already; release it, or give another name.");
      Attachment attachment = attach(scene_->surface->rest, scene_->hold_reach, action.point, hold_radius(action));
      std::vector<Vec3> positions(scene_->surface->rest.positions.size());
      deformer_->surface(state(last_), 0, positions);
      const Vec3 hand = place_of(attachment.middle, positions);
      grabs_.push_back({action.name, std::move(attachment), action.target, hand});
      share_points();
      return;
    }
    case Action::Kind::drag:
      grab_of(action.name).target = action.target;
      return;
    case Action::Kind::release:
      grab_of(action.name);
      std::erase_if(grabs_, [&](const ActiveGrab& grab) { return grab.name == action.name; });
      share_points();
      return;
    case Action::Kind::gravity:
    case Action::Kind::own_gravity:
      tissue_.gravity = {tissue_at(elapsed).gravity.value_or(scene_->gravity), action.gravity, elapsed, action.seconds};
      tissue_.gravity_is_given_back = action.kind == Action::Kind::own_gravity;
      return;
    case Action::Kind::stiffness:
      tissue_.stiffness = {tissue_at(elapsed).stiffness, action.stiffness, elapsed, action.seconds};
      return;
    case Action::Kind::damping:
      tissue_.damping = {tissue_at(elapsed).damping, action.damping, elapsed, action.seconds};
      return;
    case Action::Kind::control:
    case Action::Kind::rig:
      return change_shape(action, elapsed);
    case Action::Kind::activation:
      return change_activation(action, elapsed);
    case Action::Kind::turn:
    case Action::Kind::unturn:
    case Action::Kind::carry:
      return change_pose(action, elapsed);
    case Action::Kind::point_force:
      return;  // a load, above
  }
}

void Session::change_shape(const Action& action, double elapsed) {
  const bool is_control = action.kind == Action::Kind::control;
  if (!scene_->shapes) throw usage_error("there are no force rigs; name their file in the setting shapes.");
  const ShapeControls& shapes = *scene_->shapes;
  const std::size_t index = shape_index(shapes, action.kind, action.name);
  if (index == (is_control ? shapes.controls().size() : shapes.rigs().size()))
    throw usage_error("the force rigs have no " + std::string(is_control ? "control" : "rig") + " '" + action.name +
                      "'.");
  if (!is_control && !action.value) throw usage_error("rig: give the factor of its forces as value.");
  const Moment now = elapsed == last_.elapsed ? last_ : driven_at(elapsed);
  const double own = is_control ? own_values(shapes, now)[index] : 1;
  replace_shape({action.kind, action.name, own, action.value, elapsed, action.seconds}, own);
}

void Session::change_activation(const Action& action, double elapsed) {
  if (!scene_->muscles) throw usage_error("there are no muscles; name their file in the setting muscles, or auto.");
  const std::size_t index = muscle_index(*scene_->muscles, action.name);
  if (index == scene_->muscles->names().size()) throw usage_error("there is no muscle '" + action.name + "'.");
  Moment now = driven_at(elapsed);
  scene_->muscles->find(now.pose, now.clip_time, now.bones, now.activation);
  const double own = now.activation[index];
  replace_shape({action.kind, action.name, own, action.value, elapsed, action.seconds}, own);
}

// `own`: the value that keys and the pose give it at the change's beginning.
void Session::replace_shape(ShapeChange change, double own) {
  const auto before = std::find_if(shapes_.begin(), shapes_.end(), [&](const ShapeChange& other) {
    return other.kind == change.kind && other.name == change.name;
  });
  if (before != shapes_.end()) {
    change.from = before->at(change.begin, own);
    shapes_.erase(before);
  }
  shapes_.push_back(std::move(change));
}

void Session::change_pose(const Action& action, double elapsed) {
  if (scene_->follows_controls())
    throw usage_error("the method " + scene_->method + " moves a rig's own controls, which no pose by hand sets.");
  if (action.kind == Action::Kind::carry) return sinew::change_pose(action, -1, {}, {}, elapsed, poses_);
  const int joint = joint_of_action(character_.skeleton, action.name);
  if (joint < 0) throw usage_error(character_.file + " has no joint '" + action.name + "'.");
  const Quat rest = rest_rotation(character_.skeleton.joints[static_cast<std::size_t>(joint)]);
  sinew::change_pose(action, joint, rest, clip_rotation_of(joint, elapsed), elapsed, poses_);
}

ClipRotation Session::clip_rotation_of(int joint, double elapsed) const {
  constexpr double beside = 1e-3;  // seconds
  const Clip* clip = motion_ ? &motion_->driving(*playback_.clip) : playback_.clip;
  Pose pose;
  const auto rotation_at = [&](double clip_time) {
    sample(character_.skeleton, clip, clip_time, sampling_, pose);
    return sampled_rotation(character_.skeleton, sampling_, joint);
  };
  const double now = playback_.range.clip_time(played_at(elapsed));
  if (stands_at_ && played_at(elapsed) == *stands_at_) return {rotation_at(now), {}};
  const Quat before = rotation_at(std::max(now - beside, playback_.range.begin)), rotation = rotation_at(now);
  const double seconds = std::min(beside, now - playback_.range.begin);
  return {rotation, seconds > 0 ? rotation_logarithm(rotation * conjugate(before)) / seconds : Vec3{}};
}

Environment Session::tissue_at(double elapsed) const {
  Environment environment;
  environment_->tissue(playback_.range.clip_time(played_at(elapsed)), environment);
  tissue_.apply(elapsed, scene_->gravity, environment);
  return environment;
}

void Session::share_points() {
  for (ActiveGrab& grab : grabs_)
    thin(grab.attachment, scene_->surface->rest, std::max<std::size_t>(1, most_held_points / grabs_.size()));
}

ActiveGrab& Session::grab_of(const std::string& name) {
  for (ActiveGrab& grab : grabs_)
    if (grab.name == name) return grab;
  throw usage_error("nothing is held as '" + name + "'; grab it first.");
}

double Session::hold_radius(const Action& grab) const {
  return std::min(grab.radius.value_or(hand_of_height * scene_->height), largest_hand_of_height * scene_->height);
}

}  // namespace sinew
