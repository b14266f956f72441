// The first half of carrying rigs over (transfer_shapes.h): a lattice around one character, fitted to another, with
// control points that a user may move by hand (Capell 2004, section 6.7.1).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/anatomy/matching_bones.h"
#include "sinew/anatomy/skin_limbs.h"
#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/jobs/open_character.h"
#include "sinew/jobs/shape/shape_work.h"
#include "sinew/mesh/similarity_fit.h"
#include "sinew/shape/retarget_lattice.h"

namespace sinew {

struct TransferFitJob {
  std::filesystem::path source;    // the character that the rigs are for
  std::filesystem::path target;    // the other character
  std::filesystem::path features;  // pairs of points (feature_points.h); empty: none
  SizeRequest source_size, target_size;
  FleshSettings flesh;  // of both, in tetrahedra
  int cells = 500;      // of the lattice that is fitted
  // Pairs of points beside those of the file, for callers that have them in memory.
  std::vector<PointPair> pairs{};
};

// Both characters with their flesh, at rest, and the lattice as it is fitted without hands.
struct FittedTransfer {
  ShapeWork source, target;
  MatchedBones matched;
  SkinLimbs source_limbs, target_limbs;  // empty where no bones correspond
  std::vector<PointPair> features;
  TetrahedralMesh lattice;  // around the source
  RetargetFit fit;

  // Refers to parts of this.
  RetargetRequest request() const;
};

// Throws usage_error and input_error with a sentence.
FittedTransfer fit_transfer(const TransferFitJob& job, const Progress& progress = {});

// The fit with control points moved by hand; none: as it is. A move takes the control point of the fitted lattice that
// is nearest to `source` to `target`, both in the target's rest space, metres. Throws as move_control_points() does.
RetargetFit fit_with_moves(const FittedTransfer& fitted, std::span<const PointPair> moves,
                           const Progress& progress = {});

// How a fit went, for people.
struct FitNotes {
  std::vector<std::string> lines;     // errors by stages
  std::vector<std::string> warnings;  // sentences
};
FitNotes describe_fit(const FittedTransfer& fitted, const RetargetFit& fit);

// Skin that the lattice leaves farther from the target than this, relative to its height, is not fitted.
inline constexpr double not_fitted = 0.05;

// The vertices and edges of a lattice as a Wavefront OBJ, so that other programs show where its control points are.
std::string lattice_obj(const TetrahedralMesh& lattice);

}  // namespace sinew
