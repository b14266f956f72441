// Motion as a user names it: a BVH file, the clips of another character or of a VRMA file, or a built-in one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/kinematics/body_shape.h"

namespace sinew {

// A skeleton with its bones and the clips to carry over.
struct MotionSource {
  std::string file;  // for messages
  Skeleton skeleton;
  BodyBones bones;
  ReferencePose reference;  // of the skeleton
  Vec3 up{0, 1, 0};
  bool grounded = true;  // see RiggedBody
  std::vector<Clip> clips;
  std::vector<SkinPoint> skin;  // in the reference pose; empty: the motion has no skin
  std::vector<std::string> notes;

  // Refers to this source, which must outlive it.
  RiggedBody body() const { return {&skeleton, bones, reference, up, grounded}; }
};

bool names_bvh(const std::filesystem::path& file);

// Names of the clips in a file of motion. Throws input_error if it cannot be read or has none.
std::vector<std::string> motion_clips(const std::filesystem::path& file);

// `clip`: name or number; empty: all. Bones are those of the file's humanoid map if it has one, otherwise found by name
// or structure; they may be incomplete. Throws input_error if the file cannot be read or has no clip, usage_error if it
// has no such clip.
MotionSource read_motion_source(const std::filesystem::path& file, const std::string& clip);

}  // namespace sinew
