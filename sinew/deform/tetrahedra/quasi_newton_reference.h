// Flesh of nonlinear elasticity in tetrahedra: each step minimises the incremental potential of the tissue
// (tissue_forces.h) by quasi-Newton iterations (flesh/quasi_newton_step.h).
#pragma once

#include <memory>

#include "sinew/deform/flesh/body_motion.h"
#include "sinew/deform/flesh/quasi_newton_step.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/deform/tetrahedra/flesh_motion.h"
#include "sinew/deform/tetrahedra/tissue_forces.h"

namespace sinew {

struct QuasiNewton : TissueStep {
  NaturalShape shape = NaturalShape::goal;
};

std::unique_ptr<FleshReference> quasi_newton_reference(std::shared_ptr<const FleshBody> body, const QuasiNewton& how);

std::unique_ptr<BodyMotion> quasi_newton_flesh(std::shared_ptr<const FleshBody> body, const QuasiNewton& how);

}  // namespace sinew
