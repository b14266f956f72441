// Notes about ring constraints and grabs that missed their position during a clip, each merged into one sentence.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/bake/bake_options.h"
#include "sinew/deform/environment.h"

namespace sinew {

// Position error of a ring constraint or a grab over all steps in which it acted.
struct HeldRecord {
  ConstraintError constraint_error;  // error; its mean is also over the steps
  double worst_at = 0;               // clip time of the largest, seconds
  int steps = 0;
};

// Merges the errors of one step, at `clip_time`, into the records with the same names.
void add_constraint_errors(std::span<const ConstraintError> constraint_errors, double clip_time,
                           std::vector<HeldRecord>& records);

// Adds a note to the result about errors that are visible (at least 1e-4 of the character's `height` in metres), and a
// failure about those of at least 1e-2 of the height on average, which count as a constraint not met.
void report_constraint_errors(std::span<const HeldRecord> records, double height, BakeResult& result);

}  // namespace sinew
