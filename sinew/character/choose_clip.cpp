#include "sinew/character/choose_clip.h"

#include <algorithm>
#include <cstddef>
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

template <class Fits>
std::vector<int> clips_that(const Character& character, const Fits& fits) {
  std::vector<int> found;
  for (std::size_t c = 0; c < character.clips.size(); ++c)
    if (fits(character.clips[c].name)) found.push_back(static_cast<int>(c));
  return found;
}

std::string names_of(const Character& character, const std::vector<int>& clips) {
  constexpr std::size_t most = 20;
  std::string names;
  for (std::size_t c = 0; c < std::min(most, clips.size()); ++c)
    names += (c ? ", " : "") + character.clips[static_cast<std::size_t>(clips[c])].name;
  if (clips.size() > most) names += " and " + std::to_string(clips.size() - most) + " more";
  return names;
}

}  // namespace

int choose_clip(const Character& character, const std::string& name) {
  if (name.empty()) return character.clips.empty() ? -1 : 0;
  if (character.clips.empty())
    throw usage_error("--clip '" + name + "': " + character.file +
                      " has no clips; leave --clip out for the rest pose.");
  const std::vector<int> exact = clips_that(character, [&](const std::string& known) { return known == name; });
  if (!exact.empty()) return exact.front();
  std::vector<int> alike =
      clips_that(character, [&](const std::string& known) { return same_in_any_case(known, name); });
  if (alike.empty()) alike = clips_that(character, [&](const std::string& known) { return is_suffix(known, name); });
  if (alike.size() == 1) return alike.front();
  if (!alike.empty())
    throw usage_error("--clip '" + name + "': " + character.file + " has several such clips; name one of " +
                      names_of(character, alike) + ".");
  throw usage_error("--clip '" + name + "': " + character.file + " has no such clip; it has " + clip_names(character) +
                    ".");
}

std::string clip_names(const Character& character) {
  return names_of(character, clips_that(character, [](const std::string&) { return true; }));
}

std::string clip_names_but(const Character& character, int left_out) {
  std::vector<int> others = clips_that(character, [](const std::string&) { return true; });
  std::erase(others, left_out);
  return names_of(character, others);
}

}  // namespace sinew
