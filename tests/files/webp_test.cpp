#include "sinew/files/webp.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "tests/files/decoded_webp.h"

namespace sinew {
namespace {

// Grey, with a red square of eight pixels at (x, 16).
Image square_at(int x) {
  Image image(48, 40);
  for (std::uint8_t& byte : image.rgb) byte = 200;
  for (int py = 16; py < 24; ++py)
    for (int px = x; px < x + 8; ++px) image.pixel(px, py)[1] = image.pixel(px, py)[2] = 20;
  return image;
}

int largest_difference(const Image& a, const Image& b) {
  int largest = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) largest = std::max(largest, std::abs(a.rgb[i] - b.rgb[i]));
  return largest;
}

TEST(Webp, FramesComeBackWithTheirTimes) {
  const std::vector<Image> frames{square_at(4), square_at(13), square_at(13), square_at(30)};
  WebpAnimation animation(48, 40, {100});
  animation.add(std::span(frames).subspan(0, 2), std::vector<int>{40, 42});
  animation.add(std::span(frames).subspan(2), std::vector<int>{33, 50});
  const std::vector<test::DecodedFrame> back = test::decoded_webp(animation.bytes());
  ASSERT_EQ(back.size(), 4u);
  const int durations[] = {40, 42, 33, 50};
  for (std::size_t f = 0; f < 4; ++f) {
    EXPECT_EQ(back[f].milliseconds, durations[f]);
    EXPECT_LT(largest_difference(back[f].canvas, frames[f]), 70) << f;  // colours bleed by a pixel at the square's edge
    EXPECT_NEAR(back[f].canvas.pixel(f == 0 ? 8 : f == 3 ? 34 : 17, 20)[1], 20, 12);
  }
  // Only what moved is stored.
  EXPECT_EQ(back[1].x, 4);
  EXPECT_EQ(back[1].y, 16);
}

TEST(Webp, SameBytesForAnyNumberOfThreads) {
  const std::vector<Image> frames{square_at(4), square_at(9), square_at(20)};
  const std::vector<int> milliseconds{40, 40, 40};
  const auto bytes = [&](int threads) {
    set_thread_count(threads);
    WebpAnimation animation(48, 40);
    animation.add(frames, milliseconds);
    set_thread_count(0);
    return animation.bytes();
  };
  EXPECT_EQ(bytes(1), bytes(3));
}

TEST(Webp, WrongSizesAreErrors) {
  EXPECT_THROW(WebpAnimation(0, 10), Error);
  EXPECT_THROW(WebpAnimation(20000, 10), Error);
  WebpAnimation animation(50, 40);
  EXPECT_THROW(animation.add(std::vector<Image>{square_at(4)}, std::vector<int>{40}), Error);
}

}  // namespace
}  // namespace sinew
