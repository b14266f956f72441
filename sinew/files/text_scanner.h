// Reads words and numbers from a text, for readers of untrusted text files.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sinew/base/error.h"

namespace sinew {

// Splits at white space and tracks the line for messages. Anything unexpected is an input_error.
class TextScanner {
 public:
  TextScanner(std::string_view text, const std::string& file, std::size_t first_line = 1)
      : text_(text), file_(file), line_(first_line) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw input_error(file_ + ", line " + std::to_string(line_) + ": " + what +
                      "; write the file again from its source.");
  }

  // The next word; empty at the end of the text.
  std::string_view word() {
    skip_space();
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  // A number that may also be infinite or nan.
  double any_number(const char* what) {
    const std::string w(word());
    char* end = nullptr;
    const double value = std::strtod(w.c_str(), &end);
    if (w.empty() || end != w.c_str() + w.size()) fail_at(w, what);
    return value;
  }
  long long integer(const char* what) {
    const std::string w(word());
    char* end = nullptr;
    const long long value = std::strtoll(w.c_str(), &end, 10);
    if (w.empty() || end != w.c_str() + w.size()) fail_at(w, what);
    return value;
  }

 private:
  [[noreturn]] void fail_at(const std::string& found, const char* what) const {
    fail(std::string("expected ") + what + ", found \"" + found.substr(0, 64) + "\"");
  }
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) line_ += text_[at_++] == '\n';
  }
  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace sinew
