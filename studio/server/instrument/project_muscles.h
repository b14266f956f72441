// Muscles in the project: the settings `muscles` and `activation` of the method flesh. Files that they name are never
// changed; edits are kept in the project.
#pragma once

#include <string>

#include "sinew/cook/muscles/muscle_file.h"
#include "studio/server/application.h"

namespace sinew::studio {

// All require the application's mutex, and throw Error with a sentence.

// The project with the muscles that skeleton and flesh suggest.
Project with_auto_muscles(const Application& app, Project project);
Project without_muscles(const Application& app, Project project);
Project without_muscle(const Application& app, Project project, const std::string& name);
// Fixes the activation of a muscle; empty: it follows the thing again that activates it.
Project with_activation(const Application& app, Project project, const std::string& name, std::optional<double> value);
// Moves an end of a muscle to a place at rest, metres, or to one near it inside of the skin.
Project with_end_at(const Application& app, Project project, const std::string& name, bool origin, const Vec3& place);

}  // namespace sinew::studio
