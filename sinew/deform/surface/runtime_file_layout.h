// Layout of a model's file, shared by its writer and reader. It is little-endian; sections are aligned to 4 bytes and,
// per vertex, in the order of places along a space-filling curve. Version 1 has no ranges.
//
//   offset  bytes
//   0       8        SINEWSRF
//   8       4, 4     version; flags: 1 shape at rest is kept, 2 anisotropic restoration, 4 modes,
//                    8 ranges (always in version 2)
//   16      8, 8     length of the file; FNV-1a checksum (64 bits) of all bytes but these eight
//   32      4 x 4    step (s, 0.0001 to 0.1), reach, height (m, up to 1000), 0
//   48      8 x 4    numbers of bones, segments, vertices, parts, neighbours, spokes, vertices of parts, bytes of names
//   80      4, 4, 8  number of modes (at most 16), coupling (0 to 1000), 0; without modes all 0
//
//   section            per           bytes
//   bones              bone          52       rest (m) to joint (file units), 3 x 4 floats by rows; length of the name
//   segments           segment       28       bone; head and tail at rest, floats
//   parts              part          8        number of vertices; length of the name
//   order, place       vertex        4 + 4    place to vertex of the model, and back
//   rest, normals      vertex        12 + 6   floats; signed 16-bit fractions of one
//   bones, weights     vertex        8 + 8    four 16-bit indices; four 16-bit weights of sum 65535,
//                                             or 0: stands at rest
//   parameters         vertex        5        alpha, beta, gamma, lambda, delta: (c/255)^2, lambda half of that
//   shapes             vertex        6        flag 2: xx, yy, zz as 3c/255, xy, xz, yz as 1.5c/127, signed;
//                                             then made positive semidefinite with trace 3
//   ranges             vertex        1        flag 8: largest shown distance from the goal, (c/255)^2 of the reach
//   modes              mode          16       flag 4: frequency (Hz), damping ratio, scale of the shape (at most 1), 0
//   drives             mode, bone    48       flag 4: G_kb, 3 x 4 floats by rows
//   mode shapes        vertex, mode  6        flag 4: signed 16-bit fractions of the scale
//   neighbours         vertex, each  2, 4     count; places
//   spokes             vertex, each  2, 2+2   count; 16-bit segments, then weights of sum 65535
//   vertices of parts  each          4        place, or all ones: none
//   names                                     of bones, then parts, UTF-8, concatenated
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
