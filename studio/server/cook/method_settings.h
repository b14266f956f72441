// A method's settings in the studio: JSON by method name, changed key by key, described for pages.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sinew/deform/method.h"
#include "studio/server/web/access.h"

namespace sinew::studio {

// Methods that can be played live for a character with or without skin weights.
std::vector<std::unique_ptr<Method>> live_methods(bool has_skin_weights);
// Throws usage_error if the method is not among them.
void require_live(const std::string& method, bool has_skin_weights);

// The method with these settings (JSON; empty: defaults). Files that they name must lie in `folders`. Throws
// usage_error or input_error that names the key.
MethodChoice choice_from(const std::string& method, const std::string& settings, const Folders& folders);

// Sets the JSON value at a path such as "joints[0].stiffness" (empty path: an object of several settings), or removes
// it, which restores the default or deletes a list item. Throws usage_error for an invalid path.
std::string with_value(const std::string& method, const std::string& settings, const std::string& path,
                       const std::string& value);
std::string without_value(const std::string& method, const std::string& settings, const std::string& path);

// The settings with default values in place of those left out.
nlohmann::ordered_json whole_settings(const std::string& method, const std::string& settings);

// The file in the setting `model`, for methods that need one; otherwise empty.
std::string model_of(const std::string& settings);
// Sets the model, if the method has one.
std::string with_model(const std::string& method, const std::string& settings, const std::string& model);

// Description from which pages draw controls (docs/studio_protocol.md, State). `now` gives, by key, the values that
// null stands for.
nlohmann::ordered_json describe_settings(const MethodChoice& choice, const std::map<std::string, double>& now = {});
// Description of one row; `values` and `defaults` by key, those that exist.
nlohmann::ordered_json describe_setting(const Setting& setting, const nlohmann::ordered_json& values,
                                        const nlohmann::ordered_json& defaults);

}  // namespace sinew::studio
