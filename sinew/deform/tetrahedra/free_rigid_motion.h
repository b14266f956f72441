// Detection of parts of a body that nothing holds.
#pragma once

#include <string>

#include "sinew/deform/tetrahedra/flesh_body.h"

namespace sinew {

// A sentence that names the part of the body and the rigid motion by which it can move without any strain, because
// bones hold none of its vertices, or only along a line. Empty: every part is held, so that S is definite.
std::string free_rigid_motion(const FleshBody& body);

}  // namespace sinew
