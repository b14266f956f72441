// The setting `skinning`, which methods share: how the skeleton poses the goal.
#pragma once

#include "sinew/character/skinning.h"
#include "sinew/deform/setting.h"

namespace sinew {

// `recooks`: what depends on the goal in this method.
Setting skinning_setting(const Member<SkinningKind>& skinning, Recooks recooks);

}  // namespace sinew
