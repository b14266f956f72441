// Progress on a terminal, and interruption by Ctrl-C.
#pragma once

#include "sinew/base/printable.h"
#include "sinew/base/progress.h"

namespace sinew::cli {

// On a terminal a bar with the remaining time; elsewhere a line every ten per cent; nothing if `quiet`. Returns false
// to the worker after Ctrl-C.
Progress terminal_progress(bool quiet);

// Erases a bar from the terminal, so that a sentence can be printed.
void clear_progress();

// Makes Ctrl-C (or SIGTERM) request a clean stop; a second one ends the program at once.
void catch_interrupts();
bool interrupted();

// Thrown by a verb after it has reported that it was stopped: the program ends with 128 + the signal's number (130 for
// Ctrl-C), as shells expect.
struct Interrupted {
  int exit_code = 130;
};
Interrupted interruption();

using sinew::printable;

}  // namespace sinew::cli
