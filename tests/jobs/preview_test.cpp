#include "sinew/jobs/pictures/preview.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/files/png.h"
#include "sinew/jobs/pictures/motion_strip.h"
#include "sinew/picture/colors.h"
#include "tests/bake/tube_character.h"
#include "tests/files/decoded_webp.h"
#include "tests/gltf/read_builder.h"

namespace sinew {
namespace {

// `frames` frames of the tube's clip; its flesh is `offset` metres off the rig, at its upper end.
Recording moved(const Character& character, const Vec3& offset, int frames = 8, double frames_per_second = 24) {
  Recording recording;
  recording.clip = 0;
  recording.frames_per_second = frames_per_second;
  const std::vector<Vec3>& rest = character.parts[0].surface.positions;
  recording.parts.push_back({0, static_cast<int>(rest.size()), {}});
  for (int f = 0; f < frames; ++f) {
    recording.times.push_back(f / frames_per_second);
    for (const Vec3& x : rest) {
      const double share = x.y * character.metres_per_unit > 0.5 ? 1 : 0;
      for (const double d : {offset.x, offset.y, offset.z})
        recording.parts[0].displacement.push_back(static_cast<float>(share * d));
    }
  }
  return recording;
}

struct Animation {
  std::vector<Image> frames;
  std::vector<int> milliseconds;
};

Animation decoded(const std::vector<std::byte>& file) {
  Animation result;
  for (const test::DecodedFrame& frame : test::decoded_webp(file)) {
    result.frames.push_back(frame.canvas);
    result.milliseconds.push_back(frame.milliseconds);
  }
  return result;
}

// Pixels of the left half that are not as those of the right half, within rows below the labels.
int differing(const Image& sheet, int from_row, int to_row) {
  int count = 0;
  for (int y = from_row; y < to_row; ++y)
    for (int x = 0; x < sheet.width / 2; ++x)
      for (int c = 0; c < 3; ++c)
        if (std::abs(sheet.pixel(x, y)[c] - sheet.pixel(x + sheet.width / 2, y)[c]) > 40) {
          ++count;
          break;
        }
  return count;
}

TEST(PreviewAnimation, RigOnTheLeftFleshOnTheRight) {
  const Character character = test::tube_character(0.01);
  std::vector<std::string> notes;
  const Animation animation = decoded(preview_animation(character, moved(character, {0.06, 0, 0}), {}, notes));
  EXPECT_TRUE(notes.empty());
  ASSERT_EQ(animation.frames.size(), 8u);
  EXPECT_EQ(animation.milliseconds, (std::vector<int>{42, 41, 42, 42, 41, 42, 42, 41}));  // 1/24 s each
  const Image& sheet = animation.frames[5];
  EXPECT_NEAR(sheet.width / 2 * sheet.height, 480 * 480, 3000);
  // The upper half of the tube is moved, its lower end is not.
  EXPECT_GT(differing(sheet, sheet.height / 10, sheet.height / 2), 500);
  EXPECT_LT(differing(sheet, 9 * sheet.height / 10, sheet.height), 60);

  const Animation still = decoded(preview_animation(character, moved(character, {}), {}, notes));
  EXPECT_LT(differing(still.frames[5], sheet.height / 10, sheet.height), 60);  // what the encoder leaves
}

TEST(PreviewAnimation, NoMoreThanThirtyFramesASecondAndTenSeconds) {
  const Character character = test::tube_character();
  std::vector<std::string> notes;
  const Animation fast = decoded(preview_animation(character, moved(character, {0.01, 0, 0}, 9, 120), {}, notes));
  ASSERT_EQ(fast.frames.size(), 3u);
  EXPECT_EQ(fast.milliseconds[1], 34);  // 33.3, rounded so that the sums are right
  EXPECT_TRUE(notes.empty());
  decoded(preview_animation(character, moved(character, {0.01, 0, 0}, 24, 2), {}, notes));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("liveliest 10 s"), std::string::npos);
}

TEST(PreviewAnimation, SameBytesForAnyNumberOfThreads) {
  const Character character = test::tube_character();
  const Recording recording = moved(character, {0.05, 0, 0}, 3);
  std::vector<std::string> notes;
  set_thread_count(1);
  const std::vector<std::byte> one = preview_animation(character, recording, {}, notes);
  set_thread_count(3);
  EXPECT_EQ(preview_animation(character, recording, {}, notes), one);
  set_thread_count(0);
}

TEST(PreviewAnimation, StopsWhenAsked) {
  const Character character = test::tube_character();
  std::vector<std::string> notes;
  EXPECT_THROW(
      preview_animation(character, moved(character, {}), {}, notes, [](const ProgressReport&) { return false; }),
      Stopped);
}

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Many frames are drawn at once, and a stop waits for none of them.
TEST(PreviewAnimation, AStopIsSoonWhileFramesAreDrawn) {
  const Character character = test::tube_character();
  const Recording recording = moved(character, {0.05, 0, 0}, 48);
  for (const int threads : {1, 2}) {
    set_thread_count(threads);
    std::vector<std::string> notes;
    double refused = 0;
    const double begin = processor_seconds();
    const StopInLoops stop([&](const ProgressReport&) {
      if (processor_seconds() - begin < 0.3) return true;
      if (refused == 0) refused = processor_seconds();
      return false;
    });
    EXPECT_THROW(preview_animation(character, recording, {}, notes, stop.progress()), Stopped);
    ASSERT_GT(refused, 0);
    EXPECT_LT(processor_seconds() - refused, 0.15) << threads << " threads";
  }
  set_thread_count(0);
}

// Far and near, large and small, standing and travelling: the character takes the same part of the picture.
TEST(PreviewStage, TheCharacterFillsItsPictureAndIsFollowed) {
  const auto part_of_height = [](const Character& character) {
    const Recording recording = moved(character, {});
    const PreviewOptions options;
    const PreviewStage stage(character, recording, {0, 3, 7}, options);
    PictureOptions cell = stage.cell(100 * 100);
    double least = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      PictureScene scene = stage.scene(i, false);
      scene.ground = false;
      const Image image = render(scene, stage.camera(), cell);
      int top = cell.height, bottom = -1;
      for (int y = 0; y < cell.height; ++y)
        for (int x = 0; x < cell.width; ++x)
          if (std::abs(image.pixel(x, y)[1] - background_color(y, cell.height).y) > 8)
            top = std::min(top, y), bottom = y;
      least = std::min(least, static_cast<double>(bottom + 1 - top) / cell.height);
    }
    return least;
  };
  const Character character = test::tube_character();
  EXPECT_GT(part_of_height(character), 0.8);
  EXPECT_GT(part_of_height(test::tube_character(0.01)), 0.8);
  Character travelling = character;
  for (Channel& channel : travelling.clips[0].channels)
    if (channel.path == ChannelPath::translation)
      for (std::size_t k = 0; k < channel.times.size(); ++k) channel.values[3 * k + 2] += 40 * channel.times[k];
  EXPECT_GT(part_of_height(travelling), 0.75);
}

