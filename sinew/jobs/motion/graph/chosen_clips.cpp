#include "sinew/jobs/motion/graph/chosen_clips.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "sinew/base/index.h"
#include "sinew/character/choose_clip.h"
#include "sinew/jobs/motion/standing_feet.h"
#include "sinew/kinematics/graph/travel_from_feet.h"
#include "sinew/kinematics/graph/walk_clip.h"

namespace sinew {

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k) text += (k ? ", " : "") + names[k];
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

std::vector<int> chosen_clips(const Character& character, const std::vector<std::string>& names,
                              std::vector<std::string>& notes) {
  std::vector<int> chosen;
  for (const std::string& name : names) {
    const int found = choose_clip(character, checked_clip(name));
    if (std::find(chosen.begin(), chosen.end(), found) == chosen.end()) chosen.push_back(found);
  }
  if (names.empty())
    for (std::size_t c = 0; c < character.clips.size(); ++c) chosen.push_back(static_cast<int>(c));
  std::set<std::string> seen;
  std::erase_if(chosen, [&](int c) {
    const std::string& name = character.clips[index(c)].name;
    if (seen.insert(name).second) return false;
    notes.push_back("several clips are called '" + name + "'; the first of them is used.");
    return true;
  });
  return chosen;
}

FramedClip framed_clip(const GraphCharacter& character, const Character& source, const Clip& clip,
                       double frames_per_second, bool travel_from_feet) {
  const bool loops = leads_to_its_beginning(character, source, clip);
  Vec3 travel;
  if (loops && travel_from_feet)
    travel = sinew::travel_from_feet(source.skeleton, character.soles, character.height, clip);
  return {character.body, clip, loops, frames_per_second, travel};
}

std::string clip_with_speed(const FramedClip& clip) {
  char speed[48];
  std::snprintf(speed, sizeof(speed), " %.2f m/s", norm(clip.travel()));
  return clip.clip().name + speed;
}

std::optional<double> slide_on_its_way(const GraphCharacter& character, const FramedClip& clip) {
  if (!character.has_legs) return {};
  Walk walk;
  for (int f = 0; f <= 2 * clip.frames(); ++f) {
    WalkFrame frame;
    frame.ground = clip.offset(f);
    frame.ground.place += f * clip.travel_step();
    frame.frame = f % clip.frames();
    walk.frames.push_back(frame);
  }
  const Clip going = walk_clip(character.body, std::span(&clip, 1), walk, clip.frames_per_second(), "");
  return foot_slide_of(character.rigged(), clip.frames_per_second(), going);
}

}  // namespace sinew
