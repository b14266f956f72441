#include "studio/server/cook/paint_layer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sinew/base/error.h"

namespace sinew::studio {
namespace {

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

PaintLayer::PaintLayer(std::span<const float> values) : size_(values.size()) {
  for (std::size_t begin = 0; begin < size_; begin += block) {
    const auto part = values.subspan(begin, std::min(block, size_ - begin));
    blocks_.push_back(std::make_shared<const std::vector<float>>(part.begin(), part.end()));
  }
}

std::vector<float> PaintLayer::values() const {
  std::vector<float> values;
  values.reserve(size_);
  for (const auto& part : blocks_) values.insert(values.end(), part->begin(), part->end());
  return values;
}

PaintLayer PaintLayer::of_blocks(std::vector<Block> blocks) {
  PaintLayer layer;
  for (const Block& each : blocks) layer.size_ += each->size();
  layer.blocks_ = std::move(blocks);
  return layer;
}

PaintLayer PaintLayer::painted(std::span<const std::pair<int, float>> stroke) const {
  PaintLayer result = *this;
  std::vector<std::shared_ptr<std::vector<float>>> fresh(blocks_.size());
  for (const auto& [vertex, value] : stroke) {
    const auto v = static_cast<std::size_t>(vertex);
    std::shared_ptr<std::vector<float>>& own = fresh[v / block];
    if (!own) {
      own = std::make_shared<std::vector<float>>(*blocks_[v / block]);
      result.blocks_[v / block] = own;
    }
    (*own)[v % block] = value;
  }
  return result;
}

bool PaintLayer::operator==(const PaintLayer& other) const {
  if (size_ != other.size_) return false;
  for (std::size_t k = 0; k < blocks_.size(); ++k)
    if (blocks_[k] != other.blocks_[k] && *blocks_[k] != *other.blocks_[k]) return false;
  return true;
}

std::string base64(std::span<const float> values) {
  std::vector<std::uint32_t> words;
  words.reserve(values.size());
  for (const float value : values) words.push_back(std::bit_cast<std::uint32_t>(value));
  return base64(words);
}

std::string base64(std::span<const std::uint32_t> words) {
  std::vector<std::byte> bytes;
  bytes.reserve(4 * words.size());
  for (const std::uint32_t word : words)
    for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>(word >> shift & 0xffu));
  return base64(bytes);
}

std::string base64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  std::uint32_t held = 0;
  unsigned bits = 0;
  for (const std::byte byte : bytes) {
    held = held << 8 | std::to_integer<std::uint32_t>(byte);
    for (bits += 8; bits >= 6;) text += letters[held >> (bits -= 6) & 63u];
  }
  if (bits > 0) text += letters[held << (6 - bits) & 63u];
  text.resize((text.size() + 3) / 4 * 4, '=');
  return text;
}

std::vector<float> floats_from_base64(std::string_view text) {
  std::vector<float> values;
  std::uint32_t held = 0, word = 0;
  unsigned bits = 0, bytes = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char letter : text) {
    const std::size_t place = letters.find(letter);
    if (place == std::string_view::npos) throw input_error("is no text of numbers.");
    held = held << 6 | static_cast<std::uint32_t>(place);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    word |= (held >> bits & 0xffu) << (8 * bytes);
    if (++bytes < 4) continue;
    values.push_back(std::bit_cast<float>(word));
    if (!std::isfinite(values.back())) throw input_error("has a number that is none.");
    word = bytes = 0;
  }
  if (bytes != 0) throw input_error("ends within a number.");
  return values;
}

}  // namespace sinew::studio
