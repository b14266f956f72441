// The incremental cook of flesh: each stage is kept under a key of what it depends on (deform/cook_stage.h) and runs
// again only if that has changed.
//
//   FleshCook cook;
//   Scene first = cook.prepare(settings, {character, {}, false, {1, 1}});
//   settings.look = Look::lively;                                              // a slider
//   Scene next = cook.prepare(settings, {character, {}, false, {1, 1}});        // milliseconds
//
// Whatever was prepared before, the result has the bits of a preparation from nothing. The method `flesh` keeps one of
// these in its CookCache (deform/method.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/lattice/named_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/deform/cook_stage.h"
#include "sinew/shape/shape_forces.h"

namespace sinew {

class FleshCook {
 public:
  // Prepares the character as the settings say. Uses the automatic lattice where the settings, or `input.real_time`,
  // ask for something that only a lattice does. Reads the files that the settings name. Throws input_error and
  // usage_error with a sentence, and Stopped where `progress` asks for it; the next call then prepares what is missing.
  // `rough`: force rigs that are not known yet move the skin about as far as they say.
  Scene prepare(const FleshSettings& settings, const CookInput& input, const Progress& progress = {},
                bool rough = false);

  // Whether prepare() keeps all stages but the last, which scales stiffness and factorises.
  bool is_quick(const FleshSettings& settings, const CookInput& input) const;
  // Whether prepare() would search for the forces of rigs, which may take seconds.
  bool needs_rigs(const FleshSettings& settings, const CookInput& input) const;
  // Whether prepare() would build or read a control lattice, which may take seconds.
  bool needs_lattice(const FleshSettings& settings, const CookInput& input) const;

 private:
  struct Body {
    StageKey tetrahedra = 0;  // of its tetrahedra, which another body may take over
    std::uint64_t clips = 0;  // CharacterRevision::clips
    FleshBase base;
    std::shared_ptr<const Character> described;   // with the anatomy of the settings' file; null: they name none
    std::vector<std::string> missing_bones_note;  // about bones that the file leaves out; empty or one sentence
  };
  struct Keys {
    StageKey tetrahedra = 0, body = 0, control = 0, statics = 0, flesh = 0;
  };
  // Flesh that is ready to move.
  struct Cooked {
    std::shared_ptr<const CookedFlesh> flesh;
    std::shared_ptr<const ControlLattice> control;  // that it moves in; null: it moves in tetrahedra
    std::shared_ptr<ShapeBody> statics;             // in which rigs are cooked; null: no rig was yet
    std::shared_ptr<const Character> described;     // as Body has it, and:
    std::vector<std::string> missing_bones_note;
  };
  static Keys keys_of(const FleshSettings& settings, const CookInput& input);
  Cooked cook(const FleshSettings& settings, const CookInput& input, const Keys& keys, const Progress& progress);
  // The rigs of the settings for this flesh.
  std::shared_ptr<const ShapeForces> cook_rigs(const FleshSettings& settings, const Character& character,
                                               const Keys& keys, Cooked& cooked, bool rough);
  static Body prepare_body(const FleshSettings& settings, const CookInput& input, StageKey tetrahedra, const Body* last,
                           const Progress& progress);
  void cook_in_lattice(const FleshSettings& settings, const CookInput& input, const Keys& keys, CookedFlesh& flesh,
                       const Progress& progress);

  CookStage<Body> body_;
  KeptOrigin origin_;  // of automatic lattices
  CookStage<NamedLattice> control_;
  CookStage<LatticeBase> lattice_;  // depends on the body and the control lattice, whose settings are the body's
  CookStage<Cooked> cooked_;
  CookedRigs rigs_;  // of force rigs, for the body that they were cooked in
};

}  // namespace sinew
