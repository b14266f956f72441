// Saves the history beside the project's file, so that earlier acts can be undone in a later session.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "studio/server/project/history.h"

namespace sinew::studio {

// hero.glb gives hero.studio.history.json beside it.
std::filesystem::path history_path(const std::filesystem::path& character);

// Approximate limit of the file's size, bytes; the oldest acts are left out beyond it.
inline constexpr std::size_t most_history_bytes = std::size_t{16} << 20;

// Writes the present state, then as many earlier and then later ones as fit; nothing if the present one does not fit.
// Data that states share is written once. `character` is the file's name.
std::string history_json(const HistoryLine& line, const std::string& character,
                         std::size_t most_bytes = most_history_bytes);
// Reads a history; it has no states if none were written. Throws input_error unless it is a history of this version;
// `file` is used in messages.
HistoryLine history_from_json(std::string_view text, const std::string& file);
// Reads a file. Also throws input_error if it is not a regular file, or is larger than a history can be.
HistoryLine read_history(const std::filesystem::path& path);

// Appends `now` to the line as one act if it differs from the present state, which happens if the project's file was
// saved after the history's. The line may have no states.
HistoryLine leading_to(HistoryLine line, const Project& now);

}  // namespace sinew::studio
