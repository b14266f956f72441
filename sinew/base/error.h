// Errors for people: every failure that a user can cause carries one sentence that names the file,
// the element and the remedy, and the exit code of the program (contract, clause 7).
#pragma once

#include <stdexcept>
#include <string>

#include "sinew/base/printable.h"

namespace sinew {

// Cause of an error; the values are the program's exit codes.
enum class ErrorKind : int {
  usage = 2,       // the command line or the call asked for something impossible
  input = 3,       // a file is unusable
  simulation = 4,  // the simulation failed numerically on valid input
};

// An error with one sentence for the user. Text quoted from files is made printable(), so that a zero byte in a name
// does not end the sentence.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(printable(sentence)), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// Errors of each kind.
inline Error usage_error(const std::string& sentence) { return {ErrorKind::usage, sentence}; }
inline Error input_error(const std::string& sentence) { return {ErrorKind::input, sentence}; }
inline Error simulation_error(const std::string& sentence) { return {ErrorKind::simulation, sentence}; }

}  // namespace sinew
