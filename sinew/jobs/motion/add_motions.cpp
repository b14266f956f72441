#include "sinew/jobs/motion/add_motions.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/choose_clip.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/gltf/read/read_humanoid.h"
#include "sinew/jobs/motion/append_clip.h"
#include "sinew/jobs/motion/character_body.h"
#include "sinew/jobs/motion/check_bodies.h"
#include "sinew/jobs/motion/copied_motion.h"
#include "sinew/jobs/motion/motion_map.h"
#include "sinew/jobs/motion/motion_source.h"
#include "sinew/jobs/motion/standing_feet.h"
#include "sinew/kinematics/built_in_motion.h"
#include "sinew/kinematics/hand_touches.h"

namespace sinew {
namespace {

void note_standing(const ClipStanding& standing, const std::string& clip, const std::string& file,
                   std::vector<std::string>& notes) {
  constexpr double noticed = 0.01;  // share of the leg
  if (standing.height <= noticed) return;
  char text[64];
  std::snprintf(text, sizeof(text), "%.1f %% of the leg", 100 * standing.height);
  notes.push_back(file + ": a foot of '" + clip + "' stands up to " + text + " above the ground.");
}

bool jumps_at_first(const MotionReport& report) {
  constexpr double many_times = 3, noticed = 0.01;  // share of the leg
  return report.first_step > noticed && report.first_step > many_times * report.usual_step;
}

// Says how to play a clip without its first frame, from which the body jumps.
void note_first_jump(const Clip& clip, std::span<const double> times, const std::string& file,
                     std::vector<std::string>& notes) {
  char range[64];
  std::snprintf(range, sizeof(range), "--range %.4g %.4g", times[1], times.back());
  notes.push_back(file + ": the body jumps from the first frame of '" + clip.name +
                  "' to the second; play it without, " + "by " + range + ".");
}

void note_touches(const HandTouches& touches, const std::string& clip, const std::string& file,
                  std::vector<std::string>& notes) {
  constexpr double noticed = 0.02;  // share of the leg
  if (touches.touching == 0 || touches.largest < noticed) return;
  char text[64];
  std::snprintf(text, sizeof(text), "%.0f %% of the leg", 100 * touches.largest);
  notes.push_back(file + ": hands that touch the body in '" + clip + "' are led to its skin, by up to " + text + ".");
}

void carry_over(OpenedCharacter& opened, const CharacterBody& own, const MotionSource& source) {
  const std::string& file = source.file;
  std::vector<std::string>& notes = opened.motions.back().notes;
  for (const std::string& note : source.notes) notes.push_back(file + ": " + note);
  const RiggedBody from = source.body();
  const RiggedBody to{&opened.character.skeleton, own.bones, own.reference, {0, 1, 0}, true};
  check_body(from, file);
  check_body(to, opened.character.file);
  const BodyPoser poser(*to.skeleton, to.bones, to.reference, driven_bones(from, to));
  for (const Clip& clip : source.clips) check_length(clip, poser.bones().size(), file);
  const AnatomicalFrames frames = anatomical_frames(to.bones, to.reference, to.up);
  for (std::string& note : notes_on_limbs(from, file, to, opened.character.file)) notes.push_back(std::move(note));
  if (foot_points(to, frames, to.bones.legs).empty())
    notes.push_back(opened.character.file + ": the character has no feet to hold.");
  const AnatomicalFrames frames_from = anatomical_frames(from.bones, from.reference, from.up);
  const std::vector<SkinPoint> own_skin = skin_points(opened.character, own.reference);
  const BodyShape shape_from(from, frames_from, source.skin), shape(to, frames, own_skin);
  bool first = true;
  for (const Clip& clip : source.clips) {
    TransferredMotion moved = transfer_motion(from, clip, to, poser);
    std::vector<FootContacts> contacts;
    for (const FootPath& foot : moved.feet)
      contacts.push_back(find_contacts(foot, moved.motion.times, frames.leg_length));
    MotionReport report = hold_feet(to, frames, poser, contacts, moved.motion);
    note_touches(lead_touching_hands({from, frames_from, shape_from}, clip, {to, frames, shape}, poser, moved),
                 clip.name, file, notes);
    report.source = file;
    report.dropped_first_frame = moved.dropped_first_frame;
    Clip carried = poser.clip(moved.motion, unused_clip_name(opened.character, clip.name));
    const ClipStanding standing = measure_clip(to, frames, contacts, carried, moved.motion.times);
    report.slide = standing.slide;
    note_standing(standing, carried.name, file, notes);
    if (jumps_at_first(report) && moved.motion.times.size() > 2)
      note_first_jump(carried, moved.motion.times, file, notes);
    if (first)
      notes.push_back(file + ": carried over by " + source.bones.found_by + " to bones found by " + own.bones.found_by +
                      "; " + moved.space.sentence + ".");
    first = false;
    opened.carried[static_cast<int>(opened.character.clips.size())] = report;
    append_clip(opened, std::move(carried));
  }
}

// Puts the bones that the user names in the place of those that were found.
void correct(const Skeleton& skeleton, const NamedBones& named, const MotionMap& map, const std::string& file,
             BodyBones& bones) {
  if (named.empty()) return;
  correct_bones(skeleton, joints_of(named, skeleton, map, file), bones);
  bones.found_by += " and the map";
}

constexpr std::string_view built_in_prefix = "test:";

// Appends a built-in motion; its feet are where inverse kinematics put them.
void add_built_in(OpenedCharacter& opened, const CharacterBody& own, const std::string& motion) {
  const Gesture& gesture = find_gesture(motion.substr(built_in_prefix.size()));
  const RiggedBody body{&opened.character.skeleton, own.bones, own.reference, {0, 1, 0}, true};
  check_body(body, opened.character.file);
  const AnatomicalFrames frames = anatomical_frames(body.bones, body.reference, body.up);
  const BodyPoser poser(*body.skeleton, body.bones, body.reference, gesture_bones(body.bones));
  const BoneMotion moved = built_in_motion(gesture, body, frames, poser, opened.character.metres_per_unit);
  MotionReport report = measure_feet(body, frames, poser, contacts_of(body, frames, poser, moved), moved);
  report.source = motion;
  opened.carried[static_cast<int>(opened.character.clips.size())] = report;
  append_clip(opened, poser.clip(moved, unused_clip_name(opened.character, std::string(gesture.name))));
}

bool has_clip(const Character& character, const std::string& clip) {
  return std::any_of(character.clips.begin(), character.clips.end(),
                     [&](const Clip& each) { return each.name == clip; });
}

bool has_motion_clip(const std::filesystem::path& file, const std::string& clip) try {
  choose_clip(motion_clips(file), file.string(), clip);
  return true;
} catch (const Error&) {
  return false;
}

bool is_same_skeleton(const JoinedMotion& joined, const OpenedCharacter& opened, const CharacterBody& own,
                      const GltfDocument& motion) {
  if (!is_alike(joined)) return false;
  if (!own.bones.complete()) return true;
  const Character other = character_from(motion);
  return has_same_axes(joined, {opened.character.skeleton, own},
                       {other.skeleton, character_body(other, read_humanoid(motion))});
}

// Copies the clips of a glTF file if they are of the character's own skeleton, or if one of the two has no body that
// motion could be carried between. Returns whether it did.
bool copy_clips(OpenedCharacter& opened, const CharacterBody& own, const MotionRequest& request, bool only_if_same) {
  std::optional<JoinedMotion> joined;
  try {
    const GltfDocument motion = read_gltf_document(request.file);
    joined = add_motion(*opened.document, motion, request.clip);
    if (only_if_same && !is_same_skeleton(*joined, opened, own, motion)) return false;
  } catch (const Error&) {
    if (!only_if_same) throw;
    return false;
  }
  const SizeRequest as_before{{}, opened.character.metres_per_unit};
  OpenedCharacter with_clips = open_document(std::move(joined->document), as_before);
  opened.document = std::move(with_clips.document);
  opened.character = std::move(with_clips.character);
  note_what_was_not_found(*joined, request.file.string(), opened.motions.back().notes);
  return true;
}

[[noreturn]] void refuse_without_body(const std::string& file, const std::string& motion) {
  throw input_error(file + ": its hips and two legs were not found, so " + motion +
                    " cannot be carried over; name the bones with --motion-map FILE.");
}

// Whether motion is read from glTF, so that clips of the same skeleton can be copied.
bool is_gltf_motion(const std::filesystem::path& file) {
  return names_gltf(file) || lower_case_ending(file) == ".vrma";
}

// The character's body and the bones that the user names.
struct MotionTarget {
  CharacterBody body;
  MotionMap map;
};

// Appends the clips of one motion.
void add_clips(OpenedCharacter& opened, const MotionTarget& target, const MotionRequest& request) {
  const CharacterBody& body = target.body;
  const std::string& character = opened.character.file;
  if (is_built_in(request)) {
    if (!body.bones.complete()) refuse_without_body(character, request.file.string());
    return add_built_in(opened, body, request.file.string());
  }
  if (is_gltf_motion(request.file) && copy_clips(opened, body, request, true)) return;
  MotionSource source = read_motion_source(request.file, request.clip);
  correct(source.skeleton, target.map.motion, target.map, source.file, source.bones);
  if (is_gltf_motion(request.file) && !(body.bones.complete() && source.bones.complete())) {
    copy_clips(opened, body, request, false);
    return;
  }
  if (!body.bones.complete()) refuse_without_body(character, source.file);
  if (!source.bones.complete()) refuse_without_body(source.file, "its motion");
  carry_over(opened, body, source);
}

}  // namespace

MotionRequest motion_request(const std::string& text) {
  std::error_code status;
  if (std::filesystem::exists(text, status)) return {text, ""};
  // File and folder names may have an @ too.
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at + 1)) {
    const std::filesystem::path file = text.substr(0, at);
    if (names_bvh(file) || is_gltf_motion(file) || std::filesystem::is_regular_file(file, status))
      return {file, checked_clip(text.substr(at + 1))};
  }
  return {text, ""};
}

