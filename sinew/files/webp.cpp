#include "sinew/files/webp.h"

#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr int webp_channels = 3;

struct Rectangle {
  int left = 0, top = 0, right = 0, bottom = 0;  // right and bottom are exclusive
  int width() const { return right - left; }
  int height() const { return bottom - top; }
};

// The rectangle in which two pictures differ, with even left and top as the format requires; never empty.
Rectangle difference(const Image& before, const Image& after) {
  if (before.rgb.empty()) return {0, 0, after.width, after.height};
  Rectangle found{after.width, after.height, 0, 0};
  const auto row_bytes = static_cast<std::size_t>(after.width) * webp_channels;
  for (int y = 0; y < after.height; ++y) {
    const std::uint8_t *a = before.pixel(0, y), *b = after.pixel(0, y);
    if (std::memcmp(a, b, row_bytes) == 0) continue;
    const auto first = static_cast<int>(std::mismatch(a, a + row_bytes, b).first - a) / webp_channels;
    int last = after.width - 1;
    while (last > first && std::memcmp(before.pixel(last, y), after.pixel(last, y), webp_channels) == 0) --last;
    found.left = std::min(found.left, first), found.right = std::max(found.right, last + 1);
    found.top = std::min(found.top, y), found.bottom = y + 1;
  }
  if (found.right == 0) return {0, 0, 1, 1};
  found.left &= ~1, found.top &= ~1;
  return found;
}

// Memory that libwebp allocated.
struct Encoded {
  WebPMemoryWriter writer;
  Encoded() { WebPMemoryWriterInit(&writer); }
  ~Encoded() { WebPMemoryWriterClear(&writer); }
  Encoded(const Encoded&) = delete;
  Encoded& operator=(const Encoded&) = delete;
};

void encode_rectangle(const Image& image, const Rectangle& part, const WebpOptions& options, Encoded& encoded) {
  WebPConfig config;
  if (!WebPConfigPreset(&config, WEBP_PRESET_PICTURE, static_cast<float>(options.quality)))
    throw usage_error("WebP: the quality must lie between 0 and 100.");
  config.method = 2;  // 3 saves 5 per cent of the bytes and takes more than twice the time
  WebPPicture picture;
  if (!WebPPictureInit(&picture)) throw std::bad_alloc();
  const std::unique_ptr<WebPPicture, void (*)(WebPPicture*)> owner(&picture, WebPPictureFree);
  picture.width = part.width();
  picture.height = part.height();
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &encoded.writer;
  if (!WebPPictureImportRGB(&picture, image.pixel(part.left, part.top), image.width * webp_channels) ||
      !WebPEncode(&config, &picture))
    throw simulation_error("a frame of the animation cannot be encoded as WebP; ask for a smaller one");
}

void require(WebPMuxError status) {
  if (status != WEBP_MUX_OK)
    throw simulation_error("the animation cannot be put together as WebP; ask for a shorter one");
}

}  // namespace

struct WebpAnimation::Mux {
  WebPMux* mux = WebPMuxNew();
  Mux() {
    if (!mux) throw std::bad_alloc();
  }
  ~Mux() { WebPMuxDelete(mux); }
  Mux(const Mux&) = delete;
  Mux& operator=(const Mux&) = delete;
};

WebpAnimation::WebpAnimation(int width, int height, const WebpOptions& options)
    : mux_(std::make_unique<Mux>()), width_(width), height_(height), options_(options) {
  if (width < 1 || height < 1 || width > WEBP_MAX_DIMENSION || height > WEBP_MAX_DIMENSION)
    throw usage_error("an animation of " + std::to_string(width) + " x " + std::to_string(height) +
                      " pixels cannot be made as WebP; ask for another size");
  require(WebPMuxSetCanvasSize(mux_->mux, width, height));
  const WebPMuxAnimParams parameters{0xffffffffu, 0};
  require(WebPMuxSetAnimationParams(mux_->mux, &parameters));
}

WebpAnimation::~WebpAnimation() = default;

void WebpAnimation::add(std::span<const Image> frames, std::span<const int> milliseconds) {
  if (frames.size() != milliseconds.size()) throw usage_error("an animation needs a duration for each of its frames");
  for (const Image& frame : frames)
    if (frame.width != width_ || frame.height != height_)
      throw usage_error("all frames of an animation must have its size");
  std::vector<Rectangle> parts(frames.size());
  std::vector<Encoded> encoded(frames.size());
  parallel_for(frames.size(), 1, [&](std::size_t f) {
    parts[f] = difference(f > 0 ? frames[f - 1] : last_, frames[f]);
    encode_rectangle(frames[f], parts[f], options_, encoded[f]);
  });
  for (std::size_t f = 0; f < frames.size(); ++f) {
    WebPMuxFrameInfo info{};
    info.bitstream = {encoded[f].writer.mem, encoded[f].writer.size};
    info.x_offset = parts[f].left;
    info.y_offset = parts[f].top;
    info.duration = milliseconds[f];
    info.id = WEBP_CHUNK_ANMF;
    info.dispose_method = WEBP_MUX_DISPOSE_NONE;
    info.blend_method = WEBP_MUX_NO_BLEND;
    require(WebPMuxPushFrame(mux_->mux, &info, 1));
  }
  if (!frames.empty()) last_ = frames.back();
}

std::vector<std::byte> WebpAnimation::bytes() const {
  WebPData file;
  WebPDataInit(&file);
  const std::unique_ptr<WebPData, void (*)(WebPData*)> owner(&file, WebPDataClear);
  require(WebPMuxAssemble(mux_->mux, &file));
  const auto* begin = reinterpret_cast<const std::byte*>(file.bytes);
  return {begin, begin + file.size};
}

}  // namespace sinew
