// Which file a URI of a glTF document names. A character is a stranger's work: it may bring files of its own, and must
// not lead Sinew to any other, whose bytes would end up in the result.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sinew {

struct UriFile {
  std::string refusal;         // why the URI is not followed, to stand behind its place; empty: it may be
  std::filesystem::path path;  // the file, all links resolved; empty: there is none
};

// `uri` is none of a data URI. It is taken with its percent signs decoded, then as it is (some exporters do not
// encode), a backslash as part of a name and as Windows' separator. However it is taken, it must not be absolute, name
// a scheme, a drive or another machine, or climb out of the document's folder; and the file, all symbolic links
// resolved, must be beside `document` or below its folder (of a document that is itself a link: that of the link, or
// that of its target).
UriFile file_of_uri(std::string_view uri, const std::filesystem::path& document);

}  // namespace sinew