std::vector<MotionRequest> motion_requests(std::span<const std::string> texts) {
  std::vector<MotionRequest> requests;
  for (const std::string& text : texts) requests.push_back(motion_request(text));
  return requests;
}

bool is_built_in(const MotionRequest& request) { return request.file.string().starts_with(built_in_prefix); }

std::string motion_text(const MotionRequest& request) {
  return request.file.string() + (request.clip.empty() ? "" : "@" + request.clip);
}

void check_motion_name(const MotionRequest& request) {
  const std::filesystem::path& file = request.file;
  if (is_built_in(request))
    find_gesture(file.string().substr(built_in_prefix.size()));
  else if (!names_bvh(file) && !is_gltf_motion(file))
    throw input_error(file.string() + ": is no motion; name a .bvh, .glb, .gltf, .vrm or .vrma file, or test:jump.");
}

void add_motions(std::span<const MotionRequest> motions, const std::filesystem::path& map_file,
                 OpenedCharacter& opened) {
  for (const MotionRequest& request : motions) check_motion_name(request);
  if (motions.empty()) return;
  MotionTarget target{character_body(opened.character, read_humanoid(*opened.document)), {}};
  if (!map_file.empty()) target.map = read_motion_map(map_file);
  correct(opened.character.skeleton, target.map.character, target.map, opened.character.file, target.body.bones);
  for (const MotionRequest& request : motions) {
    const auto first = static_cast<int>(opened.character.clips.size());
    opened.motions.push_back({motion_text(request), first, 0, {}});
    add_clips(opened, target, request);
    opened.motions.back().count = static_cast<int>(opened.character.clips.size()) - first;
  }
}

