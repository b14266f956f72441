// The history beside the project's file, so that what was done can be undone in another session too.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "studio/server/project/history.h"

namespace sinew::studio {

// hero.glb: hero.studio.history.json beside it.
std::filesystem::path history_path(const std::filesystem::path& character);

// About as large as the file becomes, in bytes: what was done first is left out beyond that.
inline constexpr std::size_t most_history_bytes = std::size_t{16} << 20;

// The present state, and as many of those before it, and then of those that can be done again, as there is room for;
// none where there is none for the present one. What states share is written once. `character`: the file's name.
std::string history_json(const HistoryLine& line, const std::string& character,
                         std::size_t most_bytes = most_history_bytes);
// A line without states where none were written. Throws input_error for what is no history of this version; `file` is
// for messages.
HistoryLine history_from_json(std::string_view text, const std::string& file);
// The same of a file. Throws input_error also for one that is no regular file, or larger than one that was written can
// be.
HistoryLine read_history(const std::filesystem::path& path);

// The line, which may be without states, as it leads to `now`: where the project's file was written after the
// history's, what was done meanwhile is one act.
HistoryLine leading_to(HistoryLine line, const Project& now);

}  // namespace sinew::studio
