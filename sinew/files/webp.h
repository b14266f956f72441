// Animated WebP files, which browsers and viewers play.
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

// Frames of equal size, repeated for ever. Each frame stores the rectangle in which it differs from the previous one.
// The bytes do not depend on the number of threads.
class WebpAnimation {
 public:
  // Throws usage_error for a size that the format does not support.
  WebpAnimation(int width, int height, const WebpOptions& options = {});
  ~WebpAnimation();
  WebpAnimation(const WebpAnimation&) = delete;
  WebpAnimation& operator=(const WebpAnimation&) = delete;

  // Appends frames, encoded in parallel; `milliseconds` is the duration of each.
  void add(std::span<const Image> frames, std::span<const int> milliseconds);

  // The complete file. At least one frame must have been added.
  std::vector<std::byte> bytes() const;

 private:
  struct Mux;
  std::unique_ptr<Mux> mux_;
  int width_, height_;
  WebpOptions options_;
  Image last_;  // empty before the first frame
};

}  // namespace sinew
