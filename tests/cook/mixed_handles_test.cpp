// The method `mixed` with free handles, cooked: bodies without a skeleton, handles beside bones, and what is refused.
#include <gtest/gtest.h>

#include <memory>

#include "sinew/base/threads/parallel.h"
#include "sinew/contact/surface_patch.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/mixed/mixed_method.h"
#include "sinew/files/handles_json.h"
#include "sinew/jobs/open_character.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/session/session.h"
#include "tests/bake/tube_character.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

Character duck() { return open_character(SINEW_SOURCE_DIR "/samples/duck.obj").character; }

HandleSettings handle_of(HandleKind kind, const Vec3& place, double radius = 0.03) {
  HandleSettings handle;
  handle.kind = kind;
  handle.place = place;
  handle.radius = radius;
  return handle;
}

Scene led_by(const Character& character, const std::vector<HandleSettings>& handles, int tetrahedra = 700,
             MixedMaterial material = MixedMaterial::corotated) {
  MixedMethod mixed;
  mixed.values.tetrahedra = tetrahedra;
  mixed.values.material = material;
  mixed.values.handles = handles_json(handles);
  return cook(mixed, {character});
}

std::vector<Vec3> surface_of(const Character& character, const Scene& scene, const Playback& playback = {},
                             double time = 0) {
  Session session(scene.completed ? *scene.completed : character, scene, playback);
  session.go_to(time);
  std::vector<Vec3> surface(scene.surface->rest.positions.size());
  session.surface(surface);
  return surface;
}

Vec3 middle_of(const TriangleMesh& mesh) {
  Box box;
  for (const Vec3& p : mesh.positions) box.include(p);
  return (box.lower + box.upper) / 2;
}

TEST(CookedHandles, AFrameMovesAWholeBodyWithoutASkeletonRigidly) {
  const Character character = duck();
  HandleSettings frame = handle_of(HandleKind::frame, {0, 0.05, 0});
  frame.move = {0.3, 0.1, -0.2};
  frame.turn = {30, 100, -50};
  for (const MixedMaterial material : {MixedMaterial::arap, MixedMaterial::corotated}) {
    const Scene scene = led_by(character, {frame}, 700, material);
    const std::vector<Vec3>& rest = scene.surface->rest.positions;
    const Affine motion = motion_about(frame.place, {0, frame.move, frame.turn});
    const std::vector<Vec3> led = surface_of(character, scene);
    double worst = 0;
    for (std::size_t v = 0; v < rest.size(); ++v) worst = std::max(worst, distance(led[v], motion * rest[v]));
    EXPECT_LT(worst, 1e-9 * scene.height);
    frame.move = frame.turn = {};
    EXPECT_EQ(surface_of(character, led_by(character, {frame}, 700, material)), rest);
    frame.move = {0.3, 0.1, -0.2};
    frame.turn = {30, 100, -50};
  }
}

TEST(CookedHandles, PointsAreMetExactlyWhereverTheyAre) {
  const Character character = duck();
  const Scene unled = led_by(character, {handle_of(HandleKind::point, {0, 0.05, 0})});
  const TriangleMesh& rest = unled.surface->rest;
  // One inside and one at a vertex of the skin, with a radius smaller than any tetrahedron.
  const std::size_t skin = rest.positions.size() / 2;
  HandleSettings inside = handle_of(HandleKind::point, middle_of(rest)),
                 outside = handle_of(HandleKind::point, rest.positions[skin], 0.003);
  outside.move = {0.02, 0.03, 0.01};
  const Scene scene = led_by(character, {inside, outside});
  const std::vector<Vec3> led = surface_of(character, scene);
  EXPECT_LT(distance(led[skin], rest.positions[skin] + outside.move), 1e-9 * scene.height);
}

TEST(CookedHandles, WithoutAnyTheBodyIsThatOfItsBones) {
  const Character character = test::tube_character();
  const Playback swing{&character.clips[0], nullptr, {.length = 1}};
  const Scene bones = led_by(character, {});
  MixedMethod mixed;
  mixed.values.tetrahedra = 700;
  mixed.values.material = MixedMaterial::corotated;
  mixed.values.handles = R"({"handles": []})";
  const Scene none = cook(mixed, {character});
  EXPECT_EQ(surface_of(character, bones, swing, 0.3), surface_of(character, none, swing, 0.3));
}

