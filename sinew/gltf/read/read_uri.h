// How URIs of glTF buffers and images are spelled.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Schemes may be written in any case.
bool is_data_uri(std::string_view uri);

// The bytes of "data:[type][;base64],..."; nothing where the text is not a well-formed data URI.
std::optional<std::vector<std::byte>> decode_data_uri(std::string_view uri);

// "%20" becomes a space; nothing where a percent sign is not followed by two hexadecimal digits.
std::optional<std::string> decode_percent(std::string_view text);

// Whether the text starts with a scheme such as "http:"; a Windows drive letter is one too.
bool has_uri_scheme(std::string_view uri);

}  // namespace sinew
