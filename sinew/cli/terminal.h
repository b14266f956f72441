// What a person at a terminal sees while work goes on, and how they stop it.
#pragma once

#include "sinew/base/printable.h"
#include "sinew/base/progress.h"

namespace sinew::cli {

// A bar with the time left on a terminal, plain lines every ten per cent elsewhere, nothing when
// `quiet`. Returns false to the worker once Ctrl-C was pressed.
Progress terminal_progress(bool quiet);

// Takes a drawn bar off the terminal, so that a sentence can stand in its place.
void clear_progress();

// From now on Ctrl-C (or SIGTERM) asks for a clean stop; a second one ends the program at once.
void catch_interrupts();
bool interrupted();

// Thrown by a verb that stopped because it was asked to, after it has said so: the program ends with
// 128 + the signal's number (130 for Ctrl-C), as shells expect.
struct Interrupted {
  int exit_code = 130;
};
Interrupted interruption();

using sinew::printable;

}  // namespace sinew::cli
