// What is said of belts and grabs that were not where they should be over a clip: one sentence, however many steps.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/bake/bake_options.h"
#include "sinew/deform/environment.h"

namespace sinew {

// How far a belt or a grab was from where it should be, over all steps in which it acted.
struct HeldRecord {
  HeldMisfit misfit;    // the mean over the steps too
  double worst_at = 0;  // seconds on the clip's time line: of the largest
  int steps = 0;
};

// Adds the misfits of one step, at `clip_time`, to those with the same names.
void add_misfits(std::span<const HeldMisfit> misfits, double clip_time, std::vector<HeldRecord>& records);

// Adds a note on those that are off visibly, by 1e-4 of the character's height (metres) somewhere, to the result's
// notes; one on those that are off by 1e-2 of it on average, which do not do what was asked for, to its failures.
void say_misfits(std::span<const HeldRecord> records, double height, BakeResult& result);

}  // namespace sinew
