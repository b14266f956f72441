// The list of all methods. Program, studio, library, help and documentation are driven by it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/deform/method.h"

namespace sinew {

// One instance of each, with default settings. The first is the default method.
std::vector<std::unique_ptr<Method>> all_methods();

// The method of this name. Throws usage_error where there is none.
MethodChoice method_named(const std::string& name);

// The names as in "flesh, mixed and springs", for sentences.
std::string listed_methods(const std::vector<std::string>& names);

// Throws usage_error if `environment` contains what the method does not obey, naming the methods of the list that do,
// or the settings with which this one does. `all_with`: of DeformerTraits.
void check_capabilities(const std::string& method, const Capabilities& can, const Environment& environment,
                        const std::string& all_with = "");

// Appends a method to the list: for programs with methods of their own, and for tests. Call it before anything asks for
// the list.
void register_method(const Method& method);

}  // namespace sinew
