// Feeds arbitrary bytes to the readers of control lattices and to what looks at lattices first. Only Error may come
// out: a crash, a sanitizer report, a hang or another exception is a bug.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinew/base/error.h"
#include "sinew/files/lattice_files.h"
#include "sinew/files/lattice_json.h"
#include "sinew/mesh/control_lattice/validity.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const sinew::ControlLattice lattice = text.substr(0, 1) == "<" ? sinew::lattice_from_vtu(text, "input.vtu")
                                                                   : sinew::lattice_from_json(text, "input.json");
    sinew::lattice_from_json(sinew::lattice_json(lattice), "again.json");
    sinew::lattice_from_vtu(sinew::lattice_vtu(lattice), "again.vtu");
    if (lattice.cells() <= 20) sinew::check_lattice(lattice, 1);
  } catch (const sinew::Error&) {
  }
  return 0;
}
