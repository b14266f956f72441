// Resolves the URIs of a glTF document to files. Characters come from strangers: a URI may name files that came with
// the document, but no others, whose bytes would end up in the result.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sinew {

struct UriFile {
  std::string refusal;         // why the URI is not followed, to be put after its place; empty if it is accepted
  std::filesystem::path path;  // the file with all links resolved; empty if there is none
};

// `uri` must not be a data URI. It is tried percent-decoded, then verbatim (some exporters do not encode), with
// backslashes as part of a name and as Windows separators. In every reading it must not be absolute, name a scheme, a
// drive or another machine, or climb out of the document's folder. The file, with all symbolic links resolved, must be
// beside `document` or below its folder; if the document itself is a link, the folder of the link or of its target.
UriFile file_of_uri(std::string_view uri, const std::filesystem::path& document);

}  // namespace sinew
