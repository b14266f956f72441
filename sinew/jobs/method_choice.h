// Which method moves a character, and how: what the command line and hosts choose.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/mixed/mixed_settings.h"
#include "sinew/cook/rig_space/rig_space_settings.h"
#include "sinew/deform/scene_maker.h"

namespace sinew {

enum class Method { flesh, mixed, surface, rig_space, made };  // made: by a SceneMaker (cook/scene_makers.h)

struct MethodChoice {
  Method method = Method::flesh;
  FleshSettings settings;  // of flesh
  MixedSettings mixed;
  RigSpaceSettings rig_space;
  std::shared_ptr<SceneMaker> maker;  // of the method `made`
  std::optional<double> ground;       // metres, of the same
  std::filesystem::path skinning;     // rig_space: the inside as `sinew learn` found it (.vskin); empty: found anew
  std::filesystem::path model;        // surface: what `sinew fit` made (.sinew)
  std::optional<double> steps_per_second;  // surface: other steps than the model's, parameters converted
  std::string skeleton;                    // mixed, without skin weights: the topmost joint by name; empty: found
  bool real_time = false;  // flesh: in a lattice, cooked for steps of several lengths (session/real_time.h)
};

// The method of this name, as on the command line, with its default settings. Throws usage_error where there is none.
MethodChoice method_named(const std::string& name);

// "flesh, mixed and springs": for sentences.
std::string listed_methods(const std::vector<std::string>& names);

// Throws usage_error where the settings of the chosen method make no sense.
void check_choice(const MethodChoice& choice);

// Names the automatic lattice where flesh is asked for something that a lattice does better and none is named. Returns
// a sentence about it for people; empty: nothing was changed.
std::string choose_lattice(MethodChoice& choice);

}  // namespace sinew
