#include "sinew/jobs/motion/edit_path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/bake/clip_end.h"
#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/output_place.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/gltf/read/read_humanoid.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/jobs/motion/append_clip.h"
#include "sinew/jobs/motion/character_body.h"
#include "sinew/jobs/motion/standing_feet.h"
#include "sinew/kinematics/built_in_motion.h"
#include "sinew/kinematics/paths/joint_path.h"
#include "sinew/kinematics/paths/lead_joint.h"
#include "sinew/kinematics/paths/put_keys.h"

namespace sinew {
namespace {

constexpr const char* edited_ending = ", edited";
constexpr double frames_of_feet = 60;          // per second, in which contacts are sought
constexpr double step_off = 0.2;               // seconds within which a foot that stood goes along with the hips
constexpr double narrowest = 0.02;             // seconds
constexpr std::size_t most_path_keys = 20000;  // of a window

struct Contacts {
  int foot = -1;
  std::vector<std::pair<double, double>> times;  // ascending; beyond the clip's ends where it repeats
};

struct EditedBody {
  std::vector<char> bone;
  CharacterBody body;
  std::vector<int> feet;  // joints
  std::vector<Contacts> contacts;
  double period = 0;  // seconds of a clip that repeats; 0: it does not
};

// The contacts of a clip that repeats, before and after it too.
std::vector<std::pair<double, double>> repeated(const std::vector<std::pair<double, double>>& once, double period) {
  if (!(period > 0)) return once;
  std::vector<std::pair<double, double>> all;
  for (int cycle = -1; cycle <= 1; ++cycle)
    for (const auto& [begin, end] : once) {
      const double from = begin + cycle * period, until = end + cycle * period;
      if (!all.empty() && from - all.back().second < 2 / frames_of_feet)
        all.back().second = until;
      else
        all.emplace_back(from, until);
    }
  return all;
}

EditedBody body_of(const OpenedCharacter& opened, const Clip& clip) {
  const Character& character = opened.character;
  const SimulationSurface surface = simulation_surface(character);
  EditedBody result;
  result.bone.resize(character.skeleton.joints.size());
  for (const Bone& each : surface.bones) result.bone[index(each.joint)] = 1;
  if (clip.end > clip.start && clip_end(character, surface, clip, true).ending == Ending::moving_on)
    result.period = clip.end - clip.start;
  result.body = character_body(character, read_humanoid(*opened.document));
  const BodyBones& bones = result.body.bones;
  if (!bones.complete()) return result;
  const RiggedBody rigged{&character.skeleton, bones, result.body.reference, {0, 1, 0}, true};
  const AnatomicalFrames frames = anatomical_frames(bones, result.body.reference, {0, 1, 0});
  for (const LimbBones& leg : bones.legs) result.feet.push_back(leg.end_joint());
  if (is_on_all_fours(rigged, frames))
    for (const LimbBones& arm : bones.arms) result.feet.push_back(arm.end_joint());
  std::erase_if(result.feet, [&](int foot) { return foot < 0 || !result.bone[index(foot)]; });
  for (const StandingTimes& foot : standing_times(rigged, frames_of_feet, clip))
    if (!foot.contacts.empty()) result.contacts.push_back({foot.foot, repeated(foot.contacts, result.period)});
  return result;
}

// The window of a displacement. That of a foot keeps to its contacts.
TimeFalloff window_of(const PathEdit& edit, const EditedBody& body, double time) {
  TimeFalloff falloff = TimeFalloff::around(time, edit.width);
  const auto foot = std::find_if(body.contacts.begin(), body.contacts.end(),
                                 [&](const Contacts& each) { return each.foot == edit.joint; });
  if (foot == body.contacts.end()) return falloff;
  for (const auto& [begin, end] : foot->times)
    if (time >= begin && time <= end) falloff = {begin - edit.width, begin, end, end + edit.width};
  for (const auto& [begin, end] : foot->times) {
    if (end < falloff.full_from) falloff.begin = std::max(falloff.begin, end);
    if (begin > falloff.full_until) falloff.end = std::min(falloff.end, begin);
  }
  return falloff;
}

// The falloff within one cycle of the clip, where it counts: what goes over the clip's end is at its beginning.
class WrappedFalloff {
 public:
  WrappedFalloff(const TimeFalloff& falloff, const Clip& clip, double period) {
    for (const int cycle : {-1, 0, 1}) {
      if (cycle != 0 && !(period > 0)) continue;
      const double by = cycle * period;
      TimeFalloff image{falloff.begin + by, falloff.full_from + by, falloff.full_until + by, falloff.end + by};
      if (image.end <= clip.start || image.begin >= clip.end) continue;
      images_.push_back(image);
      const double from = std::max(image.begin, clip.start), until = std::min(image.end, clip.end);
      if (!windows_.empty() && from <= windows_.back().second)
        windows_.back().second = std::max(windows_.back().second, until);
      else
        windows_.emplace_back(from, until);
    }
  }
  double operator()(double time) const {
    double most = 0;
    for (const TimeFalloff& image : images_) most = std::max(most, image(time));
    return most;
  }
  const std::vector<std::pair<double, double>>& windows() const { return windows_; }

