// Runs a program from its arguments to its exit code; errors become one sentence.
#pragma once

namespace sinew::cli {

class CommandLine;
struct Program;

// Adds verbs by `add_verbs`, runs the one that the arguments select, and returns the exit code. Every failure is one
// sentence on standard error that begins with the program's name. Must be called first, before anything uses the
// standard streams.
int run_program(const Program& program, void (*add_verbs)(CommandLine& line), int argument_count, char** arguments);

}  // namespace sinew::cli
