// The key `muscles` of the state (docs/studio_protocol.md, State).
#pragma once

#include "sinew/deform/scene.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

// The muscles of a scene, as pages draw and move them. Null: there are none.
PageJson muscles_state(const Scene& scene);

}  // namespace sinew::studio
