// The state of the studio as pages see it: the value of each key (docs/studio_protocol.md, State).
#pragma once

#include <string>
#include <vector>

#include "sinew/jobs/check_file.h"
#include "studio/server/live/live_player.h"
#include "studio/server/project/history.h"
#include "studio/server/project/project.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

// `project` is the name of its file.
PageJson character_state(const LoadedCharacter& loaded, const std::string& project,
                         const std::vector<std::string>& notes);
PageJson play_state(const PlayState& play);
PageJson method_state(const Project& project, const DeformerTraits& traits);
// The table of loads, from which pages make tools.
PageJson loads_state(ActionKinds kinds = action_kinds());
PageJson pose_state(const HandPose& pose);
PageJson kept_poses_state(const Project& project);
PageJson acting_state(const Hands& hands);  // hands, gravity, tissue
// Force rigs and their controls. `held`: by users (Hands::shapes). Null without force rigs.
PageJson shapes_state(const Scene& scene, const std::vector<Action>& held);
// The presets of `add_shape`.
PageJson presets_state();
PageJson takes_state(const Project& project);
PageJson history_state(const History& history);
// Answer of the verb `check`: defects with their surface vertices.
PageJson check_state(const LoadedCharacter& loaded, const FileCheck& check);

}  // namespace sinew::studio
