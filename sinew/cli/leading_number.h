// Numbers with something behind them on the command line, such as 4ms.
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <string>

namespace sinew::cli {

struct LeadingNumber {
  double value = 0;
  std::string rest;  // of the text, behind the number
};

// Empty where the text does not begin with a number.
inline std::optional<LeadingNumber> leading_number(const std::string& text) {
  try {
    std::size_t used = 0;
    const double value = std::stod(text, &used);
    return LeadingNumber{value, text.substr(used)};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace sinew::cli
