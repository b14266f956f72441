// A method and its settings as the studio has them: as JSON by name, changed a key at a time, described for pages.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sinew/deform/method.h"
#include "studio/server/web/access.h"

namespace sinew::studio {

// Those that can be played live, of a character with skin weights or without.
std::vector<std::unique_ptr<Method>> live_methods(bool has_skin_weights);
// Throws usage_error where this one cannot be.
void require_live(const std::string& method, bool has_skin_weights);

// The method's choice with these settings in it (JSON; empty: the defaults). Files that they name must lie in the
// folders. Throws usage_error or input_error naming the key.
MethodChoice choice_from(const std::string& method, const std::string& settings, const Folders& folders);

// The settings with the value (JSON) at a path, "joints[0].stiffness" (empty: an object of several settings), or
// without it: the default, and of items of lists none. Throws usage_error for a path that leads nowhere.
std::string with_value(const std::string& method, const std::string& settings, const std::string& path,
                       const std::string& value);
std::string without_value(const std::string& method, const std::string& settings, const std::string& path);

// The file that the setting `model` names, of methods that need one; empty: none.
std::string model_of(const std::string& settings);
// The settings with the model, where the method has any.
std::string with_model(const std::string& method, const std::string& settings, const std::string& model);

// What pages draw controls from (docs/studio_protocol.md, State). `now`: by key, what null comes to.
nlohmann::ordered_json describe_settings(const MethodChoice& choice, const std::map<std::string, double>& now = {});

}  // namespace sinew::studio
