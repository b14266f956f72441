// Makes a glTF document of a mesh that came from another format (OBJ), for writers that edit documents.
#pragma once

#include <string>

#include "sinew/gltf/document.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// The document has one scene, one node and one mesh of this name. Vertices keep their order and file units and get
// smooth normals, averaged over the adjacent triangles by area. It can be written as .glb or .gltf.
GltfDocument document_of_mesh(const TriangleMesh& mesh, const std::string& name);

}  // namespace sinew
