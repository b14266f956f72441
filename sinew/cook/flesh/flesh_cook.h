// The incremental cook of flesh: each stage runs again only if something that it depends on has changed.
//
//   FleshCook cook;
//   Scene first = cook.prepare(settings, false, character, FleshCook::Change::everything);
//   settings.look = Look::lively;                                                          // a slider
//   Scene next = cook.prepare(settings, false, character, FleshCook::Change::nothing);      // milliseconds
//
// Whatever was prepared before, the result has the bits of a preparation from nothing. The method `flesh` keeps one of
// these in its CookCache (deform/method.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/deform/scene.h"
#include "sinew/deform/setting.h"

namespace sinew {

class FleshCook {
 public:
  // Difference between a character and the one that was prepared last.
  enum class Change {
    nothing,
    paint,  // painted fields; skin and skin weights are the same
    everything,
  };

  // Prepares the character. Uses the automatic lattice if the settings, or `real_time`, need what only a lattice does.
  // Reads the anatomy file that the settings name. Throws input_error and usage_error with a sentence, and Stopped
  // where `progress` asks for it; the next call then prepares what is missing.
  Scene prepare(const FleshSettings& settings, bool real_time, const Character& character, Change change,
                const Progress& progress = {});

  // The most expensive stage that prepare() would run again.
  Recooks needed(const FleshSettings& settings, bool real_time, Change change) const;
  // Whether prepare() would build or read a control lattice, which may take seconds.
  bool needs_lattice(const FleshSettings& settings, bool real_time) const;

  void forget();

 private:
  bool needs_lattice(const LatticeDiscretization& lattice) const;
  void prepare_base(const FleshSettings& settings, const Character& character, Recooks level, const Progress& progress);
  void prepare_control(const Character& character, const CookedFlesh& flesh, const LatticeDiscretization& lattice,
                       const Progress& progress);

  std::optional<FleshBase> base_;
  std::shared_ptr<const Character>
      described_;  // the character with the anatomy of its file; null: the settings name no file
  std::vector<std::string> missing_bones_note_;  // note on bones missing from the anatomy file; empty or one sentence
  std::shared_ptr<const ControlLattice> control_;
  std::string control_of_;                  // file and number of cells of control_
  std::vector<std::string> control_notes_;  // sentences for the user
  std::optional<LatticeBase> lattice_;
};

}  // namespace sinew
