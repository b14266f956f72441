// Numbers of a glTF file that its animations move by KHR_animation_pointer, other than properties of nodes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sinew/character/skeleton.h"
#include "sinew/gltf/read/read_json.h"

namespace sinew {

class PropertyReader {
 public:
  // Adds to skeleton.properties what is named. Both must outlive this.
  PropertyReader(const JsonView& root, Skeleton& skeleton) : root_(root), skeleton_(skeleton) {}

  struct Named {
    std::vector<int> numbers;  // indices into Skeleton::properties: one, or those of a list
    bool missing = false;      // the file has nothing there, and glTF no default
  };
  // `pointer`: as the file has it. No numbers: it names anything else, such as a switch or a text.
  Named find(const std::string& pointer);

 private:
  int number_of(const std::string& pointer, double rest);
  std::vector<int> numbers_of_list(const std::string& pointer, const std::vector<double>& rest);

  const JsonView& root_;
  Skeleton& skeleton_;
  std::map<std::string, int> known_;
};

}  // namespace sinew
