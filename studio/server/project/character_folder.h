// Characters on disk: which files are some, where a page finds them, and where those are kept that a page brings.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "studio/server/web/access.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

// Whether its name says that it is a character.
bool can_be_opened(const std::filesystem::path& file);

// {name, path, bytes} of characters and models, and of folders {name, path, folder}.
PageJson files_in(const std::filesystem::path& folder, bool with_folders);

// In the first folder, where its project is kept beside it; a file that is there already, and another one, stays.
// Throws Error where it cannot be written.
std::filesystem::path keep_file(const Folders& folders, const std::string& name, std::span<const std::byte> bytes);

// Samples are part of the program: what a user makes of one is kept in the user's own folder.
std::filesystem::path own_sample(const Folders& folders, const std::filesystem::path& sample);

}  // namespace sinew::studio
