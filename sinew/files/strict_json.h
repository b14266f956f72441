// JSON that people write. For sources only: it includes a JSON library.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace sinew {

// Throws input_error with the line where `text` is not JSON, and with the place of the key where an object has one
// twice: which of the two is meant, nobody knows. `remedy` ends the first sentence, e.g. "correct the line".
nlohmann::ordered_json parse_strict_json(std::string_view text, const std::string& file, const std::string& remedy);

}  // namespace sinew
