#include "sinew/cook/scene_makers.h"

#include "sinew/deform/geometric/geometric_deformer.h"
#include "sinew/deform/springs/springs.h"

namespace sinew {

std::vector<std::shared_ptr<SceneMaker>> scene_makers() {
  return {springs(), geometric_skinning(GeometricSkinning::linear),
          geometric_skinning(GeometricSkinning::dual_quaternion), geometric_skinning(GeometricSkinning::rigid)};
}

}  // namespace sinew
