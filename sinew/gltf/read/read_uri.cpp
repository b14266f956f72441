#include "sinew/gltf/read/read_uri.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace sinew {
namespace {

constexpr std::uint8_t not_base64 = 0xff;

constexpr std::array<std::uint8_t, 256> base64_table() {
  std::array<std::uint8_t, 256> table{};
  for (std::uint8_t& entry : table) entry = not_base64;
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < digits.size(); ++i)
    table[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
  return table;
}

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::vector<std::byte>> decode_base64(std::string_view text) {
  static constexpr std::array<std::uint8_t, 256> table = base64_table();
  for (int padding = 0; padding < 2 && !text.empty() && text.back() == '='; ++padding) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : text) {
    const std::uint8_t digit = table[static_cast<unsigned char>(c)];
    if (digit == not_base64) return std::nullopt;
    bits = (bits << 6 | digit) & 0xffffffu;
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    bytes.push_back(static_cast<std::byte>(bits >> bit_count & 0xffu));
  }
  return bytes;
}

}  // namespace

std::optional<std::string> decode_percent(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded.push_back(text[i]);
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hexadecimal(text[i + 1]), low = hexadecimal(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    decoded.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return decoded;
}

bool is_data_uri(std::string_view uri) {
  constexpr std::string_view scheme = "data:";
  return uri.size() >= scheme.size() && std::equal(scheme.begin(), scheme.end(), uri.begin(), [](char lower, char c) {
           return lower == c || lower == c + ('a' - 'A');
         });
}

std::optional<std::vector<std::byte>> decode_data_uri(std::string_view uri) {
  if (!is_data_uri(uri)) return std::nullopt;
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::string_view type = uri.substr(5, comma - 5), data = uri.substr(comma + 1);
  if (type.find(";;") != std::string_view::npos) return std::nullopt;
  constexpr std::string_view marker = ";base64";
  if (type.size() >= marker.size() && type.substr(type.size() - marker.size()) == marker) return decode_base64(data);
  const auto plain = decode_percent(data);
  if (!plain) return std::nullopt;
  const auto* begin = reinterpret_cast<const std::byte*>(plain->data());
  return std::vector<std::byte>(begin, begin + plain->size());
}

bool has_uri_scheme(std::string_view uri) {
  for (const char c : uri) {
    if (c == ':') return true;
    const bool scheme_character =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (!scheme_character) return false;
  }
  return false;
}

}  // namespace sinew
