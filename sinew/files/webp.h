// Animated pictures as WebP files, which browsers and viewers play.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sinew/files/png.h"

namespace sinew {

struct WebpOptions {
  double quality = 80;  // 0 to 100
};

// Frames of one size, repeated for ever. Each frame stores the rectangle in which it differs from the one before. The
// same frames give the same bytes, for any number of threads.
class WebpAnimation {
 public:
  // Throws usage_error for a size that the format does not have.
  WebpAnimation(int width, int height, const WebpOptions& options = {});
  ~WebpAnimation();
  WebpAnimation(const WebpAnimation&) = delete;
  WebpAnimation& operator=(const WebpAnimation&) = delete;

  // Appends frames, encoded in parallel; `milliseconds` says how long each is shown.
  void add(std::span<const Image> frames, std::span<const int> milliseconds);

  // The whole file. At least one frame was added.
  std::vector<std::byte> bytes() const;

 private:
  struct Mux;
  std::unique_ptr<Mux> mux_;
  int width_, height_;
  WebpOptions options_;
  Image last_;  // empty before the first frame
};

}  // namespace sinew
