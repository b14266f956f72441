// Parts of projects as JSON, which the project's file and that of its history have in common. For sources only.
#pragma once

#include <string>

#include "sinew/base/error.h"
#include "studio/server/project/project.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

// A file that is read, and what to do about it where it is damaged. All that read from it throw damaged().
struct StudioFile {
  std::string name, remedy;

  Error damaged(const std::string& what) const { return input_error(name + ": " + what + "; " + remedy + "."); }
};

double finite_number(const PageJson& value, const StudioFile& file);
std::string text_of(const PageJson& object, const char* key, const StudioFile& file);
// An empty one where there is none of this key.
const PageJson& object_of(const PageJson& object, const char* key, const StudioFile& file);
const PageJson& list_of(const PageJson& object, const char* key, const StudioFile& file);

PageJson pose_json(const HandPose& pose);
HandPose pose_from_json(const PageJson& json, const StudioFile& file);

PageJson take_part_json(const NamedTake& take);
NamedTake take_part_from_json(const PageJson& json, const StudioFile& file);

// Text that settings are kept as in memory.
std::string settings_from_json(const PageJson& json, const StudioFile& file);

// Files of earlier versions name the model of the method `surface` beside its settings, which have it now.
void adopt_old_model(const PageJson& json, Project& project, const StudioFile& file);

// Throws where nothing of this name is painted, or the numbers are none for paint.
void check_paint_channel(const std::string& channel, const StudioFile& file);
std::vector<float> paint_from_text(const std::string& text, const StudioFile& file);

}  // namespace sinew::studio
