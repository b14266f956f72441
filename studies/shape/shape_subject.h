// A character whose flesh force rigs shape, for the experiments of `sinew-study shape`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/deform/flesh/goal_elasticity.h"
#include "sinew/shape/fit_skin.h"
#include "sinew/shape/shape_body.h"
#include "sinew/shape/static_flesh.h"

namespace sinew {

struct ShapeSubject {
  Character character;
  std::string name;
  CookedFlesh flesh;
  TissueLaw law;
  std::unique_ptr<ShapeBody> body;
  std::unique_ptr<StaticFlesh> statics;  // for fits

  const SimulationSurface& surface() const { return flesh.surface; }
  double height() const { return standing_height(flesh.surface); }
  std::vector<Affine> bones(const Pose& pose) const { return bone_transforms(character, flesh.surface, pose); }
  std::vector<Affine> at_rest() const { return std::vector<Affine>(flesh.surface.bones.size()); }
  // The skin with these displacements of the body's points in a pose, world, metres.
  std::vector<Vec3> skin(std::span<const Affine> bones, std::span<const Vec3> displacements) const;
};

ShapeSubject shape_subject(Character character, const std::string& name, int tetrahedra, const Progress& progress);

// Root mean square and largest distance of some vertices, metres.
SkinDistance distance_between(std::span<const Vec3> a, std::span<const Vec3> b, std::span<const int> vertices);

}  // namespace sinew
