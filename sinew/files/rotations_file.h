// Files of rotations of the elements of a body (.rotations; docs/file_formats.md).
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/deform/element_rotations.h"

namespace sinew {

std::vector<std::byte> rotations_file_bytes(const ElementRotations& rotations);
// `name` is for messages. Throws input_error that names the frame and the group of what is wrong.
ElementRotations parse_rotations_file(std::span<const std::byte> bytes, const std::string& name);

void write_rotations_file(const std::filesystem::path& path, const ElementRotations& rotations);
// Throws input_error also if the rotations are for another number of elements.
ElementRotations read_rotations_file(const std::filesystem::path& path, std::size_t elements);

}  // namespace sinew
