#include "sinew/gltf/read/read_properties.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/gltf/read/property_defaults.h"

namespace sinew {
namespace {

bool is_finite_number(const nlohmann::json& value) { return value.is_number() && std::isfinite(value.get<double>()); }

}  // namespace

PropertyReader::Named PropertyReader::find(const std::string& pointer) {
  const nlohmann::json* value = nullptr;
  try {
    value = &root_.value().at(nlohmann::json::json_pointer(pointer));
  } catch (const nlohmann::json::exception&) {
    const std::vector<double> rest = default_of_property(root_.value(), pointer);
    if (rest.size() == 1) return {{number_of(pointer, rest.front())}, false};
    return {numbers_of_list(pointer, rest), rest.empty()};
  }
  if (is_finite_number(*value)) return {{number_of(pointer, value->get<double>())}, false};
  if (!value->is_array() || !std::all_of(value->begin(), value->end(), is_finite_number)) return {};
  return {numbers_of_list(pointer, value->get<std::vector<double>>()), false};
}

std::vector<int> PropertyReader::numbers_of_list(const std::string& pointer, const std::vector<double>& rest) {
  std::vector<int> numbers;
  for (std::size_t k = 0; k < rest.size(); ++k)
    numbers.push_back(number_of(pointer + "/" + std::to_string(k), rest[k]));
  return numbers;
}

int PropertyReader::number_of(const std::string& pointer, double rest) {
  const auto [found, is_new] = known_.try_emplace(pointer, static_cast<int>(skeleton_.properties.size()));
  if (is_new) skeleton_.properties.push_back({pointer, rest});
  return found->second;
}

}  // namespace sinew
