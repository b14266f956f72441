// Edits recorded takes.
#pragma once

#include <string>

#include "studio/server/command.h"
#include "studio/server/project/project.h"

namespace sinew::studio {

// An unused name, such as "take 3".
std::string free_take_name(const Project& project);
bool is_take_named(const Project& project, const std::string& name);
// Throw usage_error if there is no take of this name, or if there is one.
const NamedTake& take_named(const Project& project, const std::string& name);
void refuse_take_named(const Project& project, const std::string& name);

// The project with a take renamed, trimmed or deleted. Throws usage_error for invalid edits.
Project with_edited_take(Project project, const command::EditTake& edit);

}  // namespace sinew::studio
