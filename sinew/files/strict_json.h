// JSON that people write, read strictly, and JSON that they read. To be included by sources only, since it includes a
// JSON library.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace sinew {

// Throws input_error with the line if `text` is not JSON, and with the place of the key if an object has a duplicate
// key, since it is unclear which one is meant. `remedy` ends the first sentence, e.g. "correct the line".
nlohmann::ordered_json parse_strict_json(std::string_view text, const std::string& file, const std::string& remedy);

// Indented JSON with each innermost list on one line.
std::string with_lists_on_lines(const std::string& text);

}  // namespace sinew