TEST(CookedHandles, GoWithTheJointThatCarriesThem) {
  const Character character = test::tube_character();
  const Playback swing{&character.clips[0], nullptr, {.length = 1}};
  const Scene bones = led_by(character, {});
  const TriangleMesh& rest = bones.surface->rest;
  std::size_t top = 0;
  for (std::size_t v = 0; v < rest.positions.size(); ++v)
    if (rest.positions[v].y > rest.positions[top].y) top = v;
  HandleSettings point = handle_of(HandleKind::point, rest.positions[top], 0.02);
  point.move = {0, 0.1, 0};
  point.joint = bones.surface->bones[1].name;
  const Scene carried = led_by(character, {point});
  const Session session(character, carried, swing);
  const Affine bone = session.moment_at(0.3).bones[1];
  const std::vector<Vec3> led = surface_of(character, carried, swing, 0.3);
  EXPECT_LT(distance(led[top], bone * (rest.positions[top] + point.move)), 1e-9);
  // In the world it stays where it is, and the bones move the rest.
  point.joint.clear();
  const std::vector<Vec3> fixed = surface_of(character, led_by(character, {point}), swing, 0.3);
  EXPECT_LT(distance(fixed[top], rest.positions[top] + point.move), 1e-9);
  EXPECT_GT(distance(fixed[0], rest.positions[0]), 0.02);
}

TEST(CookedHandles, KeysMoveThemOverTime) {
  const Character character = duck();
  HandleSettings still = handle_of(HandleKind::frame, {0, 0.03, 0}),
                 keyed = handle_of(HandleKind::point, {0, 0.1, 0.06});
  keyed.keys = {{1, {}, {}}, {2, {0, 0.04, 0}, {}}};
  const Scene scene = led_by(character, {still, keyed});
  EXPECT_EQ(scene.keyed_until, 2);
  const Playback long_enough{nullptr, nullptr, {.length = 2}};
  const std::vector<Vec3>& rest = scene.surface->rest.positions;
  EXPECT_EQ(surface_of(character, scene, long_enough, 0.5), rest);
  const std::vector<Vec3> half = surface_of(character, scene, long_enough, 1.5),
                          whole = surface_of(character, scene, long_enough, 2);
  double farthest_half = 0, farthest = 0;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    farthest_half = std::max(farthest_half, distance(half[v], rest[v]));
    farthest = std::max(farthest, distance(whole[v], rest[v]));
  }
  EXPECT_GT(farthest, 0.03);
  EXPECT_NEAR(farthest_half, farthest / 2, 0.1 * farthest);
}

TEST(CookedHandles, ChangesOfTheMotionAloneKeepTheBody) {
  const Character character = duck();
  MixedMethod mixed;
  mixed.values.tetrahedra = 700;
  HandleSettings frame = handle_of(HandleKind::frame, {0, 0.05, 0});
  mixed.values.handles = handles_json({frame});
  CookInput input{character};
  input.revision = {1, 1};
  CookCache cache;
  const Scene first = mixed.cook(input, cache, {});
  frame.move = {0, 0.1, 0};
  mixed.values.handles = handles_json({frame});
  EXPECT_TRUE(mixed.is_quick(input, cache));
  const Scene second = mixed.cook(input, cache, {});
  EXPECT_EQ(second.surface.get(), first.surface.get());  // the same body
  EXPECT_NE(second.fingerprint, first.fingerprint);
  CookCache nothing;
  EXPECT_EQ(surface_of(character, second), surface_of(character, mixed.cook(input, nothing, {})));
  frame.radius = 0.05;
  mixed.values.handles = handles_json({frame});
  EXPECT_NE(mixed.cook(input, cache, {}).surface.get(), first.surface.get());
}

TEST(CookedHandles, ABodyWhosePinsAreSpringsHoldsItsHandlesExactly) {
  const Character character = test::tube_character();
  MixedMethod mixed;
  mixed.values.tetrahedra = 700;
  mixed.values.pins = Pinning::tied;
  HandleSettings point = handle_of(HandleKind::point, {0, 0.5, 0}, 0.05);
  point.move = {0.1, 0, 0};
  mixed.values.handles = handles_json({point});
  const Scene scene = cook(mixed, {character});
  const std::unique_ptr<Deformer> deformer = scene.bare();
  Environment environment;
  environment.handles = {{Mat3::identity(), point.move}};
  deformer->advance({0, std::vector<Affine>(scene.bones.size())}, environment);
  double nearest = 1;
  for (const Vec3& p : deformer->points()) nearest = std::min(nearest, distance(p, point.place + point.move));
  EXPECT_LT(nearest, 0.05);
}

