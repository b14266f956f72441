#include "sinew/character/defect_rank.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace sinew {
namespace {

// What characters have on purpose, or what winding numbers and weights do not mind.
constexpr std::string_view harmless[] = {"open boundary",
                                         "non-manifold edge",
                                         "inconsistent winding",
                                         "self-intersecting",
                                         "degenerate triangle",
                                         "duplicate triangle",
                                         "unreferenced vertex",
                                         "separate pieces",
                                         "unused joint",
                                         "unused skin",
                                         "joint listed twice",
                                         "zero-length bone",
                                         "negative scale",
                                         "non-uniform scale",
                                         "part without skin",
                                         "points or lines",
                                         "mesh outside the scene",
                                         "channel that moves no node",
                                         "weights channel without morph targets",
                                         "two keys at one time"};

}  // namespace

DefectRank rank_of(const Defect& defect) {
  if (defect.fatal) return DefectRank::must_be_mended;
  const bool fine = std::find(std::begin(harmless), std::end(harmless), defect.name) != std::end(harmless);
  return fine ? DefectRank::fine : DefectRank::was_decided;
}

const char* name_of(DefectRank rank) {
  switch (rank) {
    case DefectRank::must_be_mended:
      return "must be mended";
    case DefectRank::was_decided:
      return "was decided";
    case DefectRank::fine:
      break;
  }
  return "fine";
}

}  // namespace sinew
