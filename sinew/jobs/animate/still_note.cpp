#include "sinew/jobs/animate/still_note.h"

#include <algorithm>

#include "sinew/base/number_text.h"
#include "sinew/cook/flesh/motion_estimate.h"
#include "sinew/jobs/animate/report.h"

namespace sinew {
namespace {

constexpr double still_rig_share = 1e-3;  // of the size: if the rig moves nothing farther, the clip is a still pose
constexpr std::size_t most_names = 4;
// Mean share over a clip's frames above which the display is no longer what elasticity computed.
constexpr double much_bounded = 0.02, much_limited = 0.5;

std::string few_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most_names); ++k) text += (k ? ", " : "") + names[k];
  if (names.size() > most_names) text += " and " + std::to_string(names.size() - most_names) + " more";
  return text;
}

std::string name_of_clip(const Character& character, const PlayedClip& clip) {
  return "'" + character.clips[static_cast<std::size_t>(clip.clip)].name + "'";
}

// Names of other clips with visible motion; if that is unknown, of all others.
std::vector<std::string> others(const Character& character, std::span<const PlayedClip> played,
                                const MotionAdvice& advice) {
  std::vector<std::string> names;
  if (advice.visible_clips) {
    names = advice.visible_clips();
  } else {
    for (const Clip& clip : character.clips) names.push_back(clip.name);
  }
  std::erase_if(names, [&](const std::string& name) {
    return std::any_of(played.begin(), played.end(), [&](const PlayedClip& clip) {
      return character.clips[static_cast<std::size_t>(clip.clip)].name == name;
    });
  });
  return names;
}

std::string explain_little(const Character& character, const PlayedClip& clip, const MotionAdvice& advice,
                           const std::vector<std::string>& other_clips) {
  const double seen = clip.quality.seen;
  const std::string another = other_clips.empty() ? "" : " --clip can name another (" + few_of(other_clips) + ").";
  return "In clip " + name_of_clip(character, clip) + " the flesh moves by " + percent_text(seen) +
         " of the size, too little to be seen: " + why_still(character, clip, advice) + another;
}

bool is_pose(const PlayedClip& clip) { return clip.quality.rig < still_rig_share && clip.quality.seen < visible_share; }

}  // namespace

std::string why_still(const Character& character, const PlayedClip& clip, const MotionAdvice& advice) {
  const double seen = clip.quality.seen;
  if (is_pose(clip)) return "the character does not move.";
  return seen < visible_share && advice.why_little ? advice.why_little(character, clip.clip, clip.begin, clip.end, seen)
                                                   : "";
}

std::vector<std::string> explain_stillness(const Character& character, std::span<const PlayedClip> played,
                                           const MotionAdvice& advice) {
  std::vector<std::string> poses, notes;
  const PlayedClip* most = nullptr;  // among those that move
  for (const PlayedClip& clip : played) {
    if (is_pose(clip))
      poses.push_back(name_of_clip(character, clip));
    else if (!most || clip.quality.seen > most->quality.seen)
      most = &clip;
  }
  const std::vector<std::string> other_clips = others(character, played, advice);
  if (!poses.empty()) {
    const std::string which = poses.size() == 1 ? "clip " : "clips ";
    notes.push_back(
        "The character does not move in the played part of " + which + few_of(poses) +
        ", so its flesh does not move either" +
        (other_clips.empty() ? std::string(".") : "; choose another with --clip (" + few_of(other_clips) + ")."));
  }
  if (most && advice.why_little && most->quality.seen < visible_share)
    notes.push_back(explain_little(character, *most, advice, poses.empty() ? other_clips : std::vector<std::string>{}));
  return notes;
}

std::string safety_clamp_note(std::span<const ClipReport> clips) {
  struct Worst {
    const ClipReport* clip = nullptr;
    ClampCount count;
  };
  const auto worst_by = [&](double FrameReport::*share) {
    Worst worst;
    for (const ClipReport& clip : clips)
      if (const ClampCount count = count_clamp(clip, share); !worst.clip || count.mean > worst.count.mean)
        worst = {&clip, count};
    return worst;
  };
  const auto frames = [](const Worst& worst) {
    return std::to_string(worst.count.frames) + " of " + std::to_string(worst.clip->frames.size()) + " frames";
  };
  const Worst bound = worst_by(&FrameReport::strain_limit), limit = worst_by(&FrameReport::display_limit);
  std::string note;
  if (limit.count.mean >= much_limited)
    note = "In clip '" + limit.clip->name + "' " + percent_text(limit.count.mean) +
           " of the flesh is clamped to the limit of its displacement (" + frames(limit) + ")";
  if (bound.count.mean >= much_bounded)
    note += (note.empty() ? "In clip '" + bound.clip->name + "' " : std::string(", and ")) +
            percent_text(bound.count.mean) + " of the skin is corrected by the strain limit (" + frames(bound) + ")";
  return note.empty()
             ? note
             : note + ": the clip moves the flesh farther than its depth allows; --look subtle gives smaller motion.";
}

}  // namespace sinew
