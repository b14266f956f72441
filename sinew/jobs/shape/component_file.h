// Library of components: shapes taken from one character and put on others (shape/component.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/jobs/open_character.h"
#include "sinew/jobs/shape/shape_work.h"
#include "sinew/jobs/shape_file.h"
#include "sinew/shape/component.h"

namespace sinew {

struct ExtractComponentJob {
  std::filesystem::path input, rigs;  // the character and its rigs
  SizeRequest size;
  FleshSettings flesh;
  std::string name;              // of the rig whose last sample is taken, at rest
  std::optional<Vec3> centre;    // rest space, metres; empty: the middle of what moves
  std::optional<double> radius;  // metres; empty: nearly all that moves
  std::filesystem::path output;  // .json
};
AddedShape extract_component_file(const ExtractComponentJob& job, const Progress& progress = {});

struct DeployComponentJob {
  std::filesystem::path input, rigs, component;
  SizeRequest size;
  FleshSettings flesh;
  std::string name;              // of the rig; empty: the component's
  std::string control;           // empty: the rig's name
  Vec3 centre;                   // near the skin, rest space, metres
  std::optional<double> radius;  // metres; empty: as large, relative to the height, as where it comes from
  double spin = 0;               // degrees, about the normal
  bool mirrored = false;
};
// Adds a rig of kind `field` whose forces make the component's shape there.
AddedShape deploy_component_file(const DeployComponentJob& job, const Progress& progress = {});
// Does the job in flesh that is there already; its `input`, `rigs` and `flesh` are not read.
AddedShape deploy_component_in(ShapeWork& work, const DeployComponentJob& job, const Progress& progress = {});

}  // namespace sinew
