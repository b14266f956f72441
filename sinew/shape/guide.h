// Template guides (Capell 2004, section 6.4.2): where a template is, and how it is turned, in a few numbers that people
// and optimisers change. A guide hangs on a bone or on the skin, at rest.
//
//   bone  x along the bone. `slide` places it along the bone; `orbit` turns its y axis about the bone, from the side
//         that faces forward; `distance` moves it along y (the thesis' orbit); `spin` turns the template about its own
//         x axis.
//   skin  y along the normal of the skin at the point nearest to the anchor. `depth` moves it inwards; `spin` turns it
//         about the normal, from x up the body.
//   free  six numbers, from the rest space's own axes.
#pragma once

#include <span>
#include <string>

#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/small.h"
#include "sinew/shape/shape_parameter.h"

namespace sinew {

enum class GuideKind { bone, skin, free };

inline constexpr Word<GuideKind> guide_words[] = {
    {"bone", GuideKind::bone}, {"skin", GuideKind::skin}, {"free", GuideKind::free}};

struct Guide {
  GuideKind kind = GuideKind::free;
  std::string bone;  // of a bone guide: name of the bone
  Vec3 point;        // of a skin guide: a point near the skin, rest space, metres
};

std::span<const ShapeParameter> parameters_of(GuideKind kind);

// A guide on its bone or on its place of the skin, from which its parameters lead to frames.
class GuideAnchor {
 public:
  // Throws input_error without a file's name if the bone does not exist.
  GuideAnchor(const Guide& guide, const SimulationSurface& surface);

  // The template's frame at rest: a rotation and a translation from the template's space to rest space, metres.
  // `parameters`: as in parameters_of().
  Affine frame(std::span<const double> parameters) const;

 private:
  GuideKind kind_;
  Affine anchor_;  // axes and place
  Vec3 along_;     // of a bone: from its joint to its end
};
Affine guide_frame(const Guide& guide, std::span<const double> parameters, const SimulationSurface& surface);

// Moves a guide so that its template's centre is at `to`, rest space, metres, as nearly as its kind allows: along and
// around its bone, or over the skin. `parameters` change accordingly. Throws as guide_frame() does.
void move_guide(Guide& guide, std::span<double> parameters, const Vec3& to, const SimulationSurface& surface);

// The bone with this name. Throws as guide_frame() does.
const Bone& bone_named(const SimulationSurface& surface, const std::string& name);
// The longest of its segments.
const BoneSegment& main_segment(const Bone& bone);

}  // namespace sinew
