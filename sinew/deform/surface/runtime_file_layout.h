// Layout of a model's file (docs/runtime.md), shared by its writer and reader.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::runtime_file {

inline constexpr char magic[] = {'S', 'I', 'N', 'E', 'W', 'S', 'R', 'F'};
inline constexpr std::size_t flags_at = 12, bytes_at = 16, checksum_at = 24, checked_from = 32, header_bytes = 96;
inline constexpr std::uint32_t rest_flag = 1, shape_flag = 2, mode_flag = 4, range_flag = 8;
inline constexpr std::uint32_t weight_one = 65535, no_vertex = 0xffffffffu;
inline constexpr double largest_snorm = 32767;

}  // namespace sinew::runtime_file
