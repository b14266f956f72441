// The methods that need no preparation worth the name: springs, whose joint `upper` swings, and geometric skinning.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sinew/cook/cook.h"
#include "sinew/cook/methods.h"
#include "sinew/deform/springs/springs_method.h"

namespace sinew::test {

inline std::vector<MethodChoice> light_methods() {
  SpringsMethod springs;
  springs.values.swing = {"upper"};
  return {springs,
          method_named("linear"),
          method_named("dualquat"),
          method_named("volume"),
          method_named("implicit"),
          method_named("rigid")};
}

inline Scene light_scene(const Character& character, const std::string& name) {
  const std::vector<MethodChoice> methods = light_methods();
  const auto found =
      std::find_if(methods.begin(), methods.end(), [&](const MethodChoice& method) { return method->name() == name; });
  return cook(**found, {character});
}

}  // namespace sinew::test
