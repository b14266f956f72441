#include "sinew/character/choose_clip.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "sinew/base/error.h"

namespace sinew {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_in_any_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

// `wanted` stands at the end of `name`, behind what exporters put between an armature and its action.
bool is_suffix(const std::string& name, const std::string& wanted) {
  if (name.size() <= wanted.size()) return false;
  const std::size_t begin = name.size() - wanted.size();
  return std::string_view("|:/").find(name[begin - 1]) != std::string_view::npos &&
         same_in_any_case(std::string_view(name).substr(begin), wanted);
}

using Names = std::span<const std::string>;

template <class Fits>
std::vector<int> clips_that(Names names, const Fits& fits) {
  std::vector<int> found;
  for (std::size_t c = 0; c < names.size(); ++c)
    if (fits(names[c])) found.push_back(static_cast<int>(c));
  return found;
}

std::vector<std::string> names_in(const Character& character) {
  std::vector<std::string> names;
  for (const Clip& clip : character.clips) names.push_back(clip.name);
  return names;
}

std::string listed(Names names, const std::vector<int>& clips) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t c = 0; c < std::min(most, clips.size()); ++c)
    text += (c ? ", " : "") + names[static_cast<std::size_t>(clips[c])];
  if (clips.size() > most) text += " and " + std::to_string(clips.size() - most) + " more";
  return text;
}

std::vector<int> every_one(Names names) {
  return clips_that(names, [](const std::string&) { return true; });
}

// "#2" or "2", counted from 1, as a clip's index; empty where it is no such number, -1 where there is no such clip.
std::optional<int> numbered(Names names, std::string_view wanted) {
  if (wanted.starts_with('#')) wanted.remove_prefix(1);
  std::size_t number = 0;
  const auto [end, status] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (status != std::errc{} || end != wanted.data() + wanted.size()) return std::nullopt;
  return number >= 1 && number <= names.size() ? static_cast<int>(number) - 1 : -1;
}

}  // namespace

int choose_clip(std::span<const std::string> names, const std::string& file, const std::string& name) {
  if (name.empty()) return names.empty() ? -1 : 0;
  const std::string option = "--clip '" + name + "': " + file;
  if (names.empty()) throw usage_error(option + " has no clips; leave --clip out for the rest pose.");
  const std::vector<int> exact = clips_that(names, [&](const std::string& known) { return known == name; });
  if (!exact.empty()) return exact.front();
  std::vector<int> alike = clips_that(names, [&](const std::string& known) { return same_in_any_case(known, name); });
  if (alike.empty()) alike = clips_that(names, [&](const std::string& known) { return is_suffix(known, name); });
  if (alike.size() == 1) return alike.front();
  if (!alike.empty()) throw usage_error(option + " has several such clips; name one of " + listed(names, alike) + ".");
  const std::optional<int> number = numbered(names, name);
  if (number && *number >= 0) return *number;
  throw usage_error(
      option +
      (number ? " has " + std::to_string(names.size()) + " clips, counted from 1: " : " has no such clip; it has ") +
      listed(names, every_one(names)) + ".");
}

int choose_clip(const Character& character, const std::string& name) {
  return choose_clip(names_in(character), character.file, name);
}

std::string checked_clip(const std::string& name) {
  if (name.empty())
    throw usage_error(
        "--clip: the name is empty; leave --clip out for the first clip, or name one by its number, as #2.");
  return name;
}

std::string clip_names(const Character& character) {
  const std::vector<std::string> names = names_in(character);
  return listed(names, every_one(names));
}

}  // namespace sinew
