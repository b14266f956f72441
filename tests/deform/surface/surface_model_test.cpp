#include "sinew/deform/surface/fit/build_surface_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/character/two_bones.h"

namespace sinew {
namespace {

// The tube on two joints, with a helper on the upper one that carries a little of the upper half.
Character character_with_helper() {
  Character character =
      test::two_bone_tube(12, 8, 1, 0.12, [](double height) { return std::clamp(3 * height - 1, 0.0, 1.0); });
  character.file = "tube";
  Joint helper;
  helper.name = "belly";
  helper.parent = 2;
  helper.rest.translation = {0.05, 0.1, 0};
  character.skeleton.joints.push_back(helper);
  character.skeleton.parents_first.push_back(3);
  character.skins[0].joints.push_back(3);
  character.skins[0].inverse_bind.push_back({Mat3::identity(), {-0.05, -0.6, 0}});
  for (std::size_t v = 0; v < character.parts[0].influences.size(); ++v) {
    Influences& influences = character.parts[0].influences[v];
    if (influences.count != 1 || influences.joint[0] != 1) continue;  // wholly on "upper"
    influences.count = 2;
    influences.joint = {1, 2};
    influences.weight = {0.75, 0.25};
  }
  return character;
}

struct Built {
  Character character;
  SimulationSurface surface;
  SurfaceModel model;
};

Built built(const SurfaceModelOptions& options = {}) {
  Built b{character_with_helper(), {}, {}};
  b.surface = simulation_surface(b.character);
  b.model = build_surface_model(b.character, b.surface, options);
  return b;
}

TEST(SurfaceModel, FollowsTheRigUntilItIsFitted) {
  const SurfaceModel model = built({.step = 0.01, .reference = ShapeReference::rest, .height = 2}).model;
  EXPECT_EQ(model.step, 0.01);
  EXPECT_EQ(model.reference, ShapeReference::rest);
  EXPECT_EQ(model.height, 2);
  EXPECT_EQ(model.reach, 0.5);
  EXPECT_TRUE(model.shape.empty());
  for (const VertexParameters& p : model.parameters) EXPECT_EQ(p, (VertexParameters{.alpha = 1, .delta = 1}));
}

TEST(SurfaceModel, NeighboursAreTheEndsOfEdges) {
  const Built b = built();
  const std::size_t n = b.model.rest.size();
  ASSERT_EQ(b.model.first_neighbour.size(), n + 1);
  ASSERT_EQ(b.model.first_neighbour.back(), static_cast<int>(b.model.neighbours.size()));
  std::vector<std::vector<bool>> edge(n, std::vector<bool>(n));
  std::size_t ends = 0;
  for (const Triangle& t : b.surface.rest.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(t[k]), j = static_cast<std::size_t>(t[(k + 1) % 3]);
      edge[i][j] = edge[j][i] = true;
    }
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = b.model.first_neighbour[i]; k < b.model.first_neighbour[i + 1]; ++k) {
      const int j = b.model.neighbours[static_cast<std::size_t>(k)];
      EXPECT_TRUE(edge[i][static_cast<std::size_t>(j)]);
      if (k > b.model.first_neighbour[i]) {
        EXPECT_LT(b.model.neighbours[static_cast<std::size_t>(k - 1)], j);
      }
    }
    ends += static_cast<std::size_t>(std::count(edge[i].begin(), edge[i].end(), true));
  }
  EXPECT_EQ(ends, b.model.neighbours.size());
}

