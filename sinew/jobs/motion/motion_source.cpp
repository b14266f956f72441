#include "sinew/jobs/motion/motion_source.h"

#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/choose_clip.h"
#include "sinew/files/bvh.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/gltf/read/read_humanoid.h"
#include "sinew/jobs/motion/character_body.h"
#include "sinew/kinematics/find_body_bones.h"

namespace sinew {
namespace {

MotionSource bvh_source(const std::filesystem::path& file) {
  BvhMotion bvh = read_bvh(file);
  MotionSource source;
  source.file = file.string();
  source.skeleton = std::move(bvh.skeleton);
  source.notes = std::move(bvh.notes);
  source.clips.push_back(std::move(bvh.clip));
  source.grounded = false;
  source.reference = reference_pose(sample(source.skeleton, nullptr, 0).world);
  // The usual up axes; the bones tell which of them it is.
  source.bones = find_body_bones(source.skeleton, source.reference.position, {0, 1, 0});
  if (!source.bones.complete()) source.bones = find_body_bones(source.skeleton, source.reference.position, {0, 0, 1});
  if (source.bones.complete()) source.up = up_axis(source.bones, source.reference.position);
  return source;
}

Character character_with_clips(const GltfDocument& document) {
  Character character = character_from(document);
  if (character.clips.empty())
    throw input_error(document.path.string() + ": has no animation to take over; name a file with clips.");
  return character;
}

std::vector<std::string> names_of(const std::vector<Clip>& clips) {
  std::vector<std::string> names;
  for (const Clip& clip : clips) names.push_back(clip.name);
  return names;
}

MotionSource gltf_source(const std::filesystem::path& file) {
  const GltfDocument document = read_gltf_document(file);
  Character character = character_with_clips(document);
  MotionSource source;
  source.file = file.string();
  CharacterBody body = character_body(character, read_humanoid(document));
  source.bones = std::move(body.bones);
  source.reference = std::move(body.reference);
  if (source.bones.complete()) source.skin = skin_points(character, source.reference);
  source.skeleton = std::move(character.skeleton);
  source.clips = std::move(character.clips);
  return source;
}

}  // namespace

bool names_bvh(const std::filesystem::path& file) { return lower_case_ending(file) == ".bvh"; }

std::vector<std::string> motion_clips(const std::filesystem::path& file) {
  return names_of(names_bvh(file) ? bvh_source(file).clips : character_with_clips(read_gltf_document(file)).clips);
}

MotionSource read_motion_source(const std::filesystem::path& file, const std::string& clip) {
  MotionSource source = names_bvh(file) ? bvh_source(file) : gltf_source(file);
  if (clip.empty()) return source;
  const int chosen = choose_clip(names_of(source.clips), source.file, clip);
  source.clips = {source.clips[static_cast<std::size_t>(chosen)]};
  return source;
}

}  // namespace sinew
