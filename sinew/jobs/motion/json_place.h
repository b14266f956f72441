// An element of a JSON file with its place, for messages: "transitions[3].at". To be included by sources only, since it
// includes a JSON library.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

#include "sinew/base/error.h"

namespace sinew {

struct JsonPlace {
  const nlohmann::ordered_json* json;
  std::string path;
  const std::string* file;

  [[noreturn]] void fail(const std::string& what) const {
    throw input_error(*file + ": " + (path.empty() ? "the file" : "\"" + path + "\"") + " " + what + ".");
  }
  JsonPlace operator[](std::size_t i) const { return {&(*json)[i], path + "[" + std::to_string(i) + "]", file}; }
  bool has(const char* key) const { return json->contains(key); }
  JsonPlace member(const char* key) const {
    const auto found = json->find(key);
    if (found == json->end()) fail(std::string("has no \"") + key + "\"; add it");
    return {&*found, (path.empty() ? "" : path + ".") + key, file};
  }
  void need_object(std::initializer_list<const char*> keys) const {
    if (!json->is_object()) fail("must be an object");
    for (const auto& [key, value] : json->items())
      if (std::none_of(keys.begin(), keys.end(), [&, name = key](const char* k) { return name == k; }))
        fail("has the key \"" + key + "\", which is not known here; remove it");
  }
  std::size_t list_size() const {
    if (!json->is_array()) fail("must be a list");
    return json->size();
  }
  double number(double least, double most) const {
    const double value = json->is_number() ? json->get<double>() : NAN;
    if (!(value >= least && value <= most))
      fail("must be a number from " + text_of(least) + " to " + text_of(most) + "; correct it");
    return value;
  }
  int whole(int least, int most) const {
    const double value = json->is_number() ? json->get<double>() : NAN;
    if (!(value >= least && value <= most) || value != std::floor(value))
      fail("must be a whole number from " + std::to_string(least) + " to " + std::to_string(most) + "; correct it");
    return static_cast<int>(value);
  }
  bool truth() const {
    if (!json->is_boolean()) fail("must be true or false");
    return json->get<bool>();
  }
  std::string text() const {
    if (!json->is_string()) fail("must be a text; write it in quotes");
    return json->get<std::string>();
  }

 private:
  static std::string text_of(double number) {
    std::string text = std::to_string(number);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  }
};

}  // namespace sinew
