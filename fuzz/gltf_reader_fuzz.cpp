// Feeds arbitrary bytes to everything that happens to a character file before it is simulated. Only
// Error may come out: a crash, a sanitizer report, a hang or another exception is a bug.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/character/defects.h"
#include "sinew/character/size.h"
#include "sinew/files/obj.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/gltf/read/read_materials.h"

namespace {

// Work that grows with the product of file sizes is not what is looked for here.
constexpr std::size_t most_clips = 4, most_vertices = 200'000, most_checked_vertices = 2000;

void read_and_pose(std::span<const std::byte> bytes) {
  const sinew::GltfDocument document = sinew::parse_gltf_document(bytes, "input.glb", sinew::ExternalFiles::forbidden);
  const sinew::Character character = sinew::character_from(document);
  std::vector<std::string> notes;
  sinew::read_materials(document, notes);
  std::size_t vertices = 0;
  for (const sinew::Part& part : character.parts) vertices += part.surface.positions.size();
  if (vertices > most_vertices) return;
  sinew::find_defects(character);
  if (vertices <= most_checked_vertices) sinew::find_surface_defects(character);
  sinew::decide_size(character, {}, {});
  for (std::size_t c = 0; c < character.clips.size() && c < most_clips; ++c) {
    const sinew::Clip& clip = character.clips[c];
    for (const double seconds : {clip.start - 1, clip.start, (clip.start + clip.end) / 2, clip.end, clip.end + 1}) {
      const sinew::Pose pose = sinew::sample(character.skeleton, &clip, seconds);
      for (const sinew::Part& part : character.parts) sinew::posed_positions(character, part, pose);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    if (size > 0 && data[0] == 'v') {
      sinew::parse_obj({reinterpret_cast<const char*>(data), size}, "input.obj");
    } else {
      read_and_pose(std::as_bytes(std::span(data, size)));
    }
  } catch (const sinew::Error&) {
  }
  return 0;
}
