// Adds the place of a failure to simulation errors: code deep inside knows neither file nor time nor remedy.
#pragma once

#include <string>

#include "sinew/base/error.h"

namespace sinew {

// True if `sentence` already names the place `where`: at its beginning, behind another place, or as the last of its
// places.
inline bool says_where(const std::string& sentence, const std::string& where) {
  return sentence.starts_with(where) || sentence.find(": " + where) != std::string::npos ||
         sentence.find(" " + where + ": ") != std::string::npos;
}

// Runs `work`. A simulation_error that it throws gets `where` in front, unless its sentence names that place already. A
// sentence without a full stop also gets `remedy` (where not empty) and the full stop.
template <class Work>
decltype(auto) in_context(const std::string& where, const std::string& remedy, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::simulation) throw;
    std::string sentence = error.what();
    if (!says_where(sentence, where)) sentence = where + ": " + sentence;
    if (!sentence.ends_with('.') && !remedy.empty()) sentence += "; " + remedy + ".";
    throw simulation_error(sentence);
  }
}

}  // namespace sinew
