// Protects standard output against closed, full or broken streams.
#pragma once

#include <string>

namespace sinew::cli {

// Must be called first. A closed stream's number would be reused by the next file that is opened, and output would be
// printed into that file. Broken pipes and file size limits make writing fail instead of ending the program and losing
// its result.
void guard_standard_streams();

// If one of the arguments is "-", reserves standard output for that file and prints everything else on standard error.
void keep_standard_output(int argument_count, char** arguments);

// Must be called last: flushes output and returns `exit_code` or, in place of 0, 141 if the reader was gone (as shells
// report it), and 2 with a sentence if the output could not be written.
int finish_standard_output(const std::string& program, int exit_code);

}  // namespace sinew::cli
