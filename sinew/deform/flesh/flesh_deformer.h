// The deformer of flesh in an elastic body of any kind: moves the surface that the body carries.
#pragma once

#include <memory>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/deformer.h"
#include "sinew/deform/flesh/body_motion.h"

namespace sinew {

// `traits`: all except the steps. `surface` must outlive the result. `mass`: of the body, kilograms.
std::unique_ptr<Deformer> flesh_deformer(std::unique_ptr<BodyMotion> motion, std::unique_ptr<SurfaceCarrier> carrier,
                                         const SimulationSurface& surface, DeformerTraits traits, double mass);

}  // namespace sinew
