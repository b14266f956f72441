// Feeds arbitrary bytes to the parser of what pages of the studio say. It either understands, or has a sentence that a
// page can be told: anything else is a bug.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "studio/server/command.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const sinew::studio::Command command = sinew::studio::parse_command({reinterpret_cast<const char*>(data), size});
  if (command.complaint.empty() && !command.id) std::abort();
  if (!command.complaint.empty() && (command.complaint.back() != '.' || command.complaint.size() > 500)) std::abort();
  return 0;
}
