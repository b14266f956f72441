#include "sinew/files/texture.h"

#include <gtest/gtest.h>
#include <turbojpeg.h>
#include <webp/encode.h>

#include <cstdlib>
#include <random>

#include "sinew/base/error.h"
#include "sinew/files/png.h"

namespace sinew {
namespace {

// Left half red, right half blue.
Image two_halves() {
  Image image(32, 16);
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 32; ++x) image.pixel(x, y)[x < 16 ? 0 : 2] = 230;
  return image;
}

std::vector<std::byte> as_jpeg(const Image& image) {
  const tjhandle encoder = tjInitCompress();
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  EXPECT_EQ(
      tjCompress2(encoder, image.rgb.data(), image.width, 0, image.height, TJPF_RGB, &bytes, &size, TJSAMP_444, 95, 0),
      0);
  const auto* begin = reinterpret_cast<const std::byte*>(bytes);
  std::vector<std::byte> result(begin, begin + size);
  tjFree(bytes);
  tjDestroy(encoder);
  return result;
}

std::vector<std::byte> as_webp(const Image& image) {
  std::uint8_t* bytes = nullptr;
  const std::size_t size = WebPEncodeLosslessRGB(image.rgb.data(), image.width, image.height, image.width * 3, &bytes);
  const auto* begin = reinterpret_cast<const std::byte*>(bytes);
  std::vector<std::byte> result(begin, begin + size);
  WebPFree(bytes);
  return result;
}

TEST(Texture, PngJpegAndWebpShowTheSame) {
  for (const std::vector<std::byte>& file : {encode_png(two_halves()), as_jpeg(two_halves()), as_webp(two_halves())}) {
    const Texture texture = decode_texture(file);
    ASSERT_EQ(texture.width, 32);
    ASSERT_EQ(texture.height, 16);
    const auto pixel = [&](std::size_t x, std::size_t y) { return &texture.rgba[4 * (y * 32 + x)]; };
    EXPECT_NEAR(pixel(3, 5)[0], 230, 4);
    EXPECT_NEAR(pixel(3, 5)[2], 0, 4);
    EXPECT_NEAR(pixel(28, 12)[0], 0, 4);
    EXPECT_NEAR(pixel(28, 12)[2], 230, 4);
    EXPECT_EQ(pixel(28, 12)[3], 255);
  }
}

std::string fault(const std::vector<std::byte>& file, std::size_t most_pixels = 1 << 20) {
  try {
    decode_texture(file, most_pixels);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "none";
}

TEST(Texture, OtherFilesAndLargeOnesAreRefused) {
  EXPECT_NE(fault({}).find("no picture that Sinew reads"), std::string::npos);
  EXPECT_NE(fault(std::vector<std::byte>(64, std::byte{1})).find("no picture"), std::string::npos);
  for (const std::vector<std::byte>& file : {encode_png(two_halves()), as_jpeg(two_halves()), as_webp(two_halves())}) {
    EXPECT_NE(fault(file, 100).find("32 x 16"), std::string::npos);
    EXPECT_NE(fault({file.begin(), file.begin() + 20}).find("damaged"), std::string::npos);
  }
}

// Whatever is changed in a file, it is read or refused.
TEST(Texture, DamagedFilesAreReadOrRefused) {
  std::mt19937 random(7);
  for (const std::vector<std::byte>& file : {encode_png(two_halves()), as_jpeg(two_halves()), as_webp(two_halves())})
    for (int round = 0; round < 300; ++round) {
      std::vector<std::byte> broken = file;
      for (int change = 0; change < 4; ++change) broken[random() % broken.size()] = static_cast<std::byte>(random());
      if (round % 3 == 0) broken.resize(random() % broken.size());
      try {
        const Texture texture = decode_texture(broken, 1 << 20);
        EXPECT_EQ(texture.rgba.size(), 4 * texture.pixels());
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
      }
    }
}

}  // namespace
}  // namespace sinew
