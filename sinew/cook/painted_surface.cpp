#include "sinew/cook/painted_surface.h"

#include "sinew/files/limb_curves_json.h"

namespace sinew {

SimulationSurface painted_surface(const Character& character, bool color_stiffness, const std::string& along,
                                  std::span<const FieldInUse> in_use) {
  SimulationSurface surface = simulation_surface(character, color_stiffness);
  apply_limb_curves(limb_curves_of_setting(along), limb_curves_file(along), in_use, surface);
  return surface;
}

Setting along_setting(const Member<std::string>& along) {
  return {.key = "along",
          .value = along,
          .file = true,
          .object = limb_curves_schema(),
          .help = "Painted fields as curves along limbs",
          .none = "none",
          .option = OnCommandLine::rare,
          .recooks = Recooks::body};
}

}  // namespace sinew
