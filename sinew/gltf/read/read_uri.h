// Decodes URIs of glTF buffers and images.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Schemes are not case-sensitive.
bool is_data_uri(std::string_view uri);

// The bytes of "data:[type][;base64],..."; empty if the text is not a well-formed data URI.
std::optional<std::vector<std::byte>> decode_data_uri(std::string_view uri);

// Turns "%20" into a space; empty if a percent sign is not followed by two hexadecimal digits.
std::optional<std::string> decode_percent(std::string_view text);

// True if the text starts with a scheme such as "http:", or with a Windows drive letter.
bool has_uri_scheme(std::string_view uri);

}  // namespace sinew
