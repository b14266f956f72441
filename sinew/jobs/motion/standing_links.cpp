#include "sinew/jobs/motion/standing_links.h"

#include <string>

#include "sinew/base/error.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/dynamics/gait.h"
#include "sinew/dynamics/reference_motion.h"
#include "sinew/gltf/read/read_humanoid.h"

namespace sinew {

StandingLinks standing_links(const OpenedCharacter& opened) {
  const Character& character = opened.character;
  StandingLinks standing{character_body(character, read_humanoid(*opened.document)), {}, {}, 0};
  standing.links = character_links(character, simulation_surface(character), standing.body.bones,
                                   sample(character.skeleton, nullptr, 0), flesh_density);
  const ReferenceMotion motion(character, Clip{"stand", {}, 0, 0, {}}, false, standing.links);
  ReferenceState state;
  motion.at(0, state);
  standing.pose = state.pose;
  standing.ground = motion.ground();
  if (const std::string why = why_it_cannot_walk(standing.links, standing.pose); !why.empty())
    throw usage_error(character.file + " " + why);
  return standing;
}

}  // namespace sinew
