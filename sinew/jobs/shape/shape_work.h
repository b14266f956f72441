// The common part of jobs on force rigs: the character, its flesh, and the file of rigs that they change.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/jobs/open_character.h"
#include "sinew/jobs/shape/shape_target.h"
#include "sinew/jobs/words.h"
#include "sinew/shape/fit_skin.h"
#include "sinew/shape/shape_body.h"
#include "sinew/shape/shape_rig.h"
#include "sinew/shape/static_flesh.h"

namespace sinew {

struct ShapeWork {
  std::shared_ptr<const Character> known;
  std::optional<GltfDocument> document;  // of its file; empty where the character came without
  std::string size;                      // how the character's size was decided, a sentence; may be empty
  CookedFlesh flesh;
  std::unique_ptr<ShapeBody> body;       // posed at rest; in the lattice if the settings name one, else in tetrahedra
  std::unique_ptr<StaticFlesh> statics;  // of the same flesh, for fits
  ShapeFile file;

  const Character& character() const { return *known; }
  // The name of the character's file, without its folder.
  std::string name() const { return std::filesystem::path(known->file).filename().string(); }
  const SimulationSurface& surface() const { return flesh.surface; }
  double height() const { return standing_height(flesh.surface); }

  // The rig of this name; a new one of kind `field`, without controls and samples, if there is none.
  ShapeRig& rig_named(const std::string& name);
  // Adds the rig's control to the file unless it is known there, or a joint or morph target.
  void declare_control(const ShapeRig& rig);
};

// Makes the character's flesh, in a control lattice if the settings name one; there are no rigs yet.
ShapeWork work_on(std::shared_ptr<const Character> character, const FleshSettings& settings, const Progress& progress);

// Opens the character, makes its flesh, and reads the file of rigs if it exists. Throws usage_error and input_error
// with a sentence. `rigs` empty: there is no file.
ShapeWork open_work(const std::filesystem::path& input, const std::filesystem::path& rigs, const SizeRequest& size,
                    const FleshSettings& settings, const Progress& progress);

// Tries the rigs as the file will say them, and writes it.
void write_work(ShapeWork& work, const std::filesystem::path& rigs, const Progress& progress);

// An empty rig of kind `field`.
ShapeRig field_rig(const std::string& name);

// A sample of a rig of kind `field`: forces on the skin, as files keep them, and how far they reach in this body.
ShapeSample field_sample(const std::vector<double>& at, std::span<const Vec3> forces, ShapeBody& body);

// Fits forces to a target, and makes them the rig's sample at `at`; one at 0 that does nothing is added to the first.
SkinFit fit_field(ShapeWork& work, ShapeRig& rig, double at, std::span<const Affine> bones, const ShapeTarget& target,
                  const SkinFitOptions& options, const Progress& progress);

// "3.46 % of the height before, 0.7 % after" and so on, for people.
std::string fit_outcome(const std::string& name, const SkinFit& fit, double height);

}  // namespace sinew
