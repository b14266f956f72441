// The page that the program carries, gzipped; empty where it was built without node and npm.
#pragma once

#include <cstddef>
#include <span>

namespace sinew::studio {

std::span<const std::byte> embedded_page();

// The page's own script, and its worker's, as the page's policy names them: 'sha256-...'.
const char* embedded_script();

}  // namespace sinew::studio
