// Everything a user can set about the method `rigspace`: plain values with defaults that need no thought. Read from and
// written to JSON by files/settings_json.h (docs/settings.md), cooked by cook/rig_space/prepare_rig_space.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/deform/rig_space/rig_space_motion.h"
#include "sinew/elastic/hyperelastic.h"
#include "sinew/linalg/small.h"

namespace sinew {

// What one control, or all that a pattern with * and ? matches, have of their own.
struct RigSpaceControl {
  std::string controls;         // pattern over names of parameters or of controls
  double stiffness = 1;         // multiplies Young's modulus of what they move
  std::optional<double> range;  // multiplies the rig's own range, at whose end the soft stop is
};

struct RigSpaceSettings {
  std::vector<std::string> free;  // patterns over names of parameters or of controls, or "auto": what physics moves
  std::string rig;  // file of a stack of deformers, or of a rig outside (docs/rigs.md); empty: the skin alone

  Look look = Look::natural;
  Reference reference = Reference::rig;  // what the flesh rests at: the animator's poses, or the body as modelled
  HyperelasticLaw material = HyperelasticLaw::modified_st_venant_kirchhoff;
  std::optional<double> young;  // pascals; empty: from the look
  double poisson = 0.4;
  double density = 1000;          // kg/m^3
  std::optional<double> damping;  // ratio to critical at the lowest frequency; empty: from the look
  bool gravity = false;           // with the elastic reference: the body hangs in its own weight

  int tetrahedra = 8000;            // aimed at
  std::optional<double> cell_size;  // metres; instead of the count
  bool color_stiffness = false;     // COLOR_0's red channel multiplies stiffness, where nothing is painted

  double step = 0.01;     // seconds
  bool adaptive = false;  // halve steps where the motion asks for it
  InteriorVertices inside = InteriorVertices::corrected;
  bool deferred = true;     // reuse Jacobians
  bool predictor = true;    // look ahead before a step with an old Jacobian
  double linearity = 1e-4;  // of the height: error of the linear rig that is accepted
  double limit = 20;        // strength of the soft stops, 0: none

  std::string skinning;  // file of the inside as `sinew learn` found it (.vskin); empty: it is found anew
  int poses = 40;        // of clips and calisthenics, to learn the inside from
  int candidates = 20;   // boundary vertices that an interior vertex may follow, at first

  double key_error = 2e-4;  // of the height: how far keys may be thinned; 0: one per frame
  bool whole_clip = false;  // the new clip has the keyed channels too, for viewers that play one at a time

  std::vector<RigSpaceControl> controls;  // later ones win
};

// Their tables (deform/setting.h), in the order of the file.
std::vector<Setting> settings_of(RigSpaceControl& control);
std::vector<Setting> settings_of(RigSpaceSettings& settings);

// Throws usage_error where they free nothing: a file of settings may leave that to the command line.
void check_any_free(const RigSpaceSettings& settings);

}  // namespace sinew
