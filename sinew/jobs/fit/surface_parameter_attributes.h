// Parameters of surface dynamics where they can be seen and painted: vertex attributes _SINEW_ALPHA, _SINEW_BETA,
// _SINEW_GAMMA, _SINEW_LAMBDA and _SINEW_DELTA of a glTF file, and a picture as figure 4 of Shi et al. 2008.
#pragma once

#include <filesystem>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/surface_model.h"
#include "sinew/files/png.h"
#include "sinew/gltf/document.h"

namespace sinew {

// Writes the document to `out` with the model's parameters as five float attributes (one number a vertex) of every
// primitive that is simulated; those that were there before are replaced. Everything else stays as in
// write_gltf_with_flesh() (gltf/write/write_gltf.h). `character` must have been read from `document`, `surface` and
// `model` been built of it, else usage_error. Returns the number of bytes written.
std::size_t write_surface_parameters(const GltfDocument& document, const Character& character,
                                     const SimulationSurface& surface, const SurfaceModel& model,
                                     const std::filesystem::path& out);

// How numbers become colours: as they are, or by their square root, which shows small ones better.
enum class ParameterScale { linear, square_root };

struct SurfaceParameterPictureOptions {
  int width = 240, height = 320;  // pixels, of each of the five views
  ParameterScale scale = ParameterScale::linear;
};

// Five views of the surface at rest, one for each parameter: blue at 0, red at its largest, which is 1, or 0.5 of
// lambda; with a legend below. `surface` as above. Throws usage_error where it does not belong to the model.
Image render_surface_parameters(const SimulationSurface& surface, const SurfaceModel& model,
                                const SurfaceParameterPictureOptions& options = {});

}  // namespace sinew