TEST(SurfaceModel, SpokesGoToTheNearestSegmentOfABoneThatHasACore) {
  const Built b = built();
  const int helper = static_cast<int>(std::find_if(b.surface.bones.begin(), b.surface.bones.end(),
                                                   [](const Bone& bone) { return bone.name == "belly"; }) -
                                      b.surface.bones.begin());
  ASSERT_LT(helper, static_cast<int>(b.surface.bones.size()));
  ASSERT_TRUE(b.surface.bones[static_cast<std::size_t>(helper)].helper);
  int on_helper = 0;
  for (std::size_t v = 0; v < b.model.rest.size(); ++v) {
    double weights = 0;
    for (int k = b.model.first_spoke[v]; k < b.model.first_spoke[v + 1]; ++k) {
      const Spoke& spoke = b.model.spokes[static_cast<std::size_t>(k)];
      const SurfaceSegment& segment = b.model.segments[static_cast<std::size_t>(spoke.segment)];
      weights += spoke.weight;
      EXPECT_NE(segment.bone, helper);
      // None of the bone's other segments is nearer.
      const double own = distance(b.model.rest[v], nearest_on_segment(segment.head, segment.tail, b.model.rest[v]));
      for (const SurfaceSegment& other : b.model.segments)
        if (other.bone == segment.bone) {
          EXPECT_LE(own, distance(b.model.rest[v], nearest_on_segment(other.head, other.tail, b.model.rest[v])));
        }
    }
    EXPECT_NEAR(weights, 1, 1e-12);
    const Influences& influences = b.model.influences[v];
    for (int k = 0; k < influences.count; ++k)
      if (influences.joint[static_cast<std::size_t>(k)] == helper) {
        ++on_helper;
        // Its share went to the bone that it hangs on, where it has the rest: one spoke with all of the weight.
        EXPECT_EQ(b.model.first_spoke[v + 1] - b.model.first_spoke[v], 1);
      }
  }
  EXPECT_GT(on_helper, 10);
}

TEST(SurfaceModel, KeepsTheFourStrongestInfluences) {
  Built b = built();
  Influences many;
  many.count = 6;
  many.joint = {0, 1, 2, 3, 4, 5};
  many.weight = {0.3, 0.25, 0.2, 0.15, 0.06, 0.04};
  while (b.surface.bones.size() < 6) b.surface.bones.push_back(b.surface.bones[1]);
  b.surface.influences[3] = many;
  const SurfaceModel model = build_surface_model(b.character, b.surface, {});
  const Influences& kept = model.influences[3];
  ASSERT_EQ(kept.count, max_surface_influences);
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(kept.joint[k], static_cast<int>(k));
    EXPECT_NEAR(kept.weight[k], many.weight[k] / 0.9, 1e-12);
    sum += kept.weight[k];
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(SurfaceModel, NormalsPointOutwards) {
  const SurfaceModel model = built().model;
  for (std::size_t v = 0; v < model.rest.size(); ++v) {
    EXPECT_NEAR(norm(model.normals[v]), 1, 1e-12);
    const Vec3 out{model.rest[v].x, 0, model.rest[v].z};
    if (model.rest[v].y > 0.1 && model.rest[v].y < 0.9) {
      EXPECT_GT(dot(model.normals[v], out), 0.9 * norm(out));
    }
  }
}

TEST(SurfaceModel, WhatIsNoTriangleDoesNoHarm) {
  Built b = built();
  b.surface.rest.triangles.push_back({0, 0, 1});
  b.surface.rest.triangles.push_back({2, 2, 2});
  b.surface.rest.positions.push_back({5, 5, 5});  // of no triangle
  b.surface.influences.push_back({});
  const SurfaceModel model = build_surface_model(b.character, b.surface, {});
  for (std::size_t v = 0; v < model.rest.size(); ++v) {
    EXPECT_NEAR(norm(model.normals[v]), 1, 1e-12);
    for (int k = model.first_neighbour[v]; k < model.first_neighbour[v + 1]; ++k)
      EXPECT_NE(model.neighbours[static_cast<std::size_t>(k)], static_cast<int>(v));
  }
  EXPECT_EQ(model.first_neighbour.end()[-1], model.first_neighbour.end()[-2]);
  EXPECT_EQ(model.first_spoke.end()[-1], model.first_spoke.end()[-2]);
}

TEST(SurfaceModel, PartsKnowTheirVertices) {
  const Built b = built();
  ASSERT_EQ(b.model.parts.size(), 1u);
  EXPECT_EQ(b.model.parts[0].name, "tube");
  EXPECT_EQ(b.model.parts[0].vertex_of, b.surface.vertex_of[0]);
}

TEST(SurfaceModel, NearestPointsOfSegments) {
  const Vec3 head{0, 0, 0}, tail{0, 2, 0};
  EXPECT_EQ(nearest_on_segment(head, tail, {1, 0.5, 0}), (Vec3{0, 0.5, 0}));
  EXPECT_EQ(nearest_on_segment(head, tail, {1, -3, 0}), head);
  EXPECT_EQ(nearest_on_segment(head, tail, {1, 7, 2}), tail);
  EXPECT_EQ(nearest_on_segment(tail, tail, {1, 7, 2}), tail);
}

}  // namespace
}  // namespace sinew
