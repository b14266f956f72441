#include "sinew/cli/mixed_options.h"

#include "sinew/cli/options.h"
#include "sinew/files/mixed_settings_json.h"

namespace sinew::cli {

struct MixedOptions::Values {
  std::string material, clusters, pins;
  std::optional<double> smooth, spring;
  bool gravity = false;
};

MixedOptions::MixedOptions() : values_(std::make_unique<Values>()) {}
MixedOptions::~MixedOptions() = default;

void MixedOptions::add_to(OptionSet& options) {
  Values& v = *values_;
  const char* group = mixed_group;
  options.add("--material NAME", v.material, "arap (default), corotated, neo-hookean or stvk").group(group).advanced();
  options
      .add("--clusters NAME", v.clusters,
           "Whose rotation an element takes: the bone's that the skin weights name (weights, the default where there "
           "are any), or that has the nearest segment (segment), midpoint or joint (hierarchy)")
      .group(group)
      .advanced();
  options
      .add("--smooth RADII", v.smooth, "1",
           "Reach over which rotations fade from bone to bone, in radii of the limb (default 1, 0: not at all)")
      .group(group)
      .advanced();
  options.add("--pins HOW", v.pins, "Vertices near bones are held (default) or tied to them by springs")
      .group(group)
      .advanced();
  options.add("--spring STIFFNESS", v.spring, "1000", "Stiffness of tied pins in N/m").group(group).advanced();
  options.add("--gravity", v.gravity, "The body hangs in its own weight").group(group).advanced();
}

MixedSettings MixedOptions::settings(const BodyOptions& body) const {
  const Values& v = *values_;
  MixedSettings s;
  if (!body.settings_file.empty()) s = read_mixed_settings(body.settings_file, s);
  body.apply(s);
  if (!v.material.empty()) s.material = mixed_material_from_name(v.material);
  if (!v.clusters.empty()) s.clusters = clusters_from_name(v.clusters);
  if (v.smooth) s.smooth = *v.smooth;
  if (!v.pins.empty()) s.pins = pinning_from_name(v.pins);
  if (v.spring) s.spring = v.spring;
  s.gravity |= v.gravity;
  check_mixed_settings(s);
  return s;
}

}  // namespace sinew::cli
