// Stages of a cook that are kept between cooks (CookCache, method.h). A stage is reused exactly if its key is equal.
//
//   const StageKey key = stage_key(settings_of(values), Recooks::body, input.revision);
//   const Body& body = cache.of<CookStage<Body>>().get(key, [&](const Body*) { return make_body(input, values); });
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "sinew/deform/method.h"
#include "sinew/deform/settings_fingerprint.h"

namespace sinew {

// Fingerprint of everything that a stage depends on. 0: that is not known; such a key equals no other.
using StageKey = std::uint64_t;

// Key of a stage that reads the character and the settings of level `least` and above.
inline StageKey stage_key(ConstSettings settings, Recooks least, const CharacterRevision& character) {
  if (character.skin == 0) return 0;
  Fingerprint print;
  print.add(std::array{character.skin, character.paint, character.clips});
  add_settings(print, settings, least);
  return print.value();
}

template <class Result>
class CookStage {
 public:
  bool has(StageKey key) const { return result_ && key != 0 && key == key_; }
  // The result for this key. `make` gets the last result, or null, and is called only if that has another key; if it
  // throws, the last result stays.
  template <class Make>
  Result& get(StageKey key, Make&& make) {
    if (!has(key)) {
      result_ = make(last());
      key_ = key;
    }
    return *result_;
  }
  const Result* last() const { return result_ ? &*result_ : nullptr; }

 private:
  std::optional<Result> result_;
  StageKey key_ = 0;
};

}  // namespace sinew
