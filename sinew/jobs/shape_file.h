// Files of force rigs: a rig or a preset added to one, and what one contains (docs/shape_control.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/jobs/open_character.h"
#include "sinew/shape/shape_rig.h"

namespace sinew {

// A rig, or the rigs of a preset, that `sinew shape add` adds.
struct AddShapeJob {
  std::filesystem::path input;  // the character
  std::filesystem::path rigs;   // the file, which is made if it does not exist
  SizeRequest size;
  FleshSettings flesh;                // the flesh in which the rig is tried
  std::string preset;                 // empty: a template
  std::string name;                   // of the rig; empty: the preset's
  std::string kind;                   // of the template
  std::optional<Guide> guide;         // empty: found by the preset
  std::vector<std::string> controls;  // empty: the preset's
  // Samples of a template: values of the control, or of each one, and amplitudes; parameters with one value, or one for
  // each sample.
  std::vector<std::vector<double>> at;
  std::vector<double> amplitudes;
  bool by_displacement = false;
  double balance = 0;                        // ShapeRig::balance
  std::vector<double> strains, stiffnesses;  // of the samples, in place of amplitudes or beside them; empty: none
  std::vector<std::pair<std::string, std::vector<double>>> parameters;
};

// The rigs that were added, for people.
struct AddedShape {
  std::string size;                // how the character's size was decided, a sentence
  std::vector<std::string> lines;  // a line for each rig, and notes
  std::vector<double> left;        // of fits: RMS distance that is left, relative to the height
};

// Adds the rigs, tries them in the character's flesh, and writes the file. A rig of the same name is replaced. Throws
// usage_error and input_error with a sentence.
AddedShape add_shape(const AddShapeJob& job, const Progress& progress = {});

// A line for each control and rig of a file.
std::vector<std::string> list_shapes(const std::filesystem::path& rigs);

// "bone:NAME", "skin:X,Y,Z" or "free". Throws usage_error.
Guide guide_from(const std::string& text);

}  // namespace sinew
