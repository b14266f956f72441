// The page that the program carries, gzipped; empty where it was built without node and npm.
#pragma once

#include <cstddef>
#include <span>

namespace sinew {

std::span<const std::byte> embedded_page();

}  // namespace sinew
