// Reads the keys of a page's message, which is not trusted. To be included by sources only.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "studio/server/command.h"

namespace sinew::studio {

using Json = nlohmann::json;

inline constexpr double farthest = 1e5;   // metres, m/s^2
inline constexpr double strongest = 1e7;  // newtons
inline constexpr std::size_t longest_text = 1000, longest_name = 100;
inline constexpr int most_elements = 50'000'000, most_joints = 100'000, most_strokes = 1'000'000'000;

// Takes keys of an object one by one; finally refuses those that nobody took.
class Keys {
 public:
  Keys(const Json& object, std::string where) : object_(object), where_(std::move(where)) {}

  const Json* find(const char* key) {
    taken_.push_back(key);
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  const Json& need(const char* key) {
    const Json* found = find(key);
    if (!found) throw wrong(key, "is missing");
    return *found;
  }
  Error wrong(const std::string& key, const std::string& what) const {
    return usage_error(where_ + ": " + key + " " + what + ".");
  }

  double number(const char* key, const Json& value, double least, double most) const {
    const double number = value.is_number() ? value.get<double>() : NAN;
    if (!(number >= least && number <= most))
      throw wrong(key, "must be a number from " + short_text(least) + " to " + short_text(most));
    return number;
  }
  double number(const char* key, double least, double most) { return number(key, need(key), least, most); }
  int integer(const char* key, const Json& value, int most) const {
    if (!value.is_number_integer() || value < 0 || value > most)
      throw wrong(key, "must be a whole number from 0 to " + std::to_string(most));
    return value.get<int>();
  }
  std::string text(const char* key, const Json& value, std::size_t longest) const {
    if (!value.is_string() || value.get_ref<const std::string&>().size() > longest)
      throw wrong(key, "must be a text of at most " + std::to_string(longest) + " letters");
    return value.get<std::string>();
  }
  std::string text(const char* key, std::size_t longest = longest_text) { return text(key, need(key), longest); }
  std::string text_or(const char* key, std::size_t longest = longest_text) {
    const Json* found = find(key);
    return found ? text(key, *found, longest) : std::string();
  }
  std::optional<bool> flag(const char* key) {
    const Json* found = find(key);
    if (!found) return std::nullopt;
    if (!found->is_boolean()) throw wrong(key, "must be true or false");
    return found->get<bool>();
  }
  std::vector<double> numbers(const char* key, const Json& value, std::size_t count, double most) const {
    if (!value.is_array() || value.size() != count)
      throw wrong(key, "must be a list of " + std::to_string(count) + " numbers");
    std::vector<double> numbers;
    for (const Json& item : value) numbers.push_back(number(key, item, -most, most));
    return numbers;
  }
  // Names in a list; empty where the key is missing.
  std::vector<std::string> names(const char* key, std::size_t longest = longest_name) {
    std::vector<std::string> names;
    const Json* list = find(key);
    if (!list) return names;
    if (!list->is_array() || list->size() > 1000) throw wrong(key, "must be a list of at most 1000 names");
    for (const Json& name : *list) names.push_back(text(key, name, longest));
    return names;
  }
  std::vector<Vec3> places(const char* key, std::size_t least, std::size_t most, double farthest_place) {
    const Json& list = need(key);
    if (!list.is_array() || list.size() < least || list.size() > most)
      throw wrong(key, "must be a list of " + std::to_string(least) + " to " + std::to_string(most) + " places");
    std::vector<Vec3> places;
    for (const Json& place : list) places.push_back(vector(key, place, farthest_place));
    return places;
  }
  Vec3 vector(const char* key, const Json& value, double most) const {
    const std::vector<double> v = numbers(key, value, 3, most);
    return {v[0], v[1], v[2]};
  }
  Vec3 vector(const char* key, double most = farthest) { return vector(key, need(key), most); }
  // The stroke that an edit belongs to; 0: none.
  int stroke() {
    const Json* found = find("stroke");
    return found ? integer("stroke", *found, most_strokes) : 0;
  }
  SkinPlace place(const char* key, const Json& value) const {
    if (value.is_object() && value.size() == 1 && value.contains("rest")) return vector(key, value["rest"], farthest);
    if (!value.is_array() || value.size() != 3)
      throw wrong(key, "must be [triangle, u, v] of the surface, or {\"rest\": [x, y, z]}");
    const SkinSpot spot{integer(key, value[0], most_elements), number(key, value[1], 0, 1),
                        number(key, value[2], 0, 1)};
    if (spot.u + spot.v > 1 + 1e-6) throw wrong(key, "must lie in its triangle: u + v is at most 1");
    return spot;
  }

  void finish() const {
    for (const auto& [key, value] : object_.items())
      if (std::find(taken_.begin(), taken_.end(), key) == taken_.end())
        throw usage_error(where_ + ": '" + key.substr(0, longest_name) + "' is not one of its keys.");
  }

  static std::string short_text(double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%g", value);
    return text;
  }

 private:
  const Json& object_;
  std::string where_;
  std::vector<std::string> taken_;
};

inline Quat rotation(const Keys& keys, const Json& value) {
  const std::vector<double> q = keys.numbers("joints", value, 4, 2);
  const Quat rotation{q[0], q[1], q[2], q[3]};
  if (!(dot(rotation, rotation) > 1e-6)) throw keys.wrong("joints", "must be rotations, x, y, z, w");
  return normalized(rotation);
}

}  // namespace sinew::studio