 private:
  std::vector<TimeFalloff> images_;
  std::vector<std::pair<double, double>> windows_;
};

std::vector<double> frames_between(const Clip& clip, double begin, double end, const std::vector<double>& also) {
  std::vector<int> all;
  for (const Channel& channel : clip.channels)
    if (channel.path != ChannelPath::weights) all.push_back(channel.joint);
  const std::vector<double> times = path_times(clip, all, begin, end, also);
  if (times.size() > most_path_keys)
    throw usage_error("'" + clip.name + "' has more than 20,000 keys there; thin them out with `sinew motion reduce`.");
  return times;
}

std::vector<TimedPlaces> displaced_places(const Character& character, const Clip& clip, const PathEdit& edit,
                                          const EditedBody& body, double time) {
  const WrappedFalloff falloff(window_of(edit, body, time), clip, body.period);
  std::vector<TimedPlaces> windows;
  for (const auto& [begin, end] : falloff.windows()) {
    const std::vector<double> times = frames_between(clip, begin, end, {time});
    JointPath path = joint_path(character.skeleton, clip, edit.joint, -1, times);
    for (std::size_t k = 0; k < times.size(); ++k)
      path.places[k] += edit.by * (falloff(times[k]) / character.metres_per_unit);
    windows.push_back({times, std::move(path.places)});
  }
  return windows;
}

std::vector<TimedPlaces> redrawn_places(const Character& character, const Clip& clip, const PathEdit& edit,
                                        double time) {
  const double until = std::clamp(edit.until, clip.start, clip.end);
  if (!(until > time)) throw usage_error("A stroke replaces a path from one time until a later one.");
  DrawnLine stroke = *edit.stroke;
  const double unit = character.metres_per_unit;
  for (Vec3& point : stroke.points) point = point / unit;
  if (stroke.eye) stroke.eye = *stroke.eye / unit;
  const std::vector<double> times = frames_between(clip, std::max(clip.start, time - edit.width),
                                                   std::min(clip.end, until + edit.width), {time, until});
  JointPath path =
      redrawn(joint_path(character.skeleton, clip, edit.joint, -1, times), stroke, time, until, edit.width);
  return {{times, std::move(path.places)}};
}

std::vector<TimedPlaces> retimed_places(const Character& character, const Clip& clip, const PathEdit& edit,
                                        double time) {
  const double width = std::min({edit.width, time - clip.start, clip.end - time});
  if (!(width > narrowest)) throw usage_error("Time cannot be changed at an end of a clip.");
  const TimeWarp warp{time, edit.from.value_or(time), width, edit.linger};
  const std::vector<double> times = frames_between(clip, time - width, time + width, {time});
  std::vector<double> old;
  for (const double each : times) old.push_back(warp(each));
  return {{times, joint_path(character.skeleton, clip, edit.joint, -1, old).places}};
}

LedJoint led_joint(const Character& character, const PathEdit& edit, const EditedBody& body) {
  LedJoint led;
  led.joint = edit.joint;
  led.level = body.feet;
  for (const int foot : body.feet) {
    PinnedJoint pin{foot};
    for (const Contacts& contacts : body.contacts)
      if (contacts.foot == foot)
        for (const auto& [begin, end] : contacts.times)
          pin.stands.push_back({begin - step_off, begin, end, end + step_off});
    led.pinned.push_back(std::move(pin));
  }
  for (const int joint : edit.pinned)
    if (std::find(body.feet.begin(), body.feet.end(), joint) == body.feet.end()) led.pinned.push_back({joint});
  std::erase_if(led.pinned, [&](const PinnedJoint& pin) { return pin.joint == edit.joint; });
  for (const auto& [carrier, joint] : carriers(body.body.bones))
    if (!descends_from(character.skeleton, joint, carrier)) led.carried.emplace_back(carrier, joint);
  return led;
}

}  // namespace

std::string edited_name(const std::string& clip) { return clip.ends_with(edited_ending) ? clip : clip + edited_ending; }

struct PathEditor::Body : EditedBody {};

PathEditor::PathEditor(const OpenedCharacter& opened, const std::string& name) : opened_(&opened) {
  const Character& character = opened.character;
  if (character.clips.empty()) throw usage_error("The character has no clip whose path could be edited.");
  clip_ = &character.clips[index(choose_clip(character, name))];
  if (!(clip_->end > clip_->start)) throw usage_error("'" + clip_->name + "' is a single pose, which has no path.");
  body_ = std::make_unique<const Body>(Body{body_of(opened, *clip_)});
}
PathEditor::~PathEditor() = default;
PathEditor::PathEditor(PathEditor&&) noexcept = default;

EditedPath PathEditor::edit(const PathEdit& edit) const {
  const Character& character = opened_->character;
  if (edit.joint < 0 || index(edit.joint) >= character.skeleton.joints.size())
    throw usage_error("The character has no joint " + std::to_string(edit.joint) + ".");
  if (!(edit.width >= narrowest)) throw usage_error("An edit fades within at least 0.02 s.");
  const double time = std::clamp(edit.time, clip_->start, clip_->end);
  LedJoint led = led_joint(character, edit, *body_);
  led.windows = edit.stroke                                 ? redrawn_places(character, *clip_, edit, time)
                : edit.from.has_value() || edit.linger != 0 ? retimed_places(character, *clip_, edit, time)
                                                            : displaced_places(character, *clip_, edit, *body_, time);
  LedClip result = lead_joint(character.skeleton, body_->bone, *clip_, led);
  EditedPath edited;
  edited.clip = std::move(result.clip);
  edited.clip.name = edited_name(clip_->name);
  edited.missed = result.missed * character.metres_per_unit;
  edited.pins_missed = result.pins_missed * character.metres_per_unit;
  edited.trunk_helps = result.trunk_helps;
  return edited;
}

EditedPath edit_path(const EditPathJob& job) {
  check_outputs_apart(std::array{job.output}, std::array{job.input});
  OpenedCharacter opened = open_rigged_character(job.input, job.size);
  check_gltf_output(*opened.document, job.output);
  const std::vector<Joint>& joints = opened.character.skeleton.joints;
  const auto joint_named = [&](const std::string& name, const char* option) {
    const auto named =
        std::find_if(joints.begin(), joints.end(), [&](const Joint& joint) { return joint.name == name; });
    if (name.empty() || named == joints.end())
      throw usage_error(std::string(option) + ": " + opened.character.file + " has no joint '" + name +
                        "'; `sinew info` names them.");
    return static_cast<int>(named - joints.begin());
  };
  PathEdit edit = job.edit;
  edit.joint = joint_named(job.joint, "--joint");
  edit.pinned.clear();
  for (const std::string& name : job.pinned) edit.pinned.push_back(joint_named(name, "--pin"));
  EditedPath edited = PathEditor(opened, job.clip).edit(edit);
  edited.clip.name = unused_clip_name(opened.character, job.name.empty() ? edited.clip.name : job.name);
  write_with_clip(opened, edited.clip, job.output);
  return edited;
}

PathOfJoint path_of_joint(const Character& character, const Clip& clip, int joint) {
  JointPath path = joint_path(character.skeleton, clip, joint, -1, frames_between(clip, clip.start, clip.end, {}));
  for (Vec3& place : path.places) place = place * character.metres_per_unit;
  return {std::move(path.times), std::move(path.places)};
}

}  // namespace sinew
