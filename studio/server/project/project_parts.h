// JSON for parts of projects, shared by the project's file and the history's. To be included by sources only.
#pragma once

#include <string>

#include "sinew/base/error.h"
#include "studio/server/project/project.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

// A file that is being read, and the remedy if it is damaged. All readers below throw damaged().
struct StudioFile {
  std::string name, remedy;

  Error damaged(const std::string& what) const { return input_error(name + ": " + what + "; " + remedy + "."); }
};

double finite_number(const PageJson& value, const StudioFile& file);
std::string text_of(const PageJson& object, const char* key, const StudioFile& file);
// The members of this name; empty if there is none.
const PageJson& object_of(const PageJson& object, const char* key, const StudioFile& file);
const PageJson& list_of(const PageJson& object, const char* key, const StudioFile& file);

PageJson pose_json(const HandPose& pose);
HandPose pose_from_json(const PageJson& json, const StudioFile& file);

PageJson kept_poses_json(const KeptPoses& poses);
KeptPoses kept_poses_from_json(const PageJson& json, const StudioFile& file);

PageJson take_part_json(const NamedTake& take);
NamedTake take_part_from_json(const PageJson& json, const StudioFile& file);

// The members `motions` and `motion_map` of a project, or of a state of it in a history.
void put_motions(const Project& project, PageJson& json);
void take_motions(const PageJson& json, const StudioFile& file, Project& project);

// Settings in the text form that is kept in memory.
std::string settings_from_json(const PageJson& json, const StudioFile& file);

// Older files have the model of the method `surface` beside its settings instead of inside.
void adopt_old_model(const PageJson& json, Project& project, const StudioFile& file);

// Throws if there is no field of this name. paint_from_text() throws for numbers out of range.
void check_paint_channel(const std::string& channel, const StudioFile& file);
std::vector<float> paint_from_text(const std::string& text, const StudioFile& file);

}  // namespace sinew::studio
