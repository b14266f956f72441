// A mesh that came from elsewhere (an OBJ) as a glTF document, for what is written from documents.
#pragma once

#include <string>

#include "sinew/gltf/document.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// One scene with one node and one mesh of this name, whose vertices keep their order, in file units, with smooth
// normals: means over the triangles around, by area. To be written as .glb or .gltf.
GltfDocument document_of_mesh(const TriangleMesh& mesh, const std::string& name);

}  // namespace sinew
