// Errors of simulations, told where they happened: what fails deep inside knows neither file nor time nor remedy.
#pragma once

#include <string>

#include "sinew/base/error.h"

namespace sinew {

// Whether a sentence says already where it happened, at its beginning, behind another place, or as the last of its
// places.
inline bool says_where(const std::string& sentence, const std::string& where) {
  return sentence.starts_with(where) || sentence.find(": " + where) != std::string::npos ||
         sentence.find(" " + where + ": ") != std::string::npos;
}

// Runs `work`. A simulation_error of it gets `where` before its words, unless it says that itself; those that are no
// whole sentence yet (they end without a stop) also get `remedy`, unless that is empty, and the stop.
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
