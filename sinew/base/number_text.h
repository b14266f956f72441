// Numbers as people write and read them.
#pragma once

#include <string>

namespace sinew {

// The number with at most twelve digits: "0.45", "1e-06".
std::string plain(double number);

// The text of plain(), or a fraction such as "1/240" where that is shorter.
std::string plain_or_fraction(double number);

// A share as a percentage of two digits: "0.12 %", "45 %".
std::string percent_text(double share);

// Words for the error message about a text that is not a number.
struct NumberWords {
  std::string name;     // "--young"
  std::string kind;     // "a number of pascals"
  std::string example;  // "2e5"
};

// Parses all of `text` as a finite number. Both throw usage_error.
double number_from(const std::string& text, const NumberWords& words);
int whole_number_from(const std::string& text, const NumberWords& words);

}  // namespace sinew