// A floor that came along with the file is no reason to stand far off.
TEST(PreviewStage, AFloorDoesNotCount) {
  Character character = test::tube_character();
  const Recording recording = moved(character, {});
  const PreviewOptions options;
  const Camera alone = PreviewStage(character, recording, {0, 4}, options).camera();
  Part floor;
  floor.joint = 0;
  floor.surface = {{{-50, 0, -50}, {50, 0, -50}, {0, 0, 50}}, {{0, 1, 2}}};
  character.parts.push_back(floor);
  const Camera with = PreviewStage(character, recording, {0, 4}, options).camera();
  EXPECT_NEAR(distance(alone.eye, with.eye), 0, 1e-12);
  // A hat does.
  character.parts.back().surface.positions = {{-0.3, 1.2, 0}, {0.3, 1.2, 0}, {0, 1.3, 0}};
  EXPECT_GT(distance(alone.eye, PreviewStage(character, recording, {0, 4}, options).camera().eye), 0.1);
}

// A sky would take all light, and the view from outside it.
TEST(PreviewStage, WhatStandsAroundTheCharacterIsLeftOut) {
  const Character character = test::tube_character();
  const Recording recording = moved(character, {});
  const PreviewOptions options;
  const PreviewStage alone(character, recording, {0}, options);
  for (const bool has_floor : {false, true}) {
    Character below = character;
    below.parts.emplace_back();
    below.parts[1].joint = 0;
    below.parts[1].surface = test::sphere({0, has_floor ? 0.5 : 0.0, 0}, 20, 12);
    if (has_floor)  // half of it, on the ground
      for (Vec3& x : below.parts[1].surface.positions) x.y = std::max(x.y, 0.0);
    const PreviewStage stage(below, recording, {0}, options);
    ASSERT_EQ(stage.scene(0, true).meshes.size(), 1u);
    EXPECT_EQ(stage.camera().eye, alone.camera().eye);
    EXPECT_EQ(stage.scene(0, true).meshes[0].surface.positions, alone.scene(0, true).meshes[0].surface.positions);
  }
  // A hat is not around the character, and a collar is hardly larger.
  Character dressed = character;
  dressed.parts.emplace_back();
  dressed.parts[1].joint = 0;
  dressed.parts[1].surface = test::sphere({0, 1, 0}, 0.3, 12);
  EXPECT_EQ(PreviewStage(dressed, recording, {0}, options).scene(0, true).meshes.size(), 2u);
}

