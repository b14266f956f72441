// Tables and pictures of the experiments with force rigs.
#pragma once

#include "sinew/files/png.h"
#include "studies/common/table.h"
#include "studies/shape/experiments.h"

namespace sinew {

Table bent_limb_table(const ShapeSubject& subject, const BentLimb& limb);
Table hidden_field_table(const ShapeSubject& subject, const HiddenField& field);
Table morph_table(const ShapeSubject& subject, const std::vector<MorphRow>& rows);
Table preset_table(const ShapeSubject& subject, const std::vector<PresetShape>& shapes);

// Rows: the rig, the forces, the truth; a column for each bend. Coloured by the distance from the truth.
Image bent_limb_picture(const ShapeSubject& subject, const BentLimb& limb);
// Distance from the shape without noise against smoothness.
Image hidden_field_chart(const ShapeSubject& subject, const HiddenField& field);
// The head with each preset.
Image preset_picture(const ShapeSubject& subject, const std::vector<PresetShape>& shapes);

}  // namespace sinew
