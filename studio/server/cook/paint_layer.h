// What is painted on a surface, a number per vertex: strokes share what they leave alone, so that hundreds of them are
// kept.
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

  // Runs of `block` values, the last one shorter; equal pointers are equal values.
  using Block = std::shared_ptr<const std::vector<float>>;
  std::span<const Block> blocks() const { return blocks_; }
  static constexpr std::size_t block = 256;
  // Of blocks that are as long as those of blocks().
  static PaintLayer of_blocks(std::vector<Block> blocks);

  // Vertices must be there.
  PaintLayer painted(std::span<const std::pair<int, float>> stroke) const;

  bool operator==(const PaintLayer& other) const;

 private:
  std::size_t size_ = 0;
  std::vector<Block> blocks_;
};

// Bytes as text, and back; nothing but what base64() wrote is taken.
std::string base64(std::span<const float> values);
std::string base64(std::span<const std::uint32_t> words);
std::vector<float> floats_from_base64(std::string_view text);  // throws input_error

}  // namespace sinew::studio
