// What acts on flesh, in settings files. For sources only: it includes a JSON library.
#pragma once

#include <vector>

#include "sinew/deform/acting_settings.h"
#include "sinew/files/settings_fields.h"

namespace sinew {

// The key "colliders", where there is one: replaces `colliders`.
void take_colliders(SettingsFields& fields, std::vector<ColliderSettings>& colliders);

SettingsJson colliders_json(const std::vector<ColliderSettings>& colliders);

// The key "pokes", likewise.
void take_pokes(SettingsFields& fields, std::vector<PokeSettings>& pokes);

SettingsJson pokes_json(const std::vector<PokeSettings>& pokes);

}  // namespace sinew
