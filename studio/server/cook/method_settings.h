// A method and its settings as the studio has them: as JSON by name, changed a key at a time, described for pages.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sinew/jobs/method_choice.h"
#include "studio/server/web/access.h"

namespace sinew::studio {

struct MethodName {
  std::string name, what;  // as on the command line; half a sentence
};

// Those that can be played live.
std::vector<MethodName> live_methods(bool has_skin_weights);

// The table of the method's settings, bound to the choice; of `surface` there are none.
Settings table_of(MethodChoice& choice);
std::string settings_text(MethodChoice& choice);

// The method's choice with these settings in it (JSON; empty: the defaults). Files that they name must lie in the
// folders. Throws usage_error or input_error naming the key.
MethodChoice choice_from(const std::string& method, const std::string& model, const std::string& settings,
                         const Folders& folders);

// The settings with the value (JSON) at a path, "joints[0].stiffness" (empty: an object of several settings), or
// without it: the default, and of items of lists none. Throws usage_error for a path that leads nowhere.
std::string with_value(const std::string& method, const std::string& settings, const std::string& path,
                       const std::string& value);
std::string without_value(const std::string& method, const std::string& settings, const std::string& path);

// What pages draw controls from (docs/studio_protocol.md, State). `now`: by key, what null comes to.
nlohmann::ordered_json describe_settings(const MethodChoice& choice, const std::map<std::string, double>& now = {});

}  // namespace sinew::studio
