// Character files on disk: finding them, and keeping those that a page uploads.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "studio/server/web/access.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

// True if the name is that of a character file, or of a mesh that can be rigged.
bool can_be_opened(const std::filesystem::path& file);

// True if the name is that of a file of motion, or of bones that are named by hand for it (.json).
bool can_be_motion(const std::filesystem::path& file);

// Lists characters, models and meshes (.obj) as {name, path, bytes}, and folders as {name, path, folder}.
PageJson files_in(const std::filesystem::path& folder, bool with_folders);

// Saves an uploaded file in the first folder, where its project is kept beside it. Does not overwrite a different file.
// Throws Error if it cannot be written.
std::filesystem::path keep_file(const Folders& folders, const std::string& name, std::span<const std::byte> bytes);

// The user's own copy of a sample, since samples are part of the program.
std::filesystem::path own_sample(const Folders& folders, const std::filesystem::path& sample);

}  // namespace sinew::studio
