#include "sinew/base/number_text.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <system_error>

#include "sinew/base/error.h"

namespace sinew {
namespace {

template <class Number>
Number parsed_number(const std::string& text, const NumberWords& words) {
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* end = text.data() + text.size();
  Number number{};
  const auto [rest, error] = std::from_chars(begin, end, number);
  const std::string remedy = words.example.empty() ? "." : "; write, for example, " + words.example + ".";
  if (error == std::errc::result_out_of_range)
    throw usage_error(words.name + ": " + text + " is beyond the numbers that are computed with" + remedy);
  if (error != std::errc() || rest != end || !std::isfinite(static_cast<double>(number)))
    throw usage_error(words.name + ": '" + text + "' is not " + words.kind + remedy);
  return number;
}

}  // namespace

std::string plain(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", number);
  return text;
}

std::string plain_or_fraction(double number) {
  const std::string decimal = plain(number);
  if (number == 0) return decimal;
  const double inverse = std::round(1 / number);
  const std::string fraction = "1/" + plain(inverse);
  return 1 / inverse == number && fraction.size() < decimal.size() ? fraction : decimal;
}

std::string percent_text(double share) {
  char text[32];
  std::snprintf(text, sizeof text, share < 0.095 ? "%.2g %%" : "%.0f %%", 100 * share);
  return text;
}

double number_from(const std::string& text, const NumberWords& words) { return parsed_number<double>(text, words); }
int whole_number_from(const std::string& text, const NumberWords& words) { return parsed_number<int>(text, words); }

}  // namespace sinew
