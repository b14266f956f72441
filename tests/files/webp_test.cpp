#include "sinew/files/webp.h"

#include <gtest/gtest.h>
#include <webp/decode.h>
#include <webp/mux.h>

#include <cstdlib>
#include <memory>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"

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

struct DecodedFrame {
  WebPMuxFrameInfo info;
  Image canvas;  // with this frame and all before it
};

std::vector<DecodedFrame> decoded(const std::vector<std::byte>& file, int width, int height) {
  const WebPData data{reinterpret_cast<const std::uint8_t*>(file.data()), file.size()};
  const std::unique_ptr<WebPMux, void (*)(WebPMux*)> mux(WebPMuxCreate(&data, 0), WebPMuxDelete);
  EXPECT_NE(mux, nullptr);
  int canvas_width = 0, canvas_height = 0, count = 0;
  EXPECT_EQ(WebPMuxGetCanvasSize(mux.get(), &canvas_width, &canvas_height), WEBP_MUX_OK);
  EXPECT_EQ(canvas_width, width);
  EXPECT_EQ(canvas_height, height);
  EXPECT_EQ(WebPMuxNumChunks(mux.get(), WEBP_CHUNK_ANMF, &count), WEBP_MUX_OK);
  std::vector<DecodedFrame> frames;
  Image canvas(width, height);
  for (int f = 1; f <= count; ++f) {
    WebPMuxFrameInfo info;
    EXPECT_EQ(WebPMuxGetFrame(mux.get(), static_cast<std::uint32_t>(f), &info), WEBP_MUX_OK);
    int w = 0, h = 0;
    const std::unique_ptr<std::uint8_t, void (*)(void*)> pixels(
        WebPDecodeRGB(info.bitstream.bytes, info.bitstream.size, &w, &h), WebPFree);
    Image part(w, h);
    part.rgb.assign(pixels.get(), pixels.get() + part.rgb.size());
    paste(part, info.x_offset, info.y_offset, canvas);
    WebPDataClear(&info.bitstream);
    frames.push_back({info, canvas});
  }
  return frames;
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
  const std::vector<DecodedFrame> back = decoded(animation.bytes(), 48, 40);
  ASSERT_EQ(back.size(), 4u);
  const int durations[] = {40, 42, 33, 50};
  for (std::size_t f = 0; f < 4; ++f) {
    EXPECT_EQ(back[f].info.duration, durations[f]);
    EXPECT_LT(largest_difference(back[f].canvas, frames[f]), 70) << f;  // colours bleed by a pixel at the square's edge
    EXPECT_NEAR(back[f].canvas.pixel(f == 0 ? 8 : f == 3 ? 34 : 17, 20)[1], 20, 12);
  }
  // Only what moved is stored.
  EXPECT_EQ(back[1].info.x_offset, 4);
  EXPECT_EQ(back[1].info.y_offset, 16);
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
