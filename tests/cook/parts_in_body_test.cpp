// Rigid parts in a body of tetrahedra.
#include "sinew/cook/flesh/parts_in_body.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

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
  const std::vector<double> stiffening = rigid_stiffening(b.body.mesh, b.rest, b.parts, b.carried);
  std::vector<char> rigid(stiffening.size(), 0), skin(stiffening.size(), 0);
  for (int v = 0; v < b.belly.end; ++v)
    (v < b.belly.button ? skin : rigid)[static_cast<std::size_t>(b.tetrahedron(b.carried, v))] = 1;
  for (std::size_t t = 0; t < stiffening.size(); ++t) {
    if (!rigid[t]) {
      EXPECT_EQ(stiffening[t], 1);
    } else if (!skin[t]) {
      EXPECT_EQ(stiffening[t], 100);
    } else {
      EXPECT_GT(stiffening[t], 1);
      EXPECT_LT(stiffening[t], 100);
    }
  }
  EXPECT_EQ(rigid_stiffening(b.body.mesh, b.rest, {}, b.carried), std::vector<double>(stiffening.size(), 1.0));
}

// A belly with a horn and an eye in it, of the body's flesh as it is filled.
struct Head {
  Figure figure;
  std::vector<RigidPart> parts;
  std::vector<int> first;  // vertex of each part

  explicit Head(const std::vector<TriangleMesh>& things) {
    const int bone = figure.bone(-1, {0, 0, 0});
    figure.piece(sphere({0, 1, 0}, 0.5, 60), bone);
    for (const TriangleMesh& thing : things) {
      first.push_back(figure.piece(thing, bone));
      RigidPart& part = parts.emplace_back();
      part.bone = bone;
      for (int v = first.back(); v < static_cast<int>(figure.surface.rest.positions.size()); ++v)
        part.vertices.push_back(v);
    }
  }

  // The surface moves by `displacement`, and what is rigid on it keeps its shape. The horn's flesh is the belly's.
  std::vector<Vec3> displayed(const std::function<Vec3(const Vec3&)>& displacement) const {
    const VolumeMesh body = mesh_volume(figure.surface.rest, options());
    const std::vector<char> shared = on_shared_pieces(body.mesh, parts, body.embedding);
    KeptShape shape;
    keep_rigid_parts(figure.surface, parts, shape, [&](const RigidPart& part) {
      return std::all_of(part.vertices.begin(), part.vertices.end(),
                         [&](int v) { return shared[static_cast<std::size_t>(v)]; });
    });
    std::vector<Vec3> moved;
    for (const Vec3& x : figure.surface.rest.positions) moved.push_back(displacement(x));
    std::vector<RigidMotion> motions;
    move_rigidly(shape, figure.surface.rest.positions, moved, motions);
    return moved;
  }
};

// The flesh of a horn turns beyond the skin, and the horn with it; that behind an eye is pushed in, and the eye stays
// in its socket.
TEST(PartsInBody, AHornFollowsItsOwnFleshAndAnEyeItsSocket) {
  const Head head({capsule({0, 1, 0.48}, {0, 1, 0.9}, 0.05), sphere({0.5, 1, 0}, 0.08)});
  const std::vector<Vec3> moved = head.displayed([](const Vec3& x) {
    if (x.z > 0.52) return Vec3{0.3 * (x.z - 0.52), 0, 0};
    return Vec3{x.x < 0.46 && x.x > 0.3 ? -0.03 : 0.0, 0, 0};
  });
  const std::vector<Vec3>& x = head.figure.surface.rest.positions;
  for (int v = head.first[0]; v < head.first[1]; ++v) {
    const auto at = static_cast<std::size_t>(v);
    EXPECT_NEAR(moved[at].x, 0.3 * std::max(0.0, x[at].z - 0.52), 0.03) << x[at].z;
  }
  for (std::size_t v = static_cast<std::size_t>(head.first[1]); v < x.size(); ++v)
    EXPECT_LT(norm(moved[v]), 1e-6) << "the skin around the eye stays";
}

// Triangles longer than elements make all of these stiff that they pass through.
TEST(PartsInBody, ElasticityIsStiffBetweenFarCorners) {
  const Head head({box({-0.04, 0.96, 0.45}, {0.04, 1.04, 1.2})});
  const TriangleMesh& rest = head.figure.surface.rest;
  const VolumeMesh body = mesh_volume(rest, options());
  KeptShape shape;
  keep_rigid_parts(head.figure.surface, head.parts, shape);
  const std::vector<double> stiffening = rigid_stiffening(body.mesh, rest, shape, body.embedding);
  std::vector<Vec3> along;
  for (double z = 0.6; z < 1.2; z += 0.01) along.push_back({0.04, 1.01, z});
  for (const EmbeddedPoint& point : embed_points(body.mesh, along).points)
    EXPECT_EQ(stiffening[static_cast<std::size_t>(point.tetrahedron)], 100);
}

}  // namespace
}  // namespace sinew