MotionChoice motion_choice(std::span<const std::string> motions, const std::string& clip, const Character& character) {
  MotionChoice choice{motion_requests(motions), clip};
  if (choice.motions.size() != 1 || clip.empty() || clip == "all") return choice;
  MotionRequest& only = choice.motions.front();
  if (!only.clip.empty() || is_built_in(only)) return choice;
  if (has_clip(character, clip) && !has_motion_clip(only.file, clip)) return choice;
  only.clip = std::exchange(choice.clip, "");
  return choice;
}

int choose_clip_with_motions(const OpenedCharacter& opened, const std::string& clip) {
  const std::size_t own = opened.own_clips();
  std::vector<std::string> names;
  for (const Clip& each : opened.character.clips) names.push_back(each.name);
  const std::span<const std::string> before = std::span(names).first(own), added = std::span(names).subspan(own);
  const auto has = [&](std::span<const std::string> list) {
    return std::find(list.begin(), list.end(), clip) != list.end();
  };
  if (!has(added) && has(before)) return choose_clip(before, opened.character.file, clip);
  return static_cast<int>(own) + choose_clip(added, "the motion", clip);
}

std::vector<std::string> notes_on_motions(const OpenedCharacter& opened) {
  std::vector<std::string> notes;
  for (const AddedMotion& motion : opened.motions) notes.insert(notes.end(), motion.notes.begin(), motion.notes.end());
  return notes;
}

std::string describe_motion(const MotionReport& report) {
  char stand[120] = "no foot is held", before[60] = "", steps[120];
  if (report.contacts > 0)
    std::snprintf(stand, sizeof(stand), "feet stand %d %s and slide by %.2f %% of the leg at most", report.contacts,
                  report.contacts == 1 ? "time" : "times", 100 * report.slide);
  if (report.contacts > 0 && std::abs(report.slide_before - report.slide) > 1e-4)
    std::snprintf(before, sizeof(before), " (%.2f %% before they were held)", 100 * report.slide_before);
  std::snprintf(steps, sizeof(steps), "; first step %.2f %% of the leg, usual %.2f %%%s", 100 * report.first_step,
                100 * report.usual_step, report.dropped_first_frame ? "; a rest pose before it was left out" : "");
  return std::string(stand) + before + steps;
}

}  // namespace sinew
