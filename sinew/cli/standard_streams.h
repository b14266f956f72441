// Standard output as others leave it to the program: closed, full, or a pipe that nobody reads any more.
#pragma once

#include <string>

namespace sinew::cli {

// To be called first. A stream that is closed would be given to the next file that is opened, and what is printed go
// into that file; and a pipe that nobody reads, or a limit on the size of files, must end neither the run nor lose its
// result: writing fails instead.
void guard_standard_streams();

// Standard output belongs to the file "-" where one of the arguments is that; the rest is printed on standard error.
void keep_standard_output(int argument_count, char** arguments);

// To be called last: sends off what was printed, and returns `exit_code` or, in place of 0, what says that it did not
// arrive: 141 where its reader was gone (as shells report it), 2 with a sentence where it did not fit.
int finish_standard_output(const std::string& program, int exit_code);

}  // namespace sinew::cli
