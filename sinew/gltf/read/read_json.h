// Typed, checked access to the JSON of a glTF document. Every failure is a sentence that names the file and the place,
// e.g. "fox.glb: meshes[0].primitives[1].indices is not an integer; ...".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sinew/base/error.h"

namespace sinew {

// A JSON value and its place in the file. It does not own the value.
class JsonView {
 public:
  JsonView(const std::string& file, const nlohmann::json& value, std::string place);

  const nlohmann::json& value() const { return *value_; }
  const std::string& place() const { return place_; }

  // Error: "FILE: PLACE TEXT".
  Error error(const std::string& text) const;

  // Members of an object. `find` is empty if the key is absent, `at` throws.
  std::optional<JsonView> find(const char* key) const;
  JsonView at(const char* key) const;
  bool has(const char* key) const { return find(key).has_value(); }
  // The member as an array; empty if it is absent.
  std::vector<JsonView> elements(const char* key) const;
  // Length of a member that is an array; 0 if it is absent.
  std::size_t count(const char* key) const;
  // All members of an object, in the order of their keys.
  std::vector<std::pair<std::string, JsonView>> members() const;

  // Conversions of the value itself.
  const JsonView& require_object() const;
  std::size_t to_integer() const;  // non-negative; 3.0 is accepted
  double to_number() const;        // finite
  std::string to_string() const;
  std::size_t to_index(std::size_t count, const char* what) const;  // an integer below `count`
  std::vector<double> to_numbers() const;                           // array of finite numbers

  // Members with a default.
  std::size_t integer_or(const char* key, std::size_t otherwise) const;
  std::string string_or(const char* key, const std::string& otherwise) const;
  bool bool_or(const char* key, bool otherwise) const;
  std::optional<std::size_t> index(const char* key, std::size_t count, const char* what) const;
  std::optional<std::vector<double>> numbers(const char* key, std::size_t count) const;

 private:
  std::string file_;
  const nlohmann::json* value_;
  std::string place_;
};

}  // namespace sinew
