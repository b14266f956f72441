// What a person at a terminal sees while work goes on, and how they stop it.
#pragma once

#include "sinew/base/progress.h"

namespace sinew::cli {

// A bar with the time left on a terminal, plain lines every ten per cent elsewhere, nothing when
// `quiet`. Returns false to the worker once Ctrl-C was pressed.
Progress terminal_progress(bool quiet);

// From now on Ctrl-C asks for a clean stop; a second one ends the program at once.
void catch_interrupts();
bool interrupted();

}  // namespace sinew::cli
