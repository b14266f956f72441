// Keys of a curve in JSON, shared by the files that have curves. To be included by sources only, since it includes a
// JSON library.
//
// A key is [at, value], [at, value, slope] or [at, value, slope before, slope after].
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/deform/fixed_keys.h"
#include "sinew/files/settings_fields.h"

namespace sinew {

// Words of messages about what keys are over.
struct KeyAxis {
  const char* quantity = "seconds";  // name of a key's first number
  const char* unit = " s";           // follows that number
  const char* plural = "times";      // several of those numbers
  std::size_t most_keys = 100'000;   // in a list
};

// Takes the list `keys` of an object. Throws the object's error for what is no list of ascending keys.
std::vector<FixedKey> take_keys(SettingsFields& fields, const KeyAxis& axis);

// A list that reads back as the same keys.
SettingsJson key_list_json(const std::vector<FixedKey>& keys);

}  // namespace sinew
