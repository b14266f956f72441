#include "studio/server/motion/project_motions.h"

#include <algorithm>
#include <cstddef>
#include <system_error>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/jobs/motion/motion_source.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

// Sentences about a file beside the character begin with its name alone.
std::string without_folder(std::string sentence, const fs::path& file) {
  const std::string whole = file.string();
  if (!whole.empty() && file.has_parent_path() && sentence.starts_with(whole))
    sentence.replace(0, whole.size(), file.filename().string());
  return sentence;
}

std::string clip_name(const OpenedCharacter& opened, int clip) {
  return opened.character.clips[static_cast<std::size_t>(clip)].name;
}

// Whether these are the motions of the project.
bool are_of(const Project& project, const AskedMotions& asked, const fs::path& character) {
  const std::string map = asked.map.empty() ? "" : text_of_file(asked.map, character);
  return project.motion_map == map &&
         std::equal(project.motions.begin(), project.motions.end(), asked.motions.begin(), asked.motions.end(),
                    [&](const std::string& text, const MotionRequest& motion) {
                      return text == text_of_motion(motion, character);
                    });
}

}  // namespace

fs::path file_of_text(const std::string& text, const fs::path& character, const Folders& folders) {
  const fs::path file(text);
  std::error_code status;
  const fs::path beside = fs::absolute(character, status).parent_path() / file;
  return folders.inside(file.is_relative() && fs::exists(beside, status) ? beside.string() : text);
}

fs::path edits_folder(const fs::path& character) {
  std::error_code status;
  fs::path folder = fs::absolute(character, status);
  return folder.replace_extension(".edits");
}

std::string text_of_file(const fs::path& file, const fs::path& character) {
  std::error_code status;
  if (const fs::path folder = edits_folder(character); fs::equivalent(file.parent_path(), folder, status))
    return (folder.filename() / file.filename()).generic_string();
  const bool beside = fs::equivalent(file.parent_path(), fs::absolute(character).parent_path(), status);
  return beside ? file.filename().string() : file.string();
}

MotionRequest motion_of_text(const std::string& text, const fs::path& character, const Folders& folders) {
  MotionRequest motion = motion_request(text);
  check_motion_name(motion);
  if (!is_built_in(motion)) motion.file = file_of_text(motion.file.string(), character, folders);
  return motion;
}

fs::path map_of(const Project& project, const fs::path& character, const Folders& folders) {
  return project.motion_map.empty() ? fs::path() : file_of_text(project.motion_map, character, folders);
}

AskedMotions motions_of(const Project& project, const fs::path& character, const Folders& folders,
                        const AskedMotions& loaded) {
  if (are_of(project, loaded, character)) return loaded;
  AskedMotions asked;
  for (const std::string& text : project.motions) asked.motions.push_back(motion_of_text(text, character, folders));
  asked.map = map_of(project, character, folders);
  return asked;
}

LostMotions lost_motions(const Project& project, const fs::path& character, const Folders& folders,
                         const AskedMotions& loaded) {
  LostMotions lost;
  if (are_of(project, loaded, character)) return lost;
  for (const std::string& text : project.motions) try {
      motion_of_text(text, character, folders);
    } catch (const Error& error) {
      lost.texts.push_back(text);
      lost.notes.push_back(lost_motion_note(error.what(), text));
    }
  try {
    map_of(project, character, folders);
  } catch (const Error& error) {
    lost.texts.push_back(project.motion_map);
    lost.notes.push_back(lost_map_note(error.what()));
  }
  return lost;
}

std::string lost_motion_note(const std::string& why, const std::string& text) {
  return why + " The project's motion '" + text + "' is left out.";
}

std::string lost_map_note(const std::string& why) { return why + " Bones of motion are no longer named by hand."; }

std::string first_clip_of(const LoadedCharacter& loaded, const std::string& text, const fs::path& character) {
  const std::vector<AddedMotion>& motions = loaded.opened->motions;
  for (std::size_t k = 0; k < motions.size(); ++k)
    if (motions[k].count > 0 && text_of_motion(loaded.asked.motions.at(k), character) == text)
      return clip_name(*loaded.opened, motions[k].first);
  return "";
}

std::string text_of_motion(MotionRequest motion, const fs::path& character) {
  if (is_built_in(motion)) return motion_text(motion);
  if (motion.clip.empty()) motion.clip = names_bvh(motion.file) ? motion.file.stem().string() : "1";
  motion.file = text_of_file(motion.file, character);
  return motion_text(motion);
}

PageJson clips_state(const OpenedCharacter& opened, const fs::path& character) {
  PageJson clips = PageJson::array();
  for (const Clip& clip : opened.character.clips)
    clips.push_back({{"name", clip.name}, {"start", clip.start}, {"end", clip.end}, {"motion", PageJson()}});
  for (const AddedMotion& added : opened.motions)
    for (int k = added.first; k < added.first + added.count; ++k)
      clips[static_cast<std::size_t>(k)]["motion"] = text_of_motion(motion_request(added.motion), character);
  return clips;
}

PageJson motions_state(const OpenedCharacter& opened, const fs::path& character) {
  PageJson motions = PageJson::array();
  for (const AddedMotion& added : opened.motions) {
    const MotionRequest motion = motion_request(added.motion);
    PageJson names = PageJson::array(), lines = PageJson::array();
    for (int k = added.first; k < added.first + added.count; ++k) {
      names.push_back(clip_name(opened, k));
      if (const auto report = opened.carried.find(k); report != opened.carried.end())
        lines.push_back(clip_name(opened, k) + ": " + describe_motion(report->second) + ".");
    }
    for (const std::string& note : added.notes) lines.push_back(without_folder(note, motion.file));
    motions.push_back({{"motion", text_of_motion(motion, character)}, {"clips", names}, {"lines", lines}});
  }
  return motions;
}

}  // namespace sinew::studio
