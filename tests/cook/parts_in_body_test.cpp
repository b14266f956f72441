// Rigid parts in a body of tetrahedra.
#include "sinew/cook/flesh/parts_in_body.h"

#include <gtest/gtest.h>

#include "sinew/cook/keep_rigid.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/volume/volume_meshing.h"
#include "tests/cook/belly.h"

namespace sinew {
namespace {

using namespace test;

VolumeMeshingOptions options() {
  VolumeMeshingOptions result;
  result.target_tetrahedra = 2000;
  return result;
}

struct BodyOfBelly {
  Belly belly = test::belly(true);
  const TriangleMesh& rest = belly.figure.surface.rest;
  VolumeMesh body = mesh_volume(rest, options());
  KeptShape parts = [this] {
    KeptShape shape;
    keep_rigid_parts(belly.figure.surface, belly.parts, shape);
    return shape;
  }();
  Embedding carried = carried_by_flesh(body.mesh, rest, parts, body.embedding);

  int tetrahedron(const Embedding& embedding, int vertex) const {
    return embedding.points[static_cast<std::size_t>(vertex)].tetrahedron;
  }
};

// The button has a piece of the body of its own, which nothing connects to the belly. The belly carries it, wherever
// it goes; the sword only passes by.
TEST(PartsInBody, FleshCarriesWhatStandsOnIt) {
  const BodyOfBelly b;
  std::vector<int> piece;
  measure_quality(b.body.mesh, &piece);
  const auto piece_of = [&](const Embedding& embedding, int vertex) {
    return piece[static_cast<std::size_t>(b.tetrahedron(embedding, vertex))];
  };
  const int of_belly = piece_of(b.body.embedding, b.belly.skin);
  std::vector<Vec3> moved;
  const auto affine = [](const Vec3& x) {
    return Vec3{x.x + 0.2 * x.y, 1.3 * x.y - 0.1 * x.z, 0.8 * x.z + 0.3 * x.x + 2};
  };
  for (const Vec3& x : b.body.mesh.positions) moved.push_back(affine(x));
  const std::vector<Vec3> placed = embedded_positions(b.carried, b.body.mesh, moved);
  for (int v = b.belly.button; v < b.belly.sword; ++v) {
    EXPECT_NE(piece_of(b.body.embedding, v), of_belly);
    EXPECT_EQ(piece_of(b.carried, v), of_belly);
    EXPECT_LT(distance(placed[static_cast<std::size_t>(v)], affine(b.rest.positions[static_cast<std::size_t>(v)])),
              1e-9);
  }
  for (int v = 0; v < b.belly.end; ++v)
    if (v < b.belly.button || v >= b.belly.sword) {
      EXPECT_EQ(b.tetrahedron(b.carried, v), b.tetrahedron(b.body.embedding, v));
    }
}

TEST(PartsInBody, ElasticityIsStiffWhereRigidPartsAre) {
  const BodyOfBelly b;
  const std::vector<double> stiffening = rigid_stiffening(b.body.mesh, b.parts, b.carried);
  std::vector<char> rigid(stiffening.size(), 0), skin(stiffening.size(), 0);
  for (int v = 0; v < b.belly.end; ++v)
    (v < b.belly.button ? skin : rigid)[static_cast<std::size_t>(b.tetrahedron(b.carried, v))] = 1;
  for (std::size_t t = 0; t < stiffening.size(); ++t) {
    if (!rigid[t]) {
      EXPECT_EQ(stiffening[t], 1);
    } else if (!skin[t]) {
      EXPECT_EQ(stiffening[t], 20);
    } else {
      EXPECT_GT(stiffening[t], 1);
      EXPECT_LT(stiffening[t], 20);
    }
  }
  EXPECT_EQ(rigid_stiffening(b.body.mesh, {}, b.carried), std::vector<double>(stiffening.size(), 1.0));
}

}  // namespace
}  // namespace sinew
