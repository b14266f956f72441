#include "sinew/deform/setting.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <utility>

#include "sinew/base/error.h"

namespace sinew {
namespace {

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace

Setting number_setting(std::string name, std::string takes, double& value, double least, double most,
                       std::string help) {
  Setting setting{name, std::move(takes), std::move(help), text_of(value), {}, [&value] { return text_of(value); }};
  setting.help += " (default " + setting.example + ")";
  setting.set = [&value, least, most, name](const std::string& text) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, status] = std::from_chars(text.data(), end, number);
    if (status != std::errc() || stop != end || !std::isfinite(number))
      throw usage_error("--" + name + ": '" + text + "' is not a number; write for example --" + name + " " +
                        text_of(value) + ".");
    if (!(number >= least && number <= most))
      throw usage_error("--" + name + ": must lie between " + text_of(least) + " and " + text_of(most) + ".");
    value = number;
  };
  return setting;
}

Setting patterns_setting(std::string name, std::string takes, std::vector<std::string>& value, std::string help) {
  Setting setting{std::move(name), std::move(takes), std::move(help), "", {}, {}};
  setting.set = [&value](const std::string& text) {
    value.clear();
    std::istringstream stream(text);
    for (std::string item; std::getline(stream, item, ',');)
      if (!item.empty()) value.push_back(item);
  };
  setting.get = [&value] {
    std::string text;
    for (const std::string& item : value) text += (text.empty() ? "" : ",") + item;
    return text;
  };
  return setting;
}

}  // namespace sinew
