#include "sinew/deform/geometric/geometric_method.h"

#include "sinew/character/fingerprint.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

struct Words {
  const char *name, *title, *summary;
};

Words words_of(GeometricSkinning skinning) {
  switch (skinning) {
    case GeometricSkinning::linear:
      return {"linear", "Linear", "skinning alone"};
    case GeometricSkinning::dual_quaternion:
      return {"dualquat", "Dualquat", "skinning alone"};
    case GeometricSkinning::volume:
      return {"volume", "Volume", "skinning alone"};
    case GeometricSkinning::implicit:
      return {"implicit", "Implicit", "skinning alone"};
    case GeometricSkinning::rigid:
      break;
  }
  return {"rigid", "Rigid", "skinning alone"};
}

}  // namespace

SettingsTable GeometricSettings::describe() { return {ground_setting(&GeometricSettings::ground)}; }

const char* GeometricMethod::name() const { return words_of(skinning_).name; }
const char* GeometricMethod::title() const { return words_of(skinning_).title; }
const char* GeometricMethod::summary() const { return words_of(skinning_).summary; }

MethodTraits GeometricMethod::traits() const {
  MethodTraits traits;
  traits.has_memory = false;
  if (skinning_ == GeometricSkinning::volume) traits.fields = {{field("give"), 1}};
  return traits;
}

Scene GeometricMethod::cook(const CookInput& input, CookCache&, const Progress&) const {
  const auto surface = std::make_shared<SimulationSurface>(simulation_surface(input.character));
  set_skinning(kind_of(skinning_), *surface);
  Scene scene{name(), "posing", surface, surface->bones};
  scene.height = standing_height(*surface);
  scene.fingerprint = Fingerprint().add(surface->rest.positions).value();
  scene.report.warnings = skinning_notes(*surface);
  scene.acting.ground = values.ground;
  scene.bare = [skinning = skinning_, surface] { return geometric_deformer(skinning, *surface); };
  return scene;
}

}  // namespace sinew
