// Files of volumetric skinning (.vskin): weights by which the inside of a body follows its boundary, learned once and
// used by every animation of the character (docs/volumetric_skinning.md). The layout, little-endian:
//
//   8 bytes                 SINEWVSK
//   uint32                  version, 1
//   uint64                  key of the body: FNV-1a of its rest positions, tetrahedra, boundary and interior vertices
//   uint64                  key of the free parameters: FNV-1a of their names in order
//   int32                   number of boundary vertices
//   uint64, int32 each      number of interior vertices + 1; where each one's entries begin, and the end
//   uint64, int32 each      number of entries; boundary vertex of each, ascending within an interior vertex
//   uint64, double each     number of entries; their weights
//   uint64                  FNV-1a of everything before
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

// Identifies the body and the parameters that weights were learned for; they are useless for any other.
struct SkinningKey {
  std::uint64_t body = 0;        // hash of rest positions, tetrahedra, boundary and interior vertices
  std::uint64_t parameters = 0;  // hash of the names of the exercised parameters, in order

  bool operator==(const SkinningKey&) const = default;
};

SkinningKey skinning_key(const TetrahedralMesh& mesh, std::span<const int> boundary, std::span<const int> interior,
                         std::span<const std::string> parameters);

struct SkinningFile {
  SkinningKey key;
  SparseRows
      weights;  // W: one row per interior vertex, one column per boundary vertex; not negative, each row sums to one
};

// Encodes the file; equal weights give equal bytes. Throws usage_error for weights that the reader would refuse.
std::vector<std::byte> skinning_file_bytes(const SkinningFile& file);
// Decodes the file, bit for bit. Checks everything; throws input_error that names `name`.
SkinningFile parse_skinning_file(std::span<const std::byte> bytes, const std::string& name);

// Writes under a temporary name and renames.
void write_skinning_file(const std::filesystem::path& path, const SkinningFile& file);
// Throws input_error if the file cannot be read, is damaged, or was learned for another body or other parameters.
SparseRows read_skinning_file(const std::filesystem::path& path, const SkinningKey& expected);

}  // namespace sinew
