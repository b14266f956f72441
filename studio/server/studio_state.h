// The state of the studio as pages see it (docs/studio_protocol.md, State): what each key says.
#pragma once

#include <string>
#include <vector>

#include "sinew/jobs/check_file.h"
#include "studio/server/live/live_player.h"
#include "studio/server/project/history.h"
#include "studio/server/project/project.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

// `project`: the name of its file.
PageJson character_state(const LoadedCharacter& loaded, const std::string& project,
                         const std::vector<std::string>& notes);
PageJson play_state(const PlayState& play);
PageJson method_state(const Project& project, const DeformerTraits& traits);
PageJson pose_state(const HandPose& pose);
PageJson hands_state(const std::vector<Hand>& hands);
PageJson takes_state(const Project& project);
PageJson history_state(const History& history);
// What `check` answers: defects with the vertices of the surface that they are about.
PageJson check_state(const LoadedCharacter& loaded, const FileCheck& check);

}  // namespace sinew::studio
