// The project: everything a user has decided about a character, as a value, saved as a file beside the character.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "studio/server/cook/paint_layer.h"
#include "studio/server/live/hand_pose.h"
#include "studio/server/live/live_player.h"

namespace sinew::studio {

struct NamedTake {
  std::string name;
  RecordedTake take;
};

inline constexpr std::size_t most_motions = 100;  // of a project

// Copies share large data.
struct Project {
  std::string method;                           // name on the command line
  std::map<std::string, std::string> settings;  // by method, as JSON; missing: the studio's defaults
  std::map<std::string, PaintLayer> paint;      // by field
  HandPose pose;
  KeptPoses kept_poses;
  std::vector<std::shared_ptr<const NamedTake>> takes;
  std::vector<std::string> motions{};  // motion/project_motions.h
  std::string motion_map{};            // file of bones named by hand for them; empty: none
};

// True if both are cooked to the same scene.
bool cook_alike(const Project& a, const Project& b);

// Takes motions, or the file of bones named by hand for them, out of the project.
void leave_out_motions(const std::vector<std::string>& texts, Project& project);

// File of the model of the project's method; empty if it needs none.
std::string model_in(const Project& project);

// Writes and reads a project without loss; equal projects give equal texts. `character` is the file's name.
std::string project_json(const Project& project, const std::string& character);
// `file` is used in messages. Throws input_error unless it is a project of this version.
Project project_from_json(std::string_view text, const std::string& file);

}  // namespace sinew::studio
