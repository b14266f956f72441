// An animated WebP file taken apart again, by the library's own decoder.
#pragma once

#include <gtest/gtest.h>
#include <webp/decode.h>
#include <webp/mux.h>

#include <memory>
#include <vector>

#include "sinew/files/png.h"

namespace sinew::test {

struct DecodedFrame {
  Image canvas;  // with this frame and all before it
  int x = 0, y = 0, milliseconds = 0;
};

inline std::vector<DecodedFrame> decoded_webp(const std::vector<std::byte>& file) {
  const WebPData data{reinterpret_cast<const std::uint8_t*>(file.data()), file.size()};
  const std::unique_ptr<WebPMux, void (*)(WebPMux*)> mux(WebPMuxCreate(&data, 0), WebPMuxDelete);
  int width = 0, height = 0, count = 0;
  EXPECT_EQ(WebPMuxGetCanvasSize(mux.get(), &width, &height), WEBP_MUX_OK);
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
    frames.push_back({canvas, info.x_offset, info.y_offset, info.duration});
  }
  return frames;
}

}  // namespace sinew::test
