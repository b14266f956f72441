// From a character and a method with its settings to a scene that can run: what the program, the studio, sessions and
// hosts call. The incremental cook: with a cache only what depends on a changed setting is cooked again.
//
//   CookCache cache;
//   FleshMethod flesh;
//   Scene first = cook(flesh, {character, {}, false, {1, 1}}, cache);
//   flesh.values.look = Look::lively;                                        // a slider
//   Scene next = cook(flesh, {character, {}, false, {1, 1}}, cache);         // milliseconds, to the bit the same
#pragma once

#include "sinew/deform/method.h"

namespace sinew {

// What can be tried where the numbers of a body go wrong (base/simulation_context.h).
inline constexpr const char* other_body =
    "look at --young and --density, try another --tetrahedra, and see what `sinew check` says of the file";

// Throws what Method::check() and Method::cook() throw, and input_error where the method needs skin weights and the
// character has none.
Scene cook(const Method& method, const CookInput& input, CookCache& cache, const Progress& progress = {});
Scene cook(const Method& method, const CookInput& input, const Progress& progress = {});

}  // namespace sinew
