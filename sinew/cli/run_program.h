// A program from its arguments to its exit code: errors become one sentence.
#pragma once

namespace sinew::cli {

class CommandLine;
struct Program;

// Runs the verb that the arguments ask for, of those that `add_verbs` adds, and returns the exit code. Every failure is
// one sentence on standard error that begins with the program's name. To be called first, with the streams as they were
// given to the program.
int run_program(const Program& program, void (*add_verbs)(CommandLine& line), int argument_count, char** arguments);

}  // namespace sinew::cli
