// Values of glTF properties that a file leaves out, from the schemas of glTF 2.0 and its extensions: animations may
// move them as if they were there (glTF 2.0 Asset Object Model, section 2; KHR_animation_pointer).
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace sinew {

// The default of the property that `pointer` names, whose value is not in the file: its numbers. Empty: it has none, or
// the object that would hold it is not there. A material's pbrMetallicRoughness need not be there.
std::vector<double> default_of_property(const nlohmann::json& root, const std::string& pointer);

}  // namespace sinew
