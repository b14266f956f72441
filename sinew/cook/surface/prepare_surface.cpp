#include "sinew/cook/surface/prepare_surface.h"

#include "sinew/base/error.h"
#include "sinew/cook/painted_surface.h"
#include "sinew/cook/surface/model_factors.h"
#include "sinew/deform/surface/runtime_file.h"

namespace sinew {
namespace {

// Rest shapes are equal within this share of the height, which allows for single precision and other exporters.
constexpr double same_rest = 1e-3;

[[noreturn]] void refuse(const std::string& name, const Character& character, const std::string& what) {
  throw input_error(name + ": was fitted to another character than " + character.file + ": " + what +
                    "; fit a model to this one with `sinew fit`.");
}

void require_same_character(const Character& character, const SimulationSurface& surface, double height,
                            const SurfaceModel& model, const std::string& name) {
  if (model.bones.size() != surface.bones.size())
    refuse(
        name, character,
        "it has " + std::to_string(model.bones.size()) + " bones instead of " + std::to_string(surface.bones.size()));
  for (std::size_t b = 0; b < model.bones.size(); ++b)
    if (model.bones[b].name != surface.bones[b].name)
      refuse(name, character, "its bone '" + model.bones[b].name + "' is '" + surface.bones[b].name + "' here");
  if (model.parts.size() != surface.vertex_of.size())
    refuse(name, character,
           "it has " + std::to_string(model.parts.size()) + " skinned parts instead of " +
               std::to_string(surface.vertex_of.size()));
  for (std::size_t p = 0; p < model.parts.size(); ++p)
    if (model.parts[p].vertex_of != surface.vertex_of[p])
      refuse(name, character, "its part '" + model.parts[p].name + "' has other vertices");
  if (model.rest.size() != surface.rest.positions.size()) refuse(name, character, "it has another number of vertices");
  for (std::size_t v = 0; v < model.rest.size(); ++v)
    if (!(distance(model.rest[v], surface.rest.positions[v]) <= same_rest * height))
      refuse(name, character, "vertex " + std::to_string(v) + " is elsewhere at rest");
}

}  // namespace

CookedSurface prepare_surface(const Character& character, std::span<const std::byte> file, const std::string& name,
                              const std::string& along) {
  CookedSurface cooked;
  cooked.description = read_runtime_file(file, name);
  cooked.model = std::make_shared<const OpenSurfaceModel>(file, name);
  cooked.surface = painted_surface(character, false, along, model_fields_in_use());
  cooked.height = standing_height(cooked.surface);
  require_same_character(character, cooked.surface, cooked.height, cooked.description, name);
  return cooked;
}

}  // namespace sinew
