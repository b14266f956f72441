// Reader of benchmark limbs (`.tet`): one line `vertices tets core tip`, then vertices in metres, tetrahedra (0-based),
// and the indices of the fixed core vertices.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

struct TetFile {
  std::vector<Vec3> vertices;
  std::vector<int> tetrahedra;  // four indices each
  std::vector<int> core;
  int tip = -1;  // vertex whose sag is reported
};

// Empty if the file is missing or broken.
inline std::optional<TetFile> read_tet_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::size_t vertices = 0, tetrahedra = 0, core = 0;
  TetFile file;
  if (!(in >> vertices >> tetrahedra >> core >> file.tip)) return std::nullopt;
  constexpr std::size_t most = 100'000'000;
  if (vertices > most || tetrahedra > most || core > vertices) return std::nullopt;
  file.vertices.resize(vertices);
  file.tetrahedra.resize(4 * tetrahedra);
  file.core.resize(core);
  for (Vec3& v : file.vertices) in >> v.x >> v.y >> v.z;
  for (int& index : file.tetrahedra) in >> index;
  for (int& index : file.core) in >> index;
  if (!in || file.tip < 0 || static_cast<std::size_t>(file.tip) >= vertices) return std::nullopt;
  for (const std::vector<int>* list : {&file.tetrahedra, &file.core})
    for (const int index : *list)
      if (index < 0 || static_cast<std::size_t>(index) >= vertices) return std::nullopt;
  return file;
}

}  // namespace sinew
