// Command-line options for settings: one per row of the methods' tables that asks for one (deform/setting.h). Methods
// with a setting of the same name share the option.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "sinew/deform/setting.h"

namespace sinew::cli {

struct Option;
class OptionSet;

struct DescribedMethod {
  std::string name;   // name on the command line
  std::string group;  // heading in --help for options without one of their own
  ConstSettings defaults;
};

class SettingOptions {
 public:
  // Adds --settings FILE and an option per setting. The defaults may be destroyed afterwards; this object must not
  // move.
  void add_to(OptionSet& options, const std::vector<DescribedMethod>& methods);

  // Applies the settings file and then single options to the method's settings. Throws usage_error that names the
  // option, or input_error that names the file.
  void apply(const std::string& method, Settings settings) const;

  template <class Struct>
  Struct settings(const std::string& method) const {
    Struct values;
    apply(method, settings_of(values));
    return values;
  }

  // Methods that have this option; empty if it is not an option of a setting.
  std::vector<std::string> methods_with(const Option& option) const;

 private:
  struct Given {
    const Option* option = nullptr;
    std::vector<std::string> methods;
    std::string text;
    bool flag = false;
  };
  const Given* given(const std::string& method, const std::string& name) const;

  std::deque<Given> all_;  // a deque, so that addresses stay valid
  std::string file_;
};

}  // namespace sinew::cli
