// sinew_samples --out DIR [NAME...]: writes DIR/NAME.glb for each sample, or for those named, and what belongs to it.
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "samples.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace {

using sinew::samples::Sample;

struct Maker {
  const char* name;
  Sample (*make)();
  std::string (*layers)() = nullptr;  // of the rig, written beside it
  std::string (*mesh)() = nullptr;    // an OBJ, in place of all else
};

constexpr Maker makers[] = {{"tube", sinew::samples::make_tube},
                            {"elephant", sinew::samples::make_elephant},
                            {"sumo", sinew::samples::make_sumo},
                            {"duck", nullptr, nullptr, sinew::samples::make_duck},
                            {"star", nullptr, nullptr, sinew::samples::make_star},
                            {"rigs/elephant", sinew::samples::make_elephant_rig, sinew::samples::elephant_rig_layers},
                            {"rigs/sumo", sinew::samples::make_sumo_rig}};

// "tube, elephant and sumo"
std::string names_of_makers() {
  std::string list = makers[0].name;
  for (std::size_t i = 1; i < std::size(makers); ++i)
    list += (i + 1 < std::size(makers) ? ", " : " and ") + std::string(makers[i].name);
  return list;
}

void run(const std::vector<std::string>& arguments) {
  std::filesystem::path folder;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--out" && i + 1 < arguments.size())
      folder = arguments[++i];
    else
      names.push_back(arguments[i]);
  }
  if (folder.empty()) throw sinew::usage_error("Say where to write: sinew_samples --out DIR [NAME...].");
  if (names.empty())
    for (const Maker& maker : makers) names.push_back(maker.name);
  for (const std::string& name : names) {
    const Maker* found = nullptr;
    for (const Maker& maker : makers)
      if (name == maker.name) found = &maker;
    if (found == nullptr)
      throw sinew::usage_error("There is no sample '" + name + "'; choose from " + names_of_makers() + ".");
    std::filesystem::create_directories((folder / name).parent_path());
    if (found->mesh != nullptr) {
      const std::string mesh = found->mesh();
      sinew::write_file(folder / (name + ".obj"), std::as_bytes(std::span(mesh)));
      continue;
    }
    sinew::write_file(folder / (name + ".glb"), sinew::samples::to_glb(found->make()));
    if (found->layers == nullptr) continue;
    const std::string layers = found->layers();
    sinew::write_file(folder / (name + ".rig.json"), std::as_bytes(std::span(layers)));
  }
}

}  // namespace

int main(int count, char** values) {
  try {
    run({values + 1, values + count});
    return 0;
  } catch (const sinew::Error& error) {
    std::fprintf(stderr, "sinew_samples: %s\n", error.what());
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sinew_samples: %s\n", error.what());
    return 4;
  }
}
