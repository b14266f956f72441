#include "sinew/picture/filmstrip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/files/png.h"
#include "sinew/jobs/pictures/preview.h"
#include "sinew/picture/text.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

PictureScene pyramid(double x, double y) {
  PictureScene scene;
  scene.meshes.push_back({{{{x - 1, y, -1}, {x + 1, y, -1}, {x + 1, y, 1}, {x - 1, y, 1}, {x, y + 2, 0}},
                           {{0, 1, 2}, {0, 2, 3}, {0, 4, 1}, {1, 4, 2}, {2, 4, 3}, {3, 4, 0}}},
                          {0.2, 0.4, 0.8},
                          {}});
  return scene;
}

TEST(Png, ReadsBack) {
  Image image(7, 5);
  for (std::size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = static_cast<std::uint8_t>(37 * i + 11);
  const auto path = test::scratch_path("image.png");
  write_png(path, image);
  const Image back = decode_png(read_file(path), path);
  std::filesystem::remove(path);
  EXPECT_EQ(back.width, 7);
  EXPECT_EQ(back.height, 5);
  EXPECT_EQ(back.rgb, image.rgb);
}

TEST(Png, OtherBytesAreAnInputError) {
  const std::vector<std::byte> bytes(100, std::byte{42});
  try {
    decode_png(bytes, "broken.png");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("broken.png"), std::string::npos);
  }
}

TEST(PictureText, DotsAndWidth) {
  EXPECT_EQ(text_width("", 2), 0);
  EXPECT_EQ(text_width("1.5 s", 2), (5 * 6 - 1) * 2);
  Image image(6, 7);
  draw_text(image, 0, 0, "l", {255, 255, 255});  // an upright with a foot, like a capital L
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 6; ++x) EXPECT_EQ(image.pixel(x, y)[0], (x == 0 || (y == 6 && x < 5)) ? 255 : 0) << x << y;
  draw_text(image, -3, 5, "cut off", {255, 255, 255}, 3);  // stays inside
}

TEST(Filmstrip, EachCellIsItsPictureByTheOneCamera) {
  Filmstrip strip;
  strip.rows = {{pyramid(0, 0), pyramid(1, 0)}, {pyramid(0, 1), pyramid(-1, 0)}};
  FilmstripOptions options;
  options.cell = {40, 50, 1};
  const Image sheet = render_filmstrip(strip, options);
  ASSERT_EQ(sheet.width, 80);
  ASSERT_EQ(sheet.height, 100);
  std::vector<const PictureScene*> scenes;
  for (const auto& row : strip.rows)
    for (const PictureScene& scene : row) scenes.push_back(&scene);
  const Camera camera = fit_camera(scenes, 40.0 / 50.0);
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 2; ++column) {
      const Image cell =
          render(strip.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)], camera, options.cell);
      for (int y = 0; y < 50; ++y)
        for (int x = 0; x < 40; ++x)
          for (int channel = 0; channel < 3; ++channel)
            ASSERT_EQ(sheet.pixel(column * 40 + x, row * 50 + y)[channel], cell.pixel(x, y)[channel]);
    }
}

TEST(Filmstrip, LabelsAreDrawnInTheirCorners) {
  Filmstrip strip;
  strip.rows = {{pyramid(0, 0)}, {pyramid(0, 0)}};
  FilmstripOptions options;
  options.cell = {120, 120, 1};
  const Image plain = render_filmstrip(strip, options);
  strip.row_labels = {"rig", "flesh"};
  strip.column_labels = {"0.40 s"};
  const Image labelled = render_filmstrip(strip, options);
  const auto differs = [&](int left, int top, int width, int height) {
    int count = 0;
    for (int y = top; y < top + height; ++y)
      for (int x = left; x < left + width; ++x) count += plain.pixel(x, y)[1] != labelled.pixel(x, y)[1];
    return count;
  };
  EXPECT_GT(differs(0, 0, 60, 30), 10);     // "rig"
  EXPECT_GT(differs(0, 120, 60, 30), 10);   // "flesh"
  EXPECT_GT(differs(60, 210, 60, 30), 10);  // "0.40 s"
  EXPECT_EQ(differs(0, 0, 120, 240), differs(0, 0, 60, 30) + differs(0, 120, 60, 30) + differs(60, 210, 60, 30));
}

TEST(Filmstrip, UnevenRowsAndWrongLabelsAreErrors) {
  Filmstrip strip;
  EXPECT_THROW(render_filmstrip(strip), Error);
  strip.rows = {{pyramid(0, 0)}, {}};
  EXPECT_THROW(render_filmstrip(strip), Error);
  strip.rows = {{pyramid(0, 0)}};
  strip.row_labels = {"a", "b"};
  EXPECT_THROW(render_filmstrip(strip), Error);
}

TEST(Filmstrip, StopsWhenAsked) {
  Filmstrip strip;
  strip.rows = {{pyramid(0, 0), pyramid(0, 0)}};
  FilmstripOptions options;
  options.cell = {8, 8, 1};
  EXPECT_THROW(render_filmstrip(strip, options, [](const ProgressReport&) { return false; }), Stopped);
}

// Flesh is liveliest around the border of two spans: it is shown there once.
TEST(Filmstrip, LivelyFramesAreNotNextToEachOther) {
  Recording recording;
  recording.parts.push_back({0, 1, {}});
  for (int f = 0; f < 40; ++f) {
    recording.times.push_back(f / 30.0);
    const auto away = static_cast<float>(1.0 / (1 + std::abs(f - 19.6)));
    recording.parts[0].displacement.insert(recording.parts[0].displacement.end(), {away, 0, 0});
  }
  EXPECT_EQ(liveliest_frames(recording, 2), (std::vector<int>{19, 29}));
  EXPECT_EQ(liveliest_frames(recording, 1), (std::vector<int>{20}));
  EXPECT_EQ(liveliest_frames(recording, 100).size(), 40u);
}

}  // namespace
}  // namespace sinew
