// Changes the project: passes differences on to the player and the cook worker, saves it, and reports it to pages.
#pragma once

#include <string>

#include "studio/server/application.h"

namespace sinew::studio {

// The application's mutex must be held. The client is answered when the change is visible.

// Makes `next` the project, as one act of the history. `what` and `kind` as for History::act(); `stroke` is the page's
// number. Throws Error for invalid settings.
void commit_project(Application& app, Project next, const std::string& what, const std::string& kind,
                    const Client& client, int stroke = 0);
// Undoes or redoes one act. Throws Error if there is none, or if the state that it leads to has impossible settings,
// such as a file that is gone.
void undo_act(Application& app, const Client& client);
void redo_act(Application& app, const Client& client);

}  // namespace sinew::studio
