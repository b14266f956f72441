// How the inside of a body follows its boundary, on disk (.vskin): learned once, used by every animation of the
// character. Layout: docs/volumetric_skinning.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// What weights were learned for: they mean nothing for anything else.
struct SkinningKey {
  std::uint64_t body = 0;        // of positions at rest, tetrahedra, boundary and interior vertices
  std::uint64_t parameters = 0;  // of the names of the rig's parameters that were exercised, in order

  bool operator==(const SkinningKey&) const = default;
};

SkinningKey skinning_key(const TetrahedralMesh& mesh, std::span<const int> boundary, std::span<const int> interior,
                         std::span<const std::string> parameters);

struct SkinningFile {
  SkinningKey key;
  SparseRows weights;  // W: a row per interior vertex, a column per boundary vertex; not negative, rows of sum one
};

// The file's bytes; the same weights are the same bytes. Throws usage_error for weights that a reader would refuse.
std::vector<std::byte> skinning_file_bytes(const SkinningFile& file);
// The other way round, bit for bit. Everything is checked: throws input_error that names `name`.
SkinningFile parse_skinning_file(std::span<const std::byte> bytes, const std::string& name);

// Written to a temporary name and renamed.
void write_skinning_file(const std::filesystem::path& path, const SkinningFile& file);
// Throws input_error where the file cannot be read, is damaged, or was learned for another body or other parameters.
SparseRows read_skinning_file(const std::filesystem::path& path, const SkinningKey& expected);

}  // namespace sinew
