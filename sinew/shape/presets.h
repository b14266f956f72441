// Named presets: rigs made of templates, sized by the bone or head that they are on, with displacements in place of
// forces, so that they work on any character.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/shape/shape_rig.h"

namespace sinew {

// One rig of a preset. Lengths are relative to the size of the flesh around the bone, the mean distance of its skin
// from the bone, or to the face's size (face.h).
struct PresetPiece {
  const char* suffix = "";  // of the rig's name; empty: the preset is one rig
  TemplateKind kind = TemplateKind::bump;
  GuideKind guide = GuideKind::bone;
  double slide = 0, distance = 0, orbit = 0;  // of a bone guide; degrees
  // Other guides: whether the piece is placed from the head's middle, forward too, and sized by the head in place of
  // the face.
  bool of_head = false;
  // The way from the anchor on the face: to the character's left, by the head's size, and up, by the face's. The skin
  // is found there.
  Vec3 place{};
  Vec3 push{};  // of a free guide: direction of the force, to the character's left, up, forward
  double depth = 0;
  double radius = 0, ring = 0, displacement = 0;
};

struct ShapePreset {
  const char* name = "";
  const char* help = "";
  const char* control = nullptr;   // abstract control; nullptr: the joint below the bone
  double full = 1;                 // value of the control at which the shape is whole
  bool breathes = false;           // the control is keyed as breathing
  bool on_nose = false;            // the anchor on the face is its foremost point, otherwise the mouth
  std::vector<const char*> bones;  // parts of names of bones that it goes on, the best first
  std::vector<PresetPiece> pieces;
};

std::span<const ShapePreset> shape_presets();
// Throws usage_error listing the names.
const ShapePreset& shape_preset(const std::string& name);

// The preset's rigs, called `name` and its suffixes. `guide`: the bone that it goes on, or a point of the skin that is
// its anchor on the face; empty: found by the names of bones. `controls`: empty: the preset's own. Throws usage_error
// if no bone is found.
std::vector<ShapeRig> preset_rigs(const ShapePreset& preset, const std::string& name, const std::optional<Guide>& guide,
                                  const std::vector<std::string>& controls, const SimulationSurface& surface);

// A rig of a template with a guide, on the skin near a point, rest space, metres: half as large as the flesh around the
// bone there, moving the skin by a fifth of that where its control, of the rig's name, is 1. Throws usage_error for
// other templates.
ShapeRig template_on_skin(const std::string& kind, const std::string& name, const Vec3& point,
                          const SimulationSurface& surface);

// The control `breathe` of a breath of four seconds, repeated.
AbstractControl breathing_control(const std::string& name);

}  // namespace sinew
