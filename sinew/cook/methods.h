// The list of all methods. Program, studio, library, help and documentation ask it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/deform/method.h"

namespace sinew {

// One of each, with the default settings; the first is what is used where none is named.
std::vector<std::unique_ptr<Method>> all_methods();

// The method of this name. Throws usage_error where there is none.
MethodChoice method_named(const std::string& name);

// "flesh, mixed and springs": for sentences.
std::string listed_methods(const std::vector<std::string>& names);

// Puts one more at the end of the list: for programs with methods of their own, and tests. Call it before anything
// else asks for methods.
void register_method(const Method& method);

}  // namespace sinew
