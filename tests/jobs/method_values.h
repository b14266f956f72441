// The settings of a chosen method, to change them in tests.
#pragma once

#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/mixed/mixed_method.h"
#include "sinew/cook/surface/surface_method.h"
#include "sinew/deform/springs/springs_method.h"

namespace sinew::test {

inline FleshSettings& flesh(MethodChoice& method) { return method.as<FleshMethod>().values; }
inline MixedSettings& mixed(MethodChoice& method) { return method.as<MixedMethod>().values; }
inline SpringsSettings& springs(MethodChoice& method) { return method.as<SpringsMethod>().values; }
inline SurfaceSettings& surface(MethodChoice& method) { return method.as<SurfaceMethod>().values; }

}  // namespace sinew::test