// A sky may have a skin of its own; a body around its own eyes is none, however much larger it is.
TEST(PreviewStage, ASkyWithASkinIsLeftOutAndABodyIsNot) {
  const Character character = test::tube_character();
  const Recording recording = moved(character, {});
  const PreviewOptions options;
  const PreviewStage alone(character, recording, {0}, options);
  const auto skinned_sphere = [&](const Vec3& centre, double radius) {
    Part part;
    part.joint = 0;
    part.skin = part.node_skin = character.parts[0].skin;
    part.surface = test::sphere(centre, radius, 12);
    part.influences.assign(part.surface.positions.size(), character.parts[0].influences[0]);
    return part;
  };
  Character below = character;
  below.parts.push_back(skinned_sphere({0, 0.5, 0}, 20));
  below.parts.push_back(skinned_sphere({0, 0.5, 0}, 22));  // clouds
  const PreviewStage stage(below, recording, {0}, options);
  ASSERT_EQ(stage.scene(0, true).meshes.size(), 1u);
  EXPECT_EQ(stage.camera().eye, alone.camera().eye);
  Character seeing = character;
  for (const double side : {-0.04, 0.04}) seeing.parts.push_back(skinned_sphere({side, 0.9, 0.06}, 0.02));
  EXPECT_EQ(PreviewStage(seeing, recording, {0}, options).scene(0, true).meshes.size(), 3u);
}

TEST(Preview, ViewsLookFromTheirSides) {
  const Character character = test::tube_character();
  const Recording recording = moved(character, {});
  PreviewOptions options;
  const auto back = [&](const char* name) {
    options.view = preview_view_from(name);
    const Camera camera = PreviewStage(character, recording, {0}, options).camera();
    return normalized(camera.eye - camera.target);
  };
  EXPECT_GT(back("front").z, 0.98);
  EXPECT_GT(back("side").x, 0.98);
  EXPECT_GT(back("three-quarter").x, 0.4);
  EXPECT_GT(back("three-quarter").z, 0.4);
  EXPECT_THROW(preview_view_from("top"), Error);
}

// A document whose one material wears a picture: left half red, right half blue.
GltfDocument red_and_blue() {
  Image image(4, 2);
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 4; ++x) image.pixel(x, y)[x < 2 ? 0 : 2] = 255;
  const std::vector<std::byte> png = encode_png(image);
  test::GltfBuilder builder;
  builder.json["images"] = {{{"bufferView", builder.view(png.data(), png.size())}}};
  builder.json["samplers"] = {{{"magFilter", 9728}}};
  builder.json["textures"] = {{{"source", 0}, {"sampler", 0}}};
  builder.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
  return builder.document();
}

