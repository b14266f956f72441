// What a user has decided about a character, as a value: settings, paint, pose, takes. Kept as a file beside the
// character.
#pragma once

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

// Copies share what is large.
struct Project {
  std::string method;                           // as on the command line
  std::map<std::string, std::string> settings;  // by method, as JSON; missing: the studio's defaults
  std::map<std::string, PaintLayer> paint;      // by channel
  HandPose pose;
  std::vector<std::shared_ptr<const NamedTake>> takes;
};

// The file of the model that the project's method moves by; empty: it needs none.
std::string model_in(const Project& project);

// The same project gives the same text, and the text the same project, to the bit. `character`: the file's name.
std::string project_json(const Project& project, const std::string& character);
// `file` is for messages. Throws input_error for what is no project of this version.
Project project_from_json(std::string_view text, const std::string& file);

}  // namespace sinew::studio
