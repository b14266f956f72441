// The method `springs`: joints swing on springs, and the skin goes with them. The line that flesh has to beat.
#pragma once

#include <memory>

#include "sinew/deform/scene_maker.h"

namespace sinew {

std::unique_ptr<SceneMaker> springs();

}  // namespace sinew
