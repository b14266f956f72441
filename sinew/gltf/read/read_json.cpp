#include "sinew/gltf/read/read_json.h"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

namespace sinew {
namespace {

// An array that is read entry by entry. An entry may take two bytes of the file, and its view a hundred.
constexpr std::size_t most_elements = 1'000'000;

}  // namespace

JsonView::JsonView(const std::string& file, const nlohmann::json& value, std::string place)
    : file_(file), value_(&value), place_(std::move(place)) {}

Error JsonView::error(const std::string& text) const {
  return input_error(file_ + ": " + (place_.empty() ? "the document" : place_) + " " + text);
}

const JsonView& JsonView::require_object() const {
  if (!value_->is_object()) throw error("is not a JSON object; export the file again.");
  return *this;
}

std::optional<JsonView> JsonView::find(const char* key) const {
  require_object();
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return JsonView(file_, *found, place_.empty() ? key : place_ + "." + key);
}

JsonView JsonView::at(const char* key) const {
  if (auto member = find(key)) return *member;
  throw error(std::string("has no \"") + key + "\", which glTF requires; export the file again.");
}

std::vector<JsonView> JsonView::elements(const char* key) const {
  const auto array = find(key);
  if (!array) return {};
  if (!array->value_->is_array()) throw array->error("is not a JSON array; export the file again.");
  if (array->value_->size() > most_elements)
    throw array->error("has " + std::to_string(array->value_->size()) + " entries, more than the " +
                       std::to_string(most_elements) + " that Sinew reads; split the scene and keep one character.");
  std::vector<JsonView> views;
  views.reserve(array->value_->size());
  for (std::size_t i = 0; i < array->value_->size(); ++i)
    views.emplace_back(file_, (*array->value_)[i], array->place_ + "[" + std::to_string(i) + "]");
  return views;
}

std::size_t JsonView::count(const char* key) const {
  const auto array = find(key);
  if (!array) return 0;
  if (!array->value_->is_array()) throw array->error("is not a JSON array; export the file again.");
  return array->value_->size();
}

std::vector<std::pair<std::string, JsonView>> JsonView::members() const {
  require_object();
  std::vector<std::pair<std::string, JsonView>> views;
  for (const auto& [key, member] : value_->items())
    views.emplace_back(key, JsonView(file_, member, place_.empty() ? key : place_ + "." + key));
  return views;
}

std::size_t JsonView::to_integer() const {
  if (value_->is_number_unsigned()) return value_->get<std::size_t>();
  if (value_->is_number_integer() && value_->get<std::int64_t>() >= 0)
    return value_->get<std::size_t>();  // after an edit in memory
  if (value_->is_number_float()) {
    const double number = value_->get<double>();
    if (number >= 0 && number <= 9007199254740992.0 && number == std::floor(number))
      return static_cast<std::size_t>(number);
  }
  throw error("is not a non-negative integer; export the file again.");
}

double JsonView::to_number() const {
  if (!value_->is_number() || !std::isfinite(value_->get<double>()))
    throw error("is not a number; export the file again.");
  return value_->get<double>();
}

std::string JsonView::to_string() const {
  if (!value_->is_string()) throw error("is not a string; export the file again.");
  return value_->get<std::string>();
}

std::size_t JsonView::to_index(std::size_t limit, const char* what) const {
  const std::size_t number = to_integer();
  if (number < limit) return number;
  throw error("names " + std::string(what) + " " + std::to_string(number) + ", but the file has " +
              std::to_string(limit) + " of them; export the file again.");
}

std::vector<double> JsonView::to_numbers() const {
  if (!value_->is_array()) throw error("is not an array of numbers; export the file again.");
  std::vector<double> numbers;
  numbers.reserve(value_->size());
  for (const nlohmann::json& element : *value_) numbers.push_back(JsonView(file_, element, place_).to_number());
  return numbers;
}

std::size_t JsonView::integer_or(const char* key, std::size_t otherwise) const {
  const auto member = find(key);
  return member ? member->to_integer() : otherwise;
}

std::string JsonView::string_or(const char* key, const std::string& otherwise) const {
  const auto member = find(key);
  return member ? member->to_string() : otherwise;
}

bool JsonView::bool_or(const char* key, bool otherwise) const {
  const auto member = find(key);
  if (!member) return otherwise;
  if (!member->value_->is_boolean()) throw member->error("is neither true nor false; export the file again.");
  return member->value_->get<bool>();
}

std::optional<std::size_t> JsonView::index(const char* key, std::size_t limit, const char* what) const {
  const auto member = find(key);
  if (!member) return std::nullopt;
  return member->to_index(limit, what);
}

std::optional<std::vector<double>> JsonView::numbers(const char* key, std::size_t expected) const {
  const auto member = find(key);
  if (!member) return std::nullopt;
  std::vector<double> values = member->to_numbers();
  if (values.size() != expected)
    throw member->error("has " + std::to_string(values.size()) + " numbers where glTF wants " +
                        std::to_string(expected) + "; export the file again.");
  return values;
}

}  // namespace sinew
