// Shows the parameters of learned dynamic skinning, and lets them be painted: as vertex attributes _SINEW_ALPHA,
// _SINEW_BETA, _SINEW_GAMMA, _SINEW_LAMBDA and _SINEW_DELTA of a glTF file, and as a picture like figure 4 of Shi et
// al. 2008.
#pragma once

#include <filesystem>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/surface_model.h"
#include "sinew/files/png.h"
#include "sinew/gltf/document.h"

namespace sinew {

// Writes the document to `out` with the model's parameters as five float attributes (one number per vertex) on every
// simulated primitive, in place of existing ones. Everything else stays as in write_gltf_with_flesh()
// (gltf/write/write_gltf.h). Throws usage_error unless `character` was read from `document`, and `surface` and `model`
// were built from it. Returns the number of bytes written.
std::size_t write_surface_parameters(const GltfDocument& document, const Character& character,
                                     const SimulationSurface& surface, const SurfaceModel& model,
                                     const std::filesystem::path& out);

// Mapping of numbers to colours; the square root shows small numbers better.
enum class ParameterScale { linear, square_root };

struct SurfaceParameterPictureOptions {
  int width = 240, height = 320;  // of each of the five views
  ParameterScale scale = ParameterScale::linear;
};

// Five views of the surface at rest, one per parameter: blue at 0, red at the maximum (1, or 0.5 for lambda), with a
// legend below. Throws usage_error if `surface` does not belong to the model.
Image render_surface_parameters(const SimulationSurface& surface, const SurfaceModel& model,
                                const SurfaceParameterPictureOptions& options = {});

}  // namespace sinew
