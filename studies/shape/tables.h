// Tables and pictures of the experiments with force rigs.
#pragma once

#include "sinew/files/png.h"
#include "sinew/picture/picture.h"
#include "studies/common/table.h"
#include "studies/shape/experiments.h"
#include "studies/shape/lattice_rigs.h"
#include "studies/shape/morph_swing.h"
#include "studies/shape/moved_rigs.h"

namespace sinew {

Table bent_limb_table(const ShapeSubject& subject, const BentLimb& limb);
Table hidden_field_table(const ShapeSubject& subject, const HiddenField& field);
Table morph_table(const ShapeSubject& subject, const std::vector<MorphRow>& rows);
Table preset_table(const ShapeSubject& subject, const std::vector<PresetShape>& shapes);
Table lattice_rigs_table(const LatticeRigs& rigs);
Table morph_swing_table(const MorphSwings& swings);
Table moved_rigs_table(const std::vector<RiggedCharacter>& characters);
Table animated_rigs_table(const std::vector<RiggedCharacter>& characters);

// Rows: the rig, the forces, the truth; a column for each bend. Coloured by the distance from the truth.
Image bent_limb_picture(const ShapeSubject& subject, const BentLimb& limb);
// Distance from the shape without noise against smoothness.
Image hidden_field_chart(const ShapeSubject& subject, const HiddenField& field);
// The head or body with each preset, from `view`; below, coloured by the distance from rest.
Image preset_picture(const ShapeSubject& subject, const std::vector<PresetShape>& shapes, const ViewDirection& view);
// The skin at rest and in each lattice, coloured by the distance from the fine one's.
Image lattice_rigs_picture(const LatticeRigs& rigs);
// A row for each morph target, a column for each time; coloured by the distance from the target.
Image morph_swing_picture(const MorphSwings& swings);
// A column for each rig, without and with it; and frames of the clip, without and with all. Coloured by what rigs move.
Image moved_rigs_picture(const RiggedCharacter& character);
Image animated_rigs_picture(const RiggedCharacter& character);

}  // namespace sinew
