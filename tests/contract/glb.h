// Writes a document that a test has changed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/base/file.h"

namespace sinew::test {

inline void append_word(std::vector<std::byte>& bytes, std::size_t word) {
  for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>(word >> shift & 0xffu));
}

// `json` has one buffer, which is `binary`.
inline void write_glb(const std::filesystem::path& path, nlohmann::json json, std::vector<std::byte> binary) {
  json["buffers"][0]["byteLength"] = binary.size();
  std::string text = json.dump();
  while (text.size() % 4 != 0) text += ' ';
  while (binary.size() % 4 != 0) binary.push_back(std::byte{0});
  std::vector<std::byte> glb;
  append_word(glb, 0x46546C67);
  append_word(glb, 2);
  append_word(glb, 12 + 8 + text.size() + 8 + binary.size());
  append_word(glb, text.size());
  append_word(glb, 0x4E4F534A);
  const auto* characters = reinterpret_cast<const std::byte*>(text.data());
  glb.insert(glb.end(), characters, characters + text.size());
  append_word(glb, binary.size());
  append_word(glb, 0x004E4942);
  glb.insert(glb.end(), binary.begin(), binary.end());
  write_file(path, glb);
}

}  // namespace sinew::test
