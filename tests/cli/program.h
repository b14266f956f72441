// Runs `sinew` as a user does.
#pragma once

#include <csignal>
#include <string>
#include <vector>

#include "tests/cli/runs_a_program.h"

namespace sinew::test {

class ProgramTest : public RunsAProgram {
 protected:
  ProgramTest() : RunsAProgram(SINEW_PROGRAM) {}

  Outcome sinew(const std::vector<std::string>& arguments, const std::string& signal_after = "",
                int signal = SIGINT) const {
    return run_program(arguments, signal_after, signal);
  }
};

}  // namespace sinew::test
