#include "studies/rig_space/open_case.h"

#include "sinew/character/choose_clip.h"
#include "sinew/cook/rig_space/open_rig_space.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

RigSpaceCase open_rig_space_case(const std::string& name, const std::filesystem::path& file, const std::string& clip,
                                 const RigSpaceSettings& settings, const Progress& progress) {
  const OpenedCharacter opened = open_rigged_character(file);
  const Character& character = opened.character;
  const auto chosen = static_cast<std::size_t>(choose_clip(character, clip));
  const OpenRigSpace open = open_rig_space(settings, character, part_of(progress, 0, 0.2));
  use_skinning(find_skinning(open, character, settings, part_of(progress, 0.2, 1)), *open.cooked);
  correct_interior(*open.cooked, settings);
  decide_rig_space_material(*open.cooked, settings);

  RigSpaceCase result;
  result.name = name;
  result.scene = open.cooked;
  result.settings = settings;
  result.animation = open.animations[chosen];
  result.begin = character.clips[chosen].start;
  result.length = character.clips[chosen].end - character.clips[chosen].start;
  result.loops = ends_where_it_begins(*open.cooked, *result.animation, result.begin, result.length);
  result.clips = open.animations;
  for (std::size_t k = 0; k < character.clips.size(); ++k)
    result.examples.push_back({open.animations[k].get(), character.clips[k].start, character.clips[k].end});
  return result;
}

}  // namespace sinew
