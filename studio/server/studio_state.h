// The state of the studio as pages see it (docs/studio_protocol.md, State): what each key says.
#pragma once

#include <string>
#include <vector>

#include "sinew/jobs/check_file.h"
#include "studio/server/history.h"
#include "studio/server/page_json.h"
#include "studio/server/project.h"
#include "studio/server/stage.h"

namespace sinew {

// `project`: the name of its file.
PageJson character_state(const Cast& cast, const std::string& project, const std::vector<std::string>& notes);
PageJson play_state(const PlayState& play);
PageJson method_state(const Project& project, const DeformerTraits& traits);
PageJson pose_state(const HandPose& pose);
PageJson hands_state(const std::vector<Hand>& hands);
PageJson takes_state(const Project& project);
PageJson history_state(const History& history);
// What `check` answers: defects with the vertices of the surface that they are about.
PageJson check_state(const Cast& cast, const FileCheck& check);

}  // namespace sinew
