// Runs a test program's kernels with the instruction set that SINEW_VECTOR_TARGET names, from before its first test.
// Where that is `?`, the program prints the names of all that there are, widest first, and ends.
#include "sinew/linalg/vector_target.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "sinew/base/error.h"

namespace sinew {
namespace {

[[maybe_unused]] const bool vector_target_used = [] {
  if (const char* name = std::getenv(vector_target_variable); name && std::strcmp(name, "?") == 0) {
    for (const std::string& target : vector_targets()) std::printf("%s\n", target.c_str());
    std::exit(0);
  }
  try {
    use_vector_target_from_environment();
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::exit(static_cast<int>(error.kind()));
  }
  return true;
}();

}  // namespace
}  // namespace sinew
