// Location of the benchmark limbs, which studies/reference/tet_file.h reads.
#pragma once

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "studies/reference/tet_file.h"

#ifndef SINEW_SOURCE_DIR
#define SINEW_SOURCE_DIR "."
#endif

namespace sinew::bench {

using sinew::read_tet_file;
using sinew::TetFile;

inline std::filesystem::path data_folder() {
  if (const char* folder = std::getenv("SINEW_BENCH_DATA")) return folder;
  return std::filesystem::path(SINEW_SOURCE_DIR) / ".." / "shared" / "bench";
}

}  // namespace sinew::bench
