// Constants of glTF's binary container (glTF 2.0, section 4.4).
#pragma once

#include <cstdint>

namespace sinew {

inline constexpr std::uint32_t glb_magic = 0x46546C67, json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;

}  // namespace sinew