// Red below half of the height, blue above.
Character painted_tube() {
  Character character = test::tube_character();
  Part& part = character.parts[0];
  part.material = 0;
  part.base_color = {1, 1, 1};
  for (const Vec3& x : part.surface.positions) part.texture_coordinates.push_back({x.y < 0.5 ? 0.1f : 0.9f, 0.5f});
  return character;
}

struct Hues {
  int red = 0, blue = 0;
};

Hues hues(const Image& image, int left, int top, int right, int bottom) {
  Hues found;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) {
      const std::uint8_t* p = image.pixel(x, y);
      found.red += p[0] > p[2] + 90;
      found.blue += p[2] > p[0] + 90;
    }
  return found;
}

TEST(Preview, TexturesAreWhereTheCoordinatesSay) {
  const Character character = painted_tube();
  PreviewOptions options;
  std::vector<std::string> notes;
  options.finishes = part_finishes(red_and_blue(), character, notes);
  EXPECT_TRUE(notes.empty());
  const Image sheet = preview_filmstrip(character, moved(character, {0.02, 0, 0}), options, 1);
  const int cell = sheet.height / 2;
  for (const int top : {0, cell}) {
    const Hues upper = hues(sheet, 0, top + cell / 10, sheet.width, top + 4 * cell / 10);
    const Hues lower = hues(sheet, 0, top + 6 * cell / 10, sheet.width, top + 9 * cell / 10);
    EXPECT_GT(upper.blue, 400);
    EXPECT_EQ(upper.red, 0);
    EXPECT_GT(lower.red, 400);
    EXPECT_EQ(lower.blue, 0);
  }
}

TEST(Preview, VertexColoursTintTheMaterial) {
  Character character = test::tube_character();
  character.parts[0].base_color = {1, 1, 0.5};
  character.parts[0].colors.assign(character.parts[0].surface.positions.size(), Vec3{0, 0.5, 1});
  const PictureScene scene = posed_scene(character, moved(character, {}), 0, true);
  EXPECT_EQ(scene.meshes.at(0).vertex_colors.at(3), (Vec3{0, 0.5, 0.5}));
}

TEST(Preview, HeatColoursFleshByItsDistanceAndSaysHowMuch) {
  const Character character = painted_tube();
  const Recording recording = moved(character, {0.04, 0, 0});
  PreviewOptions options;
  const Image plain = preview_filmstrip(character, recording, options, 2);
  options.heat = true;
  const PreviewStage stage(character, recording, {0, 4}, options);
  const PictureScene rig = stage.scene(1, false), flesh = stage.scene(1, true);
  EXPECT_TRUE(rig.meshes.at(0).vertex_colors.empty());
  const std::vector<Vec3>& colors = flesh.meshes.at(0).vertex_colors;
  const std::vector<Vec3>& rest = character.parts[0].surface.positions;
  ASSERT_EQ(colors.size(), rest.size());
  for (std::size_t v = 0; v < rest.size(); ++v)  // the scale ends at 5 cm
    EXPECT_NEAR(distance(colors[v], heat_color(rest[v].y > 0.5 ? 0.8 : 0)), 0, 1e-6);
  EXPECT_GT(preview_filmstrip(character, recording, options, 2).height, plain.height);  // a legend
}

// The tube bends in its clip; without channels it stands in each picture alike.
TEST(MotionStrip, ShowsTheCharacterAsItsClipPosesIt) {
  const Character character = test::tube_character();
  Character still = character;
  still.clips.at(0).channels.clear();
  const Image strip = motion_strip(character, 0), stands = motion_strip(still, 0);
  for (const Image& image : {strip, stands}) {
    EXPECT_EQ(image.height, 88);
    EXPECT_EQ(image.width % 3, 0);
  }
  // Pixels of the first and last third that are not alike.
  const auto differ = [](const Image& image) {
    int count = 0;
    const int third = image.width / 3;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < third; ++x) count += std::abs(image.pixel(x, y)[0] - image.pixel(x + 2 * third, y)[0]) > 40;
    return count;
  };
  EXPECT_GT(differ(strip), 100);
  EXPECT_EQ(differ(stands), 0);
  EXPECT_EQ(motion_strip(character, 0, {.height = 40, .count = 1}).height, 40);
}

}  // namespace
}  // namespace sinew
