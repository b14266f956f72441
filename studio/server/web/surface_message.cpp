#include "studio/server/web/surface_message.h"

#include "studio/server/web/frame.h"

namespace sinew::studio {
namespace {

constexpr std::uint32_t surface_magic = 0x53574e53, surface_version = 1;

}  // namespace

std::vector<std::byte> surface_message(const Character& character, const SimulationSurface& surface,
                                       std::uint32_t number) {
  std::vector<std::byte> bytes;
  PageBytes writer(bytes);
  const auto count = [&](std::size_t n) { writer.u32(static_cast<std::uint32_t>(n)); };
  const auto number_of = [&](int n) { writer.u32(static_cast<std::uint32_t>(n)); };
  writer.u32(surface_magic);
  writer.u32(surface_version);
  writer.u32(number);
  count(surface.rest.positions.size());
  count(surface.rest.triangles.size());
  count(surface.parts.size());
  for (const Vec3& position : surface.rest.positions)
    for (std::size_t i = 0; i < 3; ++i) writer.f32(static_cast<float>(position[i]));
  for (const auto& triangle : surface.rest.triangles)
    for (const int corner : triangle) number_of(corner);
  for (std::size_t k = 0; k < surface.parts.size(); ++k) {
    const Part& part = character.parts[static_cast<std::size_t>(surface.parts[k])];
    number_of(part.joint);
    number_of(part.mesh);
    number_of(part.primitive);
    count(surface.vertex_of[k].size());
    for (const int vertex : surface.vertex_of[k]) number_of(vertex);
  }
  return bytes;
}

}  // namespace sinew::studio
