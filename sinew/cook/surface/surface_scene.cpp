#include "sinew/cook/surface/surface_scene.h"

#include <array>
#include <utility>

#include "sinew/character/fingerprint.h"
#include "sinew/cook/keep_rigid.h"
#include "sinew/deform/surface/surface_deformer.h"

namespace sinew {
namespace {

// The run-time's own state identifies the model.
std::uint64_t fingerprint(const SimulationSurface& surface) {
  Fingerprint print;
  print.add(surface.rest.positions);
  for (const std::vector<int>& vertices : surface.vertex_of) print.add(vertices);
  for (const Bone& bone : surface.bones) print.add(std::array{bone.rest_to_joint});
  return print.value();
}

}  // namespace

Scene surface_scene(std::shared_ptr<const CookedSurface> cooked) {
  Scene scene{"surface", "moving", {cooked, &cooked->surface}, cooked->surface.bones};
  scene.height = cooked->height;
  scene.fingerprint = fingerprint(cooked->surface);
  scene.bare = [cooked] { return surface_deformer(cooked->model, cooked->surface); };
  // Neighbours may stand on either side, each at its reach.
  scene.clamps = std::make_shared<const DisplayClamps>(DisplayClamps{.driven = 2 * cooked->description.reach});
  return keeping_rigid(std::move(scene));
}

}  // namespace sinew
