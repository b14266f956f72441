// Feeds arbitrary bytes to the readers of force rigs and of components. Only Error may come out: a crash, a sanitizer
// report, a hang or another exception is a bug.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinew/base/error.h"
#include "sinew/shape/component.h"
#include "sinew/shape/shape_rig_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    sinew::shape_from_json(sinew::shape_json(sinew::shape_from_json(text, "input.json")), "again.json");
  } catch (const sinew::Error&) {
  }
  try {
    sinew::component_from_json(sinew::component_json(sinew::component_from_json(text, "input.json")), "again.json");
  } catch (const sinew::Error&) {
  }
  return 0;
}
