// Body meshes of real characters: parts that are apart along the body share nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sinew/gltf/read/read_character.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface/weld.h"
#include "sinew/mesh/topology.h"
#include "sinew/mesh/volume/volume_meshing.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

TriangleMesh bind_surface(const Character& character) {
  std::vector<const TriangleMesh*> parts;
  for (const Part& part : character.parts)
    if (part.skin >= 0) parts.push_back(&part.surface);
  const JoinedMesh joined = join(parts);
  return apply_weld(joined.mesh, weld(joined.mesh.positions));
}

// Pieces of the surface beyond a plane (the fingers), as a number per vertex; -1 before it.
std::vector<int> pieces_below(const TriangleMesh& surface, double y, int& count) {
  DisjointSets sets(surface.positions.size());
  const auto below = [&](int v) { return surface.positions[static_cast<std::size_t>(v)].y < y; };
  std::vector<int> size(surface.positions.size(), 0), piece(surface.positions.size(), -1), number(size.size(), -1);
  for (const Triangle& t : surface.triangles)
    for (std::size_t k = 0; k < 3; ++k)
      if (below(t[k]) && below(t[(k + 1) % 3])) sets.unite(t[k], t[(k + 1) % 3]);
  for (std::size_t v = 0; v < size.size(); ++v) ++size[static_cast<std::size_t>(sets.find(static_cast<int>(v)))];
  count = 0;
  for (std::size_t v = 0; v < size.size(); ++v) {
    const auto root = static_cast<std::size_t>(sets.find(static_cast<int>(v)));
    if (!below(static_cast<int>(v)) || size[root] < 20) continue;
    if (number[root] < 0) number[root] = count++;
    piece[v] = number[root];
  }
  return piece;
}

TEST(VolumeOfCharacters, FingersShareNoNodes) {
  const std::filesystem::path folder = test::characters();
  if (folder.empty()) return;
  const TriangleMesh surface = bind_surface(read_character(folder / "gltf/webxr_hand_left/webxr_hand_left.glb"));
  int fingers = 0;
  // Below this height four fingers are separate, less than half a coarse cell apart.
  const std::vector<int> finger = pieces_below(surface, -0.07, fingers);
  ASSERT_GE(fingers, 3);
  for (int target : {800, 2000, 8000, 30000}) {
    SCOPED_TRACE(target);
    VolumeMeshingOptions options;
    options.target_tetrahedra = target;
    const VolumeMesh body = mesh_volume(surface, options);
    EXPECT_EQ(measure_quality(body.mesh).components, 1);
    std::vector<std::set<int>> nodes(static_cast<std::size_t>(fingers));
    for (std::size_t v = 0; v < finger.size(); ++v) {
      // An element and what it sees around it are 1.3 cells long: so far may what joins them reach.
      if (finger[v] < 0 || surface.positions[v].y > -0.07 - 1.5 * body.cell_size) continue;
      for (int n : body.mesh.tetrahedra[static_cast<std::size_t>(body.embedding.points[v].tetrahedron)])
        nodes[static_cast<std::size_t>(finger[v])].insert(n);
    }
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (std::size_t b = a + 1; b < nodes.size(); ++b) {
        std::vector<int> shared;
        std::set_intersection(nodes[a].begin(), nodes[a].end(), nodes[b].begin(), nodes[b].end(),
                              std::back_inserter(shared));
        EXPECT_TRUE(shared.empty()) << "fingers " << a << " and " << b;
      }
  }
}

}  // namespace
}  // namespace sinew