// The mean normal, by area, of the skin around a vertex.
Vec3 normal_around(const TriangleMesh& rest, std::size_t vertex, double radius) {
  std::vector<char> in_patch(rest.positions.size(), 0);
  for (const PatchVertex& v : patch_around(rest, at_vertex(static_cast<int>(vertex)), radius))
    in_patch[static_cast<std::size_t>(v.vertex)] = 1;
  Vec3 sum;
  for (const Triangle& t : rest.triangles) {
    const auto corner = [&](std::size_t k) { return rest.positions[static_cast<std::size_t>(t[k])]; };
    for (const int v : t)
      if (in_patch[static_cast<std::size_t>(v)]) sum += cross(corner(1) - corner(0), corner(2) - corner(0));
  }
  return normalized(sum);
}

// A slide at the top of a duck, whose normal points up there: its skin rises with the slide and goes sideways with the
// rest.
TEST(CookedHandles, ASlideHoldsSkinAlongItsNormalAlone) {
  const Character character = duck();
  const Scene unled_scene = led_by(character, {handle_of(HandleKind::point, {0, 0.05, 0})});
  const std::vector<Vec3>& rest = unled_scene.surface->rest.positions;
  std::size_t top = 0;
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (rest[v].y > rest[top].y) top = v;
  const Vec3 normal = normal_around(unled_scene.surface->rest, top, 0.02);
  HandleSettings base = handle_of(HandleKind::frame, {0, 0.02, 0}, 0.02),
                 slide = handle_of(HandleKind::slide, rest[top], 0.02);
  for (const MixedMaterial material :
       {MixedMaterial::arap, MixedMaterial::corotated, MixedMaterial::stable_neo_hookean}) {
    const Scene scene = led_by(character, {base, slide}, 500, material);
    const std::vector<Vec3> unled = surface_of(character, scene);
    for (std::size_t v = 0; v < rest.size(); ++v) EXPECT_LT(distance(unled[v], rest[v]), 1e-5 * scene.height);
    HandleSettings moved_base = base, moved_slide = slide;
    moved_base.move = {0.03, 0, 0};
    moved_slide.move = {0, 0.02, 0};
    const std::vector<Vec3> led = surface_of(character, led_by(character, {moved_base, moved_slide}, 500, material));
    EXPECT_NEAR(dot(normal, led[top] - rest[top]), dot(normal, moved_slide.move), 1e-5 * scene.height);
    EXPECT_GT(led[top].x - rest[top].x, 0.02) << static_cast<int>(material);
  }
  // Two that hold the same skin at different heights contradict one another.
  HandleSettings higher = slide;
  higher.move = {0, 0.02, 0};
  EXPECT_NE(test::refusal(ErrorKind::simulation,
                          [&] {
                            surface_of(character, led_by(character, {base, slide, higher}, 500));
                          })
                .find("handles that slide"),
            std::string::npos);
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { led_by(character, {slide}); }).find("slides alone"),
            std::string::npos);
}

TEST(CookedHandles, WhatCannotBeIsRefused) {
  const Character character = duck();
  const auto complaint = [&](const std::vector<HandleSettings>& handles, int tetrahedra = 300) {
    return test::refusal(ErrorKind::usage, [&] {
      const Scene scene = led_by(character, handles, tetrahedra);
      surface_of(character, scene);
    });
  };
  const auto says = [&](const std::string& sentence, const char* what) {
    EXPECT_NE(sentence.find(what), std::string::npos) << sentence;
  };
  says(complaint({handle_of(HandleKind::point, {0, 3, 0})}), "handle 1 is");
  says(complaint({handle_of(HandleKind::point, {0, 0.05, 0}, 2)}), "they hold all");
  says(complaint({handle_of(HandleKind::point, {0, 0.05, 0}, 0.1), handle_of(HandleKind::frame, {0, 0.051, 0}, 1e-3)}),
       "handle 2 holds nothing");
  HandleSettings carried = handle_of(HandleKind::point, {0, 0.05, 0});
  carried.joint = "wing";
  says(complaint({carried}), "no joint 'wing'");
  // There are more of them than the body has room for.
  std::vector<HandleSettings> many;
  const std::vector<Vec3> skin =
      led_by(character, {handle_of(HandleKind::point, {0, 0.05, 0})}, 60).surface->rest.positions;
  for (std::size_t k = 0; k < most_handles; ++k) many.push_back(handle_of(HandleKind::point, skin[k], 1e-3));
  EXPECT_FALSE(complaint(many, 60).empty());
}

}  // namespace
}  // namespace sinew
