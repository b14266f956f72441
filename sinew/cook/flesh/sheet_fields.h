// What sheets of the anatomy are in a body of tetrahedra: ears, fins, wings and capes bend, and do not stretch.
#pragma once

#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/character/body_binding.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct SheetFields {
  // Empty where there are no sheets; else one entry per vertex of the body.
  std::vector<double> share;  // in [0, 1]: how much of a sheet it is, rising from where that begins
  std::vector<double> out;    // in [0, 1]: how far out on it
  std::vector<double> way;    // metres: the same

  bool none() const { return share.empty(); }
};

// The sheets' fields on the surface, carried into the volume.
SheetFields sheet_fields(const TetrahedralMesh& mesh, const Embedding& embedding, const std::vector<Sheet>& sheets);

// A sheet has no core of its own: it hangs on where it begins, from where its skin is also shown to move, and no flesh
// in it is deeper than it is thick.
void clear_sheets(const SheetFields& fields, const std::vector<Sheet>& sheets, FleshMap& map);

// Per vertex: `stiffness` as the bones have it, in sheets so stiff for stretching as nothing else, times `said` there.
void stiffen_sheets(const SheetFields& fields, const std::vector<double>& said, std::vector<double>& stiffness);

// Per tetrahedron: by what stiffen_sheets() multiplies, which springs that hold sheets are not.
std::vector<double> sheet_stiffening(const TetrahedralMesh& mesh, const SheetFields& fields);

// Per tetrahedron: how strongly it is held as a thin part, in [0, 1]: `thin`, and of sheets all where they begin and
// little at their ends, so that they swing by bending.
std::vector<double> held_parts(const TetrahedralMesh& mesh, const SheetFields& fields, const std::vector<double>& thin);

// Per tetrahedron: `thin`, and all of sheets.
std::vector<double> with_sheets(const TetrahedralMesh& mesh, const SheetFields& fields, std::vector<double> thin);

}  // namespace sinew
