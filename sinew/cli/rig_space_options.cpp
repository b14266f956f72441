#include "sinew/cli/rig_space_options.h"

#include <sstream>

#include "sinew/cli/options.h"
#include "sinew/files/flesh_settings_json.h"
#include "sinew/files/rig_space_settings_json.h"

namespace sinew::cli {

struct RigSpaceOptions::Values {
  std::string free, rig, inside;
  bool adaptive = false, whole_clip = false;
  std::optional<double> key_error;
};

namespace {

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> result;
  std::istringstream stream(list);
  for (std::string item; std::getline(stream, item, ',');)
    if (!item.empty()) result.push_back(item);
  return result;
}

}  // namespace

RigSpaceOptions::RigSpaceOptions() : values_(std::make_unique<Values>()) {}
RigSpaceOptions::~RigSpaceOptions() = default;

void RigSpaceOptions::add_to(OptionSet& options) {
  Values& v = *values_;
  const char* group = rig_space_group;
  options.add("--free PATTERNS", v.free, "Controls that physics moves: 'belly*,chest*' or 'belly.translation.*'")
      .group(group);
  options.add("--rig FILE", v.rig, "Wires, lattices or a rig outside that move the surface on: a stack file (.json)")
      .group(group)
      .advanced();
  options
      .add("--inside HOW", v.inside,
           "Inside of the body: corrected (default; a learned map of its boundary and what that leaves out), skinning "
           "(the map alone) or equilibrium (solved for at each step)")
      .group(group)
      .advanced();
  options.add("--adaptive-step", v.adaptive, "Shorten steps where the motion asks for it").group(group).advanced();
  options
      .add("--key-error E", v.key_error, "0.0002",
           "Thin keys to this error of the surface, as a fraction of the height (default 0.0002; 0: a key per frame)")
      .group(group)
      .advanced();
  options
      .add("--whole-clip", v.whole_clip,
           "Give the new clip the keyed channels too, for viewers that play one clip at a time")
      .group(group)
      .advanced();
}

RigSpaceSettings RigSpaceOptions::settings(const BodyOptions& body, const DynamicsOptions& dynamics) const {
  const Values& v = *values_;
  RigSpaceSettings s;
  if (!body.settings_file.empty()) s = read_rig_space_settings(body.settings_file, s);
  body.apply(s);
  if (!dynamics.look.empty()) s.look = look_from_name(dynamics.look);
  if (!dynamics.reference.empty()) s.reference = reference_from_name(dynamics.reference);
  if (dynamics.damping) s.damping = dynamics.damping;
  if (dynamics.step) s.step = *dynamics.step;
  if (!v.free.empty()) s.free = split(v.free);
  if (!v.rig.empty()) s.rig = v.rig;
  if (!v.inside.empty()) s.inside = inside_from_name(v.inside);
  s.adaptive |= v.adaptive;
  s.whole_clip |= v.whole_clip;
  if (v.key_error) s.key_error = *v.key_error;
  check_rig_space_settings(s);
  return s;
}

}  // namespace sinew::cli
