// Force rigs in the project: the setting `shapes` of the method flesh, and what pages know of it.
#pragma once

#include <string>

#include "sinew/shape/shape_rig.h"
#include "studio/server/application.h"

namespace sinew::studio {

// The rigs of a project; none yet where there are none. They may be in a file, which edits never change: those are kept
// in the project. Throws usage_error if the project's method is another one than flesh, and what reading the file
// throws. The application's mutex must be held.
ShapeFile rigs_in(const Application& app, const Project& project);
// The setting `shapes` of the project's flesh: a file's name, an object's text, or empty.
std::string shapes_setting(const Project& project);
Project with_rigs(Project project, const ShapeFile& rigs);

// The key `rigs` of the state: each rig as files have it, but without the forces of fields, in whose place samples have
// `of`, their index; and its `handle`, by which pages draw and move it: centre and axes at rest, 3 x 4 numbers by rows,
// metres; a joint; and the transform from rest space to the space of that joint. Empty for other methods, and where the
// file cannot be read.
PageJson rigs_state(const Application& app, const Project& project);
// A rig as a page sends it. `before`: the rig that it is made from, or null. Throws input_error.
ShapeRig rig_of_page(const std::string& json, const ShapeRig* before);

// The key `templates` of the state: each template and guide with its parameters.
PageJson templates_state();

}  // namespace sinew::studio
