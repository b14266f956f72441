// Flesh in an elastic body, whatever the body is made of, as a deformer of the surface that it carries.
#pragma once

#include <memory>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/deformer.h"
#include "sinew/deform/flesh/body_motion.h"

namespace sinew {

// `traits`: all but the steps. `surface` has to outlive the result. `mass`: of the body, kilograms.
std::unique_ptr<Deformer> flesh_deformer(std::unique_ptr<BodyMotion> motion, std::unique_ptr<SurfaceCarrier> carrier,
                                         const SimulationSurface& surface, DeformerTraits traits, double mass);

}  // namespace sinew
