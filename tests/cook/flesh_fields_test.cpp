// How far flesh may be shown from the rig: smooth from place to place, so that what is far beyond is strained evenly.
#include "sinew/cook/flesh/flesh_fields.h"

#include <gtest/gtest.h>

#include "sinew/cook/flesh/prepare.h"
#include "sinew/jobs/open_character.h"

namespace sinew {
namespace {

TEST(DisplacementLimits, GrowNoFasterThanTheShare) {
  const Character character = open_character(SINEW_SOURCE_DIR "/samples/sumo.glb").character;
  FleshSettings settings;
  settings.tetrahedra = 1500;
  const CookedFlesh scene = prepare_flesh(character, settings);
  const TetrahedralMesh& mesh = scene.body->description.mesh;
  for (const double share : {0.1, 0.3}) {
    const double most = 0.04;
    const std::vector<double> limits = displacement_limits(mesh, scene.map, share, most);
    bool reaches_most = false;
    for (std::size_t v = 0; v < limits.size(); ++v) {
      EXPECT_LE(limits[v], most);
      EXPECT_LE(limits[v], share * scene.map.bone_distance[v]);
      reaches_most |= limits[v] == most;
    }
    EXPECT_TRUE(reaches_most);
    for (const Tetrahedron& t : mesh.tetrahedra)
      for (const int a : t)
        for (const int b : t) {
          const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
          EXPECT_LE(limits[i], limits[j] + share * distance(mesh.positions[i], mesh.positions[j]) + 1e-12);
        }
  }
}

}  // namespace
}  // namespace sinew
