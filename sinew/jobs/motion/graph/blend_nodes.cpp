#include "sinew/jobs/motion/graph/blend_nodes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/character/fingerprint.h"
#include "sinew/kinematics/graph/travel_from_feet.h"
#include "sinew/kinematics/stride_beats.h"

namespace sinew {
namespace {

constexpr int steps_per_pair = 4;  // of the parameter, between clips next to each other

std::vector<double> beats_of(const GraphCharacter& character, const Character& source, const Clip& clip) {
  if (!character.bones.bones.complete()) return {};
  const AnatomicalFrames frames = anatomical_frames(character.bones.bones, character.bones.reference, {0, 1, 0});
  return stride_beats(source.skeleton, character.bones.bones, frames, clip);
}

Vec3 travel_of(const GraphCharacter& character, const Clip& clip, bool from_feet) {
  if (!from_feet) return {};
  return travel_from_feet(*character.body.skeleton, character.soles, character.height, clip);
}

int clip_place(const Character& source, const std::string& name) {
  for (std::size_t c = 0; c < source.clips.size(); ++c)
    if (source.clips[c].name == name) return static_cast<int>(c);
  throw input_error(source.file + ": has no clip '" + name +
                    "', which a blend of the graph is made of; make the graph anew with `sinew motion graph`.");
}

std::string names_of(const Character& source, std::span<const int> members) {
  std::string names;
  for (const int place : members) names += (names.empty() ? "" : " + ") + source.clips[index(place)].name;
  return names;
}

// Whether blends of two clips go the faster the more there is of the second.
bool blend_well(const GraphCharacter& character, const Character& source, int first, int second, bool from_feet) {
  constexpr double frames_per_second = 30;
  try {
    return !blend_space_of(character, source, std::array{first, second}, frames_per_second, from_feet).by_turn();
  } catch (const Error&) {
    return false;
  }
}

// Chooses, of clips from the slowest to the fastest, the slowest and the fastest that blends with it; else none. A clip
// between them may be a jump, which steps alike too.
std::vector<int> alike_of(const GraphCharacter& character, const Character& source, const std::vector<int>& row,
                          bool from_feet) {
  for (std::size_t last = row.size(); last-- > 1;)
    if (blend_well(character, source, row.front(), row[last], from_feet)) return {row.front(), row[last]};
  return {};
}

}  // namespace

std::vector<int> clips_of_one_gait(const GraphCharacter& character, const Character& source,
                                   std::span<const int> chosen, bool travel_from_feet) {
  struct Gait {
    int place = 0;
    double speed = 0;
    std::size_t steps = 0;
  };
  constexpr double travelling = 0.1, turning = 0.2;  // heights per second, radians per second
  std::vector<Gait> gaits;
  for (const int place : chosen) {
    const Clip& clip = source.clips[index(place)];
    const std::size_t steps = beats_of(character, source, clip).size();
    if (steps == 0 || !leads_to_its_beginning(character, source, clip)) continue;
    const Vec3 travel = travel_of(character, clip, travel_from_feet);
    const BlendSample sample = measure_cycle(character.body, clip, travel);
    constexpr double measured_at = 30, forward = 0.9;  // frames per second; share of the speed, else it goes aside
    const double speed = FramedClip(character.body, clip, true, measured_at, travel).speed();
    if (sample.speed > std::max(forward * speed, travelling * character.height) && std::abs(sample.turn) < turning)
      gaits.push_back({place, sample.speed, steps});
  }
  std::stable_sort(gaits.begin(), gaits.end(), [](const Gait& a, const Gait& b) { return a.speed < b.speed; });
  // The largest group of equally many steps.
  std::vector<int> best;
  for (const Gait& first : gaits) {
    constexpr double apart = 1.2;
    std::vector<int> row;
    double speed = 0;
    for (const Gait& each : gaits)
      if (each.steps == first.steps && each.speed > apart * speed) row.push_back(each.place), speed = each.speed;
    const std::vector<int> alike = alike_of(character, source, row, travel_from_feet);
    if (alike.size() > best.size()) best = alike;
  }
  return best;
}

BlendSpace blend_space_of(const GraphCharacter& character, const Character& source, std::span<const int> members,
                          double frames_per_second, bool travel_from_feet) {
  const std::string who = source.file + ": '" + names_of(source, members) + "' cannot be blended: ";
  std::vector<ClipToBlend> clips;
  std::vector<Vec3> travel;
  for (const int place : members) {
    const Clip& clip = source.clips[index(place)];
    travel.push_back(travel_of(character, clip, travel_from_feet));
    if (!leads_to_its_beginning(character, source, clip))
      throw input_error(who + "'" + clip.name + "' does not repeat.");
    clips.push_back({&clip, true, beats_of(character, source, clip)});
    if (clips.back().beats.empty()) throw input_error(who + "no steps are found in '" + clip.name + "'.");
    if (clips.back().beats.size() != clips.front().beats.size())
      throw input_error(who + "'" + clip.name + "' has " + std::to_string(clips.back().beats.size()) + " steps, and '" +
                        clips.front().clip->name + "' " + std::to_string(clips.front().beats.size()) + ".");
  }
  try {
    return BlendSpace(character.body, std::move(clips), frames_per_second, std::move(travel));
  } catch (const Error& error) {
    throw input_error(who + error.what() + ".");
  }
}

GraphNode add_blends(const BlendSpace& space, const Character& source, std::span<const int> members,
                     std::deque<Clip>& blends, std::vector<GraphClip>& clips) {
  GraphNode node;
  for (const int place : members) node.clips.push_back(source.clips[index(place)].name);
  node.by_turn = space.by_turn();
  node.table.assign(space.table().begin(), space.table().end());
  const int steps = steps_per_pair * static_cast<int>(members.size() - 1);
  for (int k = 1; k < steps; ++k) {
    const double parameter = std::lerp(space.least(), space.most(), static_cast<double>(k) / steps);
    // The weight is rounded as a file has it.
    const double weight = std::round(1e6 * space.weight_at(parameter)) / 1e6;
    constexpr double the_clip_itself = 0.08;
    if (std::abs(weight - std::round(weight)) < the_clip_itself) continue;
    char text[32];
    std::snprintf(text, sizeof(text), node.by_turn ? " at %.3g rad/s" : " at %.3g m/s", parameter);
    GraphClip clip;
    clip.name = names_of(source, members) + text;
    clip.loops = true;
    clip.blend = node.clips;
    clip.weight = weight;
    blends.push_back(space.clip(weight, clip.name));
    clip.travel = space.travel(weight);
    clips.push_back(clip);
  }
  return node;
}

Clip blend_of(const GraphCharacter& character, const Character& source, const GraphClip& clip,
              double frames_per_second) {
  // The two between which it is.
  const int last = static_cast<int>(clip.blend.size()) - 2, first = std::clamp(static_cast<int>(clip.weight), 0, last);
  std::array<ClipToBlend, 2> pair;
  for (const int k : {0, 1}) {
    const Clip& member = source.clips[index(clip_place(source, clip.blend[index(first + k)]))];
    pair[index(k)] = {&member, true, beats_of(character, source, member)};
  }
  return blend_cycle(character.body, pair, std::clamp(clip.weight - first, 0.0, 1.0), frames_per_second, clip.name);
}

std::uint64_t blend_fingerprint(const Character& source, const GraphClip& clip) {
  Fingerprint fingerprint;
  for (const std::string& name : clip.blend) fingerprint.add_clip(&source.clips[index(clip_place(source, name))]);
  return fingerprint.add(std::array{clip.weight}).value();
}

}  // namespace sinew
