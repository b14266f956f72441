// Errors of simulations, told where they happened: what fails deep inside knows neither file nor time nor remedy.
#pragma once

#include <string>

#include "sinew/base/error.h"

namespace sinew {

// Runs `work`. A simulation_error of it gets `where` before its words; those that are no whole sentence yet (they end
// without a stop) also get `remedy`, unless that is empty, and the stop.
template <class Work>
decltype(auto) in_context(const std::string& where, const std::string& remedy, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::simulation) throw;
    std::string sentence = where + ": " + error.what();
    if (!sentence.ends_with('.') && !remedy.empty()) sentence += "; " + remedy + ".";
    throw simulation_error(sentence);
  }
}

}  // namespace sinew
