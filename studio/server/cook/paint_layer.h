// One painted field of a surface, a number per vertex. Copies share unchanged blocks, so that hundreds of strokes can
// be kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew::studio {

class PaintLayer {
 public:
  PaintLayer() = default;
  explicit PaintLayer(std::span<const float> values);

  std::size_t size() const { return size_; }
  float operator[](std::size_t vertex) const { return (*blocks_[vertex / block])[vertex % block]; }
  std::vector<float> values() const;

  // Blocks of `block` values, the last one shorter. Equal pointers imply equal values.
  using Block = std::shared_ptr<const std::vector<float>>;
  std::span<const Block> blocks() const { return blocks_; }
  static constexpr std::size_t block = 256;
  // Makes a layer of blocks with the lengths of blocks().
  static PaintLayer of_blocks(std::vector<Block> blocks);

  // The layer after a stroke, whose vertices must exist.
  PaintLayer painted(std::span<const std::pair<int, float>> stroke) const;

  bool operator==(const PaintLayer& other) const;

 private:
  std::size_t size_ = 0;
  std::vector<Block> blocks_;
};

// Base64 of little-endian bytes. Decoding accepts only what base64() writes.
std::string base64(std::span<const std::byte> bytes);
std::string base64(std::span<const float> values);
std::string base64(std::span<const std::uint32_t> words);
std::vector<float> floats_from_base64(std::string_view text);  // throws input_error

}  // namespace sinew::studio
