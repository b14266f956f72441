// Removes Draco compression from primitives that get morph targets, which it cannot represent.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/accessor_draco.h"
#include "sinew/gltf/write/write_edit.h"

namespace sinew {

class DracoRemover {
 public:
  DracoRemover(GltfEdit& edit, AccessorReader& reader) : edit_(&edit), reader_(&reader) {}

  // Writes the decoded attributes and indices in place of the extension, if the primitive has it. Weights are written
  // as floats, normalised and merged per joint, as glTF requires of uncompressed data.
  void remove(std::size_t mesh, std::size_t primitive);

  // Removes the extension from the lists of used extensions if nothing uses it any more.
  void finish();

 private:
  // Each returns the JSON index of the accessor that now holds the data: the given one, or a new one.
  std::size_t write_attribute(const std::string& name, std::size_t accessor, const AccessorValues& values);
  std::size_t write_indices(std::size_t accessor, const DracoPrimitive& decoded);
  std::size_t fill(std::size_t accessor, const AccessorFormat& format, std::size_t view);
  std::size_t own_accessor(std::size_t accessor);

  GltfEdit* edit_;
  AccessorReader* reader_;
  // Accessors already written, by Draco buffer view and name.
  std::map<std::pair<std::size_t, std::string>, std::size_t> written_;
};

}  // namespace sinew
