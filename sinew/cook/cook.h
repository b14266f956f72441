// The incremental cook: turns a character and a method with its settings into a scene that can run. The program, the
// studio, sessions and hosts all call it. With a cache, only what depends on a changed setting is cooked again, and the
// result has the same bits as a cook from nothing.
//
//   CookCache cache;
//   FleshMethod flesh;
//   Scene first = cook(flesh, {character, {}, false, {1, 1}}, cache);
//   flesh.values.look = Look::lively;                                        // a slider
//   Scene next = cook(flesh, {character, {}, false, {1, 1}}, cache);         // takes milliseconds
#pragma once

#include "sinew/deform/method.h"

namespace sinew {

// Remedy that messages name when the simulation of a body fails numerically (base/simulation_context.h).
inline constexpr const char* other_body =
    "look at --young and --density, try another --tetrahedra, and see what `sinew check` says of the file";

// Cooks `input` for `method`. Throws what Method::check() and Method::cook() throw, and input_error if the method needs
// skin weights and the character has none.
Scene cook(const Method& method, const CookInput& input, CookCache& cache, const Progress& progress = {});
Scene cook(const Method& method, const CookInput& input, const Progress& progress = {});

}  // namespace sinew
