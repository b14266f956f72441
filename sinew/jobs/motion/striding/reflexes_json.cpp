#include "sinew/jobs/motion/striding/reflexes_json.h"

#include <algorithm>

#include "sinew/files/strict_json.h"
#include "sinew/jobs/motion/json_place.h"

namespace sinew {

std::string reflexes_json(const ReflexFile& file) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object(), numbers = nlohmann::ordered_json::object();
  if (file.speed) json["speed"] = *file.speed;
  for (std::size_t k = 0; k < reflex_numbers; ++k) numbers[std::string(reflex_ranges()[k].name)] = file.reflexes[k];
  json["reflexes"] = numbers;
  return json.dump(2) + "\n";
}

ReflexFile reflexes_from_json(std::string_view text, const std::string& file) {
  const nlohmann::ordered_json json = parse_strict_json(text, file, "correct the line");
  const JsonPlace place{&json, "", &file};
  place.need_object({"$schema", "comment", "speed", "reflexes"});
  ReflexFile result;
  if (place.has("speed")) result.speed = place.member("speed").number(-100, 100);
  const JsonPlace numbers = place.member("reflexes");
  if (!numbers.json->is_object()) numbers.fail("must be an object");
  const auto& ranges = reflex_ranges();
  for (const auto& [key, value] : numbers.json->items())
    if (std::none_of(ranges.begin(), ranges.end(),
                     [&, name = key](const ReflexRange& range) { return range.name == name; }))
      numbers.fail("has the key \"" + key + "\", which is not known here; remove it");
  for (std::size_t k = 0; k < reflex_numbers; ++k)
    result.reflexes[k] = numbers.member(ranges[k].name.data()).number(ranges[k].least, ranges[k].most);
  return result;
}

}  // namespace sinew
