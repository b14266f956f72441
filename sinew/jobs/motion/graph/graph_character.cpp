#include "sinew/jobs/motion/graph/graph_character.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sinew/bake/clip_end.h"
#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/character/fingerprint.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/gltf/read/read_humanoid.h"
#include "sinew/kinematics/graph/travel_from_feet.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

bool has_skin(const Character& character) {
  return std::any_of(character.parts.begin(), character.parts.end(),
                     [](const Part& part) { return is_skinned_surface(part); });
}

// The direction in which the body looks at heading 0, along the ground: in the skeleton's default pose, which may be
// turned from the bind pose that its bones were found in.
Vec3 forward_of(const GraphCharacter& character) {
  if (!character.has_legs) return {0, 0, 1};
  const RiggedBody rigged = character.rigged();
  Vec3 forward = anatomical_frames(rigged.bones, rigged.reference, rigged.up).axes.column(2);
  forward.y = 0;
  if (!(norm(forward) > 0.5)) return {0, 0, 1};
  const int root = character.body.root;
  const Quat now = RootStanding(*rigged.skeleton, root).rotation(sample(*rigged.skeleton, nullptr, 0));
  const Quat bound = rigged.reference.rotation[index(root)];
  return turned(twist_angle(now * conjugate(bound), {0, 1, 0}), normalized(forward));
}

}  // namespace

GraphCharacter graph_character(const OpenedCharacter& opened) {
  const Character& character = opened.character;
  GraphCharacter result;
  result.bones = character_body(character, read_humanoid(*opened.document));
  std::vector<int> skin;
  std::optional<SimulationSurface> surface;
  if (has_skin(character)) surface = simulation_surface(character);
  if (surface)
    for (const Bone& bone : surface->bones) skin.push_back(bone.joint);
  result.body =
      graph_body(character.skeleton, character.clips, skin, result.bones.bones.root, character.metres_per_unit);
  if (result.body.tops.empty())
    throw input_error(character.file + ": no joint of it moves, so that it has no motion graph; give it clips.");
  result.has_legs = result.bones.bones.complete() && has_legs(result.rigged());
  result.body.forward = forward_of(result);
  if (surface && surface->weighted) {
    result.cloud = cloud_of_skin(*surface, character.metres_per_unit);
    result.soles = cloud_of_soles(*surface, character.metres_per_unit);
    result.height = standing_height(*surface);
    result.size = longest_side(*surface);
  }
  if (result.cloud.points.empty())
    result.cloud = cloud_of_joints(character.skeleton, result.body.tops, character.metres_per_unit);
  return result;
}

std::uint64_t skeleton_fingerprint(const Skeleton& skeleton) {
  Fingerprint fingerprint;
  for (const Joint& joint : skeleton.joints) {
    fingerprint.add(joint.name).add(std::array{joint.parent});
    if (joint.rest_matrix)
      fingerprint.add(std::span(joint.rest_matrix->linear.m)).add(std::array{joint.rest_matrix->translation});
    else
      fingerprint.add(std::array{joint.rest.translation, joint.rest.scale}).add(std::array{joint.rest.rotation});
  }
  return fingerprint.value();
}

std::uint64_t clip_fingerprint(const Clip& clip) { return Fingerprint().add_clip(&clip).value(); }

bool leads_to_its_beginning(const GraphCharacter& character, const Character& source, const Clip& clip) {
  const double seconds = clip.end - clip.start;
  if (!(seconds > 0)) return false;
  if (character.height > 0) return clip_end(source, simulation_surface(source), clip, true).ending == Ending::moving_on;
  const int samples = sample_count_of_clip(seconds);
  std::vector<std::vector<Vec3>> points;
  for (int k = 0; k < samples; ++k) {
    points.emplace_back(character.cloud.points.size());
    character.cloud.place(sample(source.skeleton, &clip, clip.start + seconds * k / (samples - 1)), points.back());
  }
  return clip_end(points, seconds, true).ending == Ending::moving_on;
}

const Clip& clip_at(const Character& source, const std::deque<Clip>& blends, int place) {
  const std::size_t own = source.clips.size(), at = index(place);
  return at < own ? source.clips[at] : blends[at - own];
}

std::vector<FramedClip> framed_clips(const GraphCharacter& character, const Character& source,
                                     const std::deque<Clip>& blends, const MotionGraph& graph,
                                     std::span<const int> places) {
  std::vector<FramedClip> clips;
  for (std::size_t c = 0; c < graph.clips.size(); ++c)
    clips.emplace_back(character.body, clip_at(source, blends, places[c]), graph.clips[c].loops,
                       graph.frames_per_second, graph.clips[c].travel);
  return clips;
}

}  // namespace sinew
