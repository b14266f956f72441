// Everything a user can set about the method `rigspace`: plain values with defaults that need no thought. Read from and
// written to JSON by files/settings_json.h (docs/settings.md), cooked by cook/rig_space/prepare_rig_space.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/character/skinning.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/deform/rig_space/rig_space_motion.h"
#include "sinew/elastic/hyperelastic.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Settings of one control, or of all that match a pattern with * and ?.
struct RigSpaceControl {
  std::string controls;         // pattern over names of parameters or controls
  double stiffness = 1;         // multiplies Young's modulus of what the controls move
  std::optional<double> range;  // multiplies the rig's own range, which ends at a soft stop

  static SettingsTable describe();
};

struct RigSpaceSettings {
  std::vector<std::string>
      free;         // patterns over names of parameters or controls, or "auto": parameters that physics moves
  std::string rig;  // file of a stack of deformers or of an external rig (docs/rigs.md); empty: the skin alone

  Look look = Look::natural;
  Reference reference = Reference::rig;  // rest shape of the flesh: the animator's poses, or the body as modelled
  HyperelasticLaw material = HyperelasticLaw::modified_st_venant_kirchhoff;
  std::optional<double> young;  // pascals; empty: from the look
  double poisson = 0.4;
  double density = 1000;          // kg/m^3
  std::optional<double> damping;  // ratio to critical at the lowest frequency; empty: from the look
  bool gravity = false;           // with the elastic reference: the body sags under its weight

  int tetrahedra = 8000;            // number wanted
  std::optional<double> cell_size;  // metres; replaces the count
  bool color_stiffness = false;     // COLOR_0's red channel multiplies stiffness, where nothing is painted
  std::string
      along;  // painted fields as curves along limbs: a file or its text (files/limb_curves_json.h); empty: none

  double step = 0.01;     // seconds
  bool adaptive = false;  // halve steps where the motion needs it
  InteriorVertices inside = InteriorVertices::corrected;
  bool deferred = true;     // reuse Jacobians
  bool predictor = true;    // predict before a step with an old Jacobian
  double linearity = 1e-4;  // accepted error of the linearised rig, as a share of the height
  double limit = 20;        // strength of the soft stops; 0: none

  // How the skeleton poses the skin, which the controls move.
  SkinningKind skinning = SkinningKind::linear;
  std::string interior;  // map to the inside from `sinew learn` (.vskin); empty: it is learned again
  int poses = 40;        // number of poses, from clips and exercises, that the map is learned from
  int candidates = 20;   // boundary vertices that an interior vertex may follow initially

  double key_error = 2e-4;  // accepted error of thinned keys, as a share of the height; 0: one key per frame
  bool whole_clip = false;  // the new clip repeats the keyed channels, for viewers that play one clip at a time

  std::vector<RigSpaceControl> controls;  // later ones win

  // Keys that fix free parameters over clips: a file or its text (files/fixed_keys_json.h); empty: none.
  std::string keys;

  static SettingsTable describe();  // in the order of the file
};

// Throws usage_error if the settings free no parameter. A settings file alone may leave that to the command line.
void check_any_free(const RigSpaceSettings& settings);

}  // namespace sinew
