#include "sinew/cook/flesh/anatomy_overrides.h"

#include <algorithm>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/files/anatomy_json.h"

namespace sinew {

bool names_anatomy_file(const std::string& anatomy) {
  return anatomy != found_anatomy && anatomy != nameless_anatomy && anatomy != no_anatomy;
}

void adopt_anatomy(Character& character, const std::string& anatomy) {
  if (!names_anatomy_file(anatomy)) return;
  AnatomyOverrides overrides = read_anatomy(anatomy);
  const std::vector<Joint>& nodes = character.skeleton.joints;
  for (const auto& [node, follows] : overrides.accessories)
    if (std::none_of(nodes.begin(), nodes.end(), [&name = node](const Joint& joint) { return joint.name == name; }))
      throw input_error(anatomy + ": there is no node called '" + node + "' in " + character.file +
                        "; write the anatomy anew with `sinew anatomy`, or correct it there.");
  character.anatomy = std::move(overrides);
}

}  // namespace sinew
