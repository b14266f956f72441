// One setting of a method, described once: the command line, files of settings and the docs are made from it.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace sinew {

struct Setting {
  std::string name;                                  // "stiffness": in files; "--stiffness" on the command line
  std::string takes;                                 // what a value is, "NUMBER"; empty: a flag
  std::string help;                                  // a sentence without its stop
  std::string example;                               // a value that makes sense
  std::function<void(const std::string& text)> set;  // throws usage_error
  std::function<std::string()> get;
};

// Numbers between `least` and `most`, both allowed. What they are bound to has to outlive the setting.
Setting number_setting(std::string name, std::string takes, double& value, double least, double most, std::string help);
// Patterns with * and ?, separated by commas.
Setting patterns_setting(std::string name, std::string takes, std::vector<std::string>& value, std::string help);

}  // namespace sinew
