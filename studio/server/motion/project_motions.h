// Motions of a project: values of --motion, of which one beside the character is named without its folder, so that both
// can be moved together ("walk.bvh@walk", "test:jump").
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/jobs/motion/add_motions.h"
#include "studio/server/live/loaded_character.h"
#include "studio/server/project/project.h"
#include "studio/server/web/access.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

// The motion that a text of a project or a page names; `character` is the path of the character's file. Throws
// input_error for a file that is gone, outside of the folders, or no motion, and usage_error for an unknown built-in
// one.
MotionRequest motion_of_text(const std::string& text, const std::filesystem::path& character, const Folders& folders);
// The file of bones named by hand; empty: none. Throws input_error.
std::filesystem::path map_of(const Project& project, const std::filesystem::path& character, const Folders& folders);
// The motions of a project, and their map. If `loaded` has the same, they are returned without looking for their files,
// which may be gone since: what plays needs them no more.
AskedMotions motions_of(const Project& project, const std::filesystem::path& character, const Folders& folders,
                        const AskedMotions& loaded = {});

// The motions that motions_of() cannot find: texts of motions or of the map, and sentences for the user.
struct LostMotions {
  std::vector<std::string> texts, notes;
};
LostMotions lost_motions(const Project& project, const std::filesystem::path& character, const Folders& folders,
                         const AskedMotions& loaded);
// The sentences: `why` is the one of the error.
std::string lost_motion_note(const std::string& why, const std::string& text);
std::string lost_map_note(const std::string& why);

// The first clip of the motion that a text names; empty: the character does not have this motion, or it has no clip.
std::string first_clip_of(const LoadedCharacter& loaded, const std::string& text,
                          const std::filesystem::path& character);

// The path of a file that a text names, beside the character or in another folder. Throws input_error.
std::filesystem::path file_of_text(const std::string& text, const std::filesystem::path& character,
                                   const Folders& folders);
// The folder beside the character in which edits of its clips are kept.
std::filesystem::path edits_folder(const std::filesystem::path& character);
// The text of a file: its name if it lies beside the character, with the folder's if it is an edit.
std::string text_of_file(const std::filesystem::path& file, const std::filesystem::path& character);

// The text of a motion. One that leaves its clip open is asked for the first.
std::string text_of_motion(MotionRequest motion, const std::filesystem::path& character);

// Keys of the state: clips, each with the motion that it came from; and motions with their clips and what was found.
PageJson clips_state(const OpenedCharacter& opened, const std::filesystem::path& character);
PageJson motions_state(const OpenedCharacter& opened, const std::filesystem::path& character);

}  // namespace sinew::studio
