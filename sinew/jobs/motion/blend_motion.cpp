#include "sinew/jobs/motion/blend_motion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/bake/clip_end.h"
#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/number_text.h"
#include "sinew/base/output_place.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/gltf/read/read_humanoid.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/jobs/motion/append_clip.h"
#include "sinew/jobs/motion/character_body.h"
#include "sinew/jobs/motion/standing_feet.h"
#include "sinew/kinematics/stride_beats.h"

namespace sinew {
namespace {

constexpr double longest = 3600;  // seconds
constexpr double most_keys = 1e6;

void check_keys(const std::vector<WeightKey>& keys) {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (!(keys[k].time >= 0 && keys[k].time <= longest))
      throw usage_error("--weight: times are seconds of the new clip, 0 to 3600.");
    if (!(keys[k].weight >= 0 && keys[k].weight <= 1))
      throw usage_error("--weight: a weight is from 0, all of the first clip, to 1, all of the second.");
    if (k > 0 && !(keys[k].time > keys[k - 1].time)) throw usage_error("--weight: times must ascend, as in 0:0,2:1.");
  }
}

// Per joint, 1 for the joints of these names and all below them.
std::vector<double> mask_of(const Character& character, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  const std::vector<Joint>& joints = character.skeleton.joints;
  std::vector<double> mask(joints.size());
  for (const std::string& name : names) {
    const auto named =
        std::find_if(joints.begin(), joints.end(), [&](const Joint& joint) { return joint.name == name; });
    if (named == joints.end())
      throw usage_error("--mask: " + character.file + " has no joint '" + name + "'; `sinew info` names them.");
    mask[static_cast<std::size_t>(named - joints.begin())] = 1;
  }
  for (const int j : character.skeleton.parents_first)
    if (const int parent = joints[index(j)].parent; parent >= 0 && mask[index(parent)] > 0) mask[index(j)] = 1;
  return mask;
}

double length_of(const Clip& clip) { return clip.end - clip.start; }

bool repeats(const Character& character, const Clip& clip) {
  return length_of(clip) > 0 &&
         clip_end(character, simulation_surface(character), clip, true).ending == Ending::moving_on;
}

// Beats of both clips, where both take steps.
void find_beats(const OpenedCharacter& opened, const CharacterBody& body, std::array<ClipToBlend, 2>& clips) {
  if (!body.bones.complete()) return;
  const AnatomicalFrames frames = anatomical_frames(body.bones, body.reference, {0, 1, 0});
  for (ClipToBlend& each : clips) each.beats = stride_beats(opened.character.skeleton, body.bones, frames, *each.clip);
  if (clips[0].beats.empty() || clips[1].beats.empty()) clips[0].beats = clips[1].beats = {};
}

// The slide of feet in the clips themselves, which are the animator's.
double usual_slide(const RiggedBody& body, const std::array<ClipToBlend, 2>& clips, double frames_per_second) {
  constexpr double unnoticed = 0.005;
  double most = 0;
  for (const ClipToBlend& each : clips)
    most = std::max(most, foot_slide_of(body, frames_per_second, *each.clip).value_or(0));
  return most + unnoticed;
}

double seconds_of(const BlendMotionJob& job, const std::array<ClipToBlend, 2>& clips, const ClipBlend& blend) {
  if (job.seconds > 0) return job.seconds;
  if (blend.weight.back().time > 0) return blend.weight.back().time;
  if (blend.additive) return length_of(*clips[0].clip);
  if (!clips[0].beats.empty()) return blended_cycle(clips, blend.weight.back().weight);
  return std::max(length_of(*clips[0].clip), length_of(*clips[1].clip));
}

}  // namespace

BlendMotionReport blend_motion(const BlendMotionJob& job) {
  check_outputs_apart(std::array{job.output}, std::array{job.input});
  if (job.clips.size() != 2) throw usage_error("--clips: name two clips, as in Walk,Run.");
  check_keys(job.weight);
  OpenedCharacter opened = open_rigged_character(job.input, job.size);
  check_gltf_output(*opened.document, job.output);
  const Character& character = opened.character;
  std::array<ClipToBlend, 2> clips;
  for (std::size_t k = 0; k < clips.size(); ++k) {
    const int found = choose_clip(character, checked_clip(job.clips[k]));
    clips[k].clip = &character.clips[index(found)];
    clips[k].loops = repeats(character, *clips[k].clip);
  }
  const CharacterBody body = character_body(character, read_humanoid(*opened.document));
  BlendMotionReport report;
  const bool loop = clips[0].loops && clips[1].loops;
  if (loop && !job.additive) find_beats(opened, body, clips);
  report.in_step = !clips[0].beats.empty();
  for (const ClipToBlend& each : clips)
    if (!each.loops) report.notes.push_back("'" + each.clip->name + "' does not repeat and stays at its end.");
  if (loop && !report.in_step && !job.additive)
    report.notes.push_back("no steps were found that both clips take, so that each runs at its own pace.");

  ClipBlend blend{job.weight.empty() ? std::vector{WeightKey{0, 0.5}} : job.weight, 0, job.frames_per_second,
                  mask_of(character, job.mask), job.additive};
  blend.seconds = seconds_of(job, clips, blend);
  if (!(blend.seconds * blend.frames_per_second <= most_keys))
    throw usage_error("--fps: " + plain(blend.seconds) + " s at " + plain(blend.frames_per_second) +
                      " keys per second are more than a million; ask for fewer, or for a shorter clip with --seconds.");
  const std::string name = job.name.empty() ? clips[0].clip->name + " + " + clips[1].clip->name : job.name;
  Clip clip = blend_clips(character.skeleton, body.bones.root, clips, blend, unused_clip_name(character, name));
  const RiggedBody rigged{&character.skeleton, body.bones, body.reference, {0, 1, 0}, true};
  // From one stance to another feet have to slide; in a walk they have not.
  const double most_slide = report.in_step ? usual_slide(rigged, clips, job.frames_per_second) : HUGE_VAL;
  report.feet = hold_feet_of(rigged, job.frames_per_second, most_slide, clip);
  report.clip = clip.name;
  report.seconds = blend.seconds;
  write_with_clip(opened, std::move(clip), job.output);
  return report;
}

}  // namespace sinew
