#include "sinew/files/key_list_json.h"

#include <cmath>

#include "sinew/base/number_text.h"

namespace sinew {
namespace {

constexpr double largest_number = 1e6;

std::string form_of_key(const KeyAxis& axis) {
  const std::string begin = std::string("[") + axis.quantity + ", value";
  return "must be " + begin + "], " + begin + ", slope] or " + begin + ", slope before, slope after]";
}

FixedKey key_from(const SettingsJson& json, const SettingsFields& fields, const std::string& key, const KeyAxis& axis) {
  if (!json.is_array() || json.size() < 2 || json.size() > 4) throw fields.wrong("keys", key + form_of_key(axis));
  std::vector<double> numbers;
  for (const SettingsJson& number : json) {
    if (!number.is_number()) throw fields.wrong("keys", key + form_of_key(axis));
    numbers.push_back(number.get<double>());
    if (!(std::abs(numbers.back()) <= largest_number))
      throw fields.wrong("keys", key + "has a number beyond a million");
  }
  FixedKey result{numbers[0], numbers[1], {}, {}};
  if (numbers.size() > 2) {
    result.in = numbers[2];
    result.out = numbers.back();
  }
  return result;
}

SettingsJson json_of(const FixedKey& key) {
  SettingsJson json{key.time, key.value};
  if (!key.in && !key.out) return json;
  json.push_back(key.in.value_or(0));
  if (key.in != key.out) json.push_back(key.out.value_or(0));
  return json;
}

}  // namespace

std::vector<FixedKey> take_keys(SettingsFields& fields, const KeyAxis& axis) {
  const SettingsJson* found = fields.take("keys");
  if (!found || !found->is_array() || found->empty() || found->size() > axis.most_keys)
    throw fields.wrong("keys", "must be a list of keys, each of which " + form_of_key(axis));
  std::vector<FixedKey> keys;
  for (std::size_t k = 0; k < found->size(); ++k) {
    const std::string key = "key " + std::to_string(k + 1) + " ";
    const FixedKey read = key_from((*found)[k], fields, key, axis);
    if (!keys.empty() && read.time <= keys.back().time)
      throw fields.wrong("keys", key + "at " + plain(read.time) + axis.unit +
                                     " does not come after the one before it; sort the keys by their " + axis.plural);
    keys.push_back(read);
  }
  return keys;
}

SettingsJson key_list_json(const std::vector<FixedKey>& keys) {
  SettingsJson list = SettingsJson::array();
  for (const FixedKey& key : keys) list.push_back(json_of(key));
  return list;
}

}  // namespace sinew
