// The built-in page, gzipped; empty if the program was built without node and npm.
#pragma once

#include <cstddef>
#include <span>

namespace sinew::studio {

std::span<const std::byte> embedded_page();

// Hashes of the page's script and its worker's for the content security policy: 'sha256-...'.
const char* embedded_script();

}  // namespace sinew::studio
