// The methods that describe themselves (deform/scene_maker.h).
#pragma once

#include <memory>
#include <vector>

#include "sinew/deform/scene_maker.h"

namespace sinew {

// One of each, with the default settings.
std::vector<std::shared_ptr<SceneMaker>> scene_makers();

}  // namespace sinew
