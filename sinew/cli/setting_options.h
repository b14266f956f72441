// The options of settings: one for every row of the methods' tables that asks for one (deform/setting.h), shared by
// the methods that have a setting of that name.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "sinew/deform/setting.h"

namespace sinew::cli {

struct Option;
class OptionSet;

struct DescribedMethod {
  std::string name;   // as on the command line
  std::string group;  // in --help, of the options that have no other
  Settings defaults;
};

class SettingOptions {
 public:
  // --settings FILE, and an option for each setting. The tables may go afterwards, this has to stay where it is.
  void add_to(OptionSet& options, const std::vector<DescribedMethod>& methods);

  // Puts over the method's settings what the file says, then what single options say. Throws usage_error naming the
  // option, input_error naming the file.
  void apply(const std::string& method, const Settings& settings) const;

  template <class Struct>
  Struct settings(const std::string& method) const {
    Struct values;
    apply(method, settings_of(values));
    return values;
  }

  // Of an option: the methods that have it. Empty: it is of no setting.
  std::vector<std::string> methods_with(const Option& option) const;

 private:
  struct Given {
    const Option* option = nullptr;
    std::vector<std::string> methods;
    std::string text;
    bool flag = false;
  };
  const Given* given(const std::string& method, const std::string& name) const;

  std::deque<Given> all_;  // whose addresses stay
  std::string file_;
};

}  // namespace sinew::cli
