// What is done to takes that were recorded.
#pragma once

#include <string>

#include "studio/server/command.h"
#include "studio/server/project/project.h"

namespace sinew::studio {

// "take 3": a name that no take has.
std::string free_take_name(const Project& project);
// Throws usage_error where there is none of this name, or there is one.
const NamedTake& take_named(const Project& project, const std::string& name);
void refuse_take_named(const Project& project, const std::string& name);

// The project with a take renamed, trimmed or deleted. Throws usage_error for what cannot be done.
Project with_edited_take(Project project, const command::EditTake& edit);

}  // namespace sinew::studio
