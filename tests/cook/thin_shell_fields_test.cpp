// Sheets in a body: ears of the sample elephant hang on where they begin, swing at their ends, and hold no deep flesh.
#include "sinew/cook/flesh/thin_shell_fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/cook/flesh/prepare.h"
#include "sinew/jobs/open_character.h"
#include "sinew/mesh/surface/ray_cast.h"
#include "sinew/mesh/triangle_geometry.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

CookedFlesh elephant(const char* anatomy) {
  static const Character character = open_character(SINEW_SOURCE_DIR "/samples/elephant.glb").character;
  FleshSettings settings;
  settings.tetrahedra = 4000;
  settings.anatomy = anatomy;
  return prepare_flesh(character, settings);
}

// How far the shares of each thin shell between two bounds sag under one g, metres.
double sag_between(const CookedFlesh& scene, const std::vector<ThinShell>& shells, const Sag& sag, double low,
                   double high) {
  const FleshDescription& flesh = scene.body->description;
  double sum = 0, count = 0;
  for (const ThinShell& shell : shells)
    for (std::size_t k = 0; k < shell.vertices.size(); ++k) {
      if (shell.out[k] < low || shell.out[k] > high) continue;
      const EmbeddedPoint& point = flesh.embedding.points[static_cast<std::size_t>(shell.vertices[k])];
      for (std::size_t c = 0; c < 4; ++c)
        sum += point.weights[c] * sag.of_vertex[static_cast<std::size_t>(
                                      flesh.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)][c])];
      count += 1;
    }
  return sum / count;
}

TEST(ThinShellFields, EarsSwingAtTheirEndsAndHangOnWhereTheyBegin) {
  const CookedFlesh with = elephant("auto"), without = elephant("off");
  const std::vector<ThinShell>& ears = with.anatomy.shells;
  ASSERT_EQ(ears.size(), 2u);
  const auto sag = [](const CookedFlesh& scene) {
    return sag_under_gravity(*scene.body, std::vector<double>(scene.body->mass.size(), 1.0));
  };
  const Sag bent = sag(with), held = sag(without);
  const double begin = sag_between(with, ears, bent, 0, 0.1), middle = sag_between(with, ears, bent, 0.4, 0.6),
               end = sag_between(with, ears, bent, 0.9, 1);
  EXPECT_LT(begin, middle);
  EXPECT_GT(end, 1.3 * middle);
  EXPECT_GT(end, 1.5 * begin);
  // Of the looks' flesh, which sags by material.sag on the whole.
  EXPECT_GT(end / with.material.sag, 1.5 * sag_between(without, ears, held, 0.9, 1) / without.material.sag);
  for (std::size_t v = 0; v < with.map.core.size(); ++v)
    EXPECT_TRUE(!with.map.core[v] || !with.body->description.keeps_rig_shape[v]);
}

// Through the solid, from each vertex inwards. Fails where only the animal's thickest place bounds the depth.
void expect_no_flesh_deeper_than_thick(const CookedFlesh& scene) {
  const TriangleMesh& skin = scene.surface.rest;
  const BoundingVolumeHierarchy tree(skin);
  std::vector<Vec3> normal(skin.positions.size());
  for (const Triangle& t : skin.triangles)
    for (const int v : t) {
      const auto at = [&](std::size_t k) { return skin.positions[static_cast<std::size_t>(t[k])]; };
      normal[static_cast<std::size_t>(v)] += area_vector(at(0), at(1), at(2));
    }
  const double near = 1e-6 * longest_side(skin);
  std::size_t bounded = 0;
  for (std::size_t v = 0; v < normal.size(); ++v) {
    const RayHit hit = cast_ray(tree, skin.positions[v], -normalized(normal[v]), near, HUGE_VAL);
    if (hit.triangle < 0 || !hit.leaves) continue;
    ++bounded;
    EXPECT_LE(scene.map.depth[v], hit.distance + 3 * near) << v;
  }
  EXPECT_GT(bounded, normal.size() / 4);
}

TEST(ThinShellFields, NoFleshIsDeeperThanTheSolidIsThick) {
  expect_no_flesh_deeper_than_thick(elephant("auto"));
  const std::filesystem::path real = test::characters();
  if (real.empty()) return;
  for (const char* file : {"more/fish_pack_manta_ray.glb", "gltf/quat_koi/Koi.glb"}) {
    FleshSettings settings;
    settings.tetrahedra = 4000;
    expect_no_flesh_deeper_than_thick(prepare_flesh(open_character((real / file).string()).character, settings));
  }
}

TEST(ThinShellFields, WithoutSheetsNothingChanges) {
  const TetrahedralMesh mesh;
  const ThinShellFields none = thin_shell_fields(mesh, {}, {});
  EXPECT_TRUE(none.none());
  EXPECT_EQ(held_parts(mesh, none, {0.5}), std::vector<double>{0.5});
  EXPECT_EQ(with_thin_shells(mesh, none, {0.5}), std::vector<double>{0.5});
}

}  // namespace
}  // namespace sinew
