// A rig outside: a program that evaluates it on request, over its standard input and output (docs/rigs.md, "A rig
// outside"). So an animation package can be the rig.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/rig.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {

inline constexpr int pipe_rig_version = 1;

// A vertex as the character's file has it; the first where several became one.
struct FileVertex {
  int mesh = -1, primitive = -1, vertex = -1;
  Vec3 position;  // in the default pose: world, metres
};

// Of the given vertices of a simulated surface, or of all where none are given.
std::vector<FileVertex> file_vertices(const Character& character, const SimulationSurface& surface,
                                      std::span<const int> vertices = {});

struct PipeRigOptions {
  std::filesystem::path folder;  // in which the program runs
  double start_timeout = 60;     // seconds until it has introduced itself
  double timeout = 10;           // seconds for one answer, of up to 64 evaluations
};

// Lines before the introduction that do not begin with a brace are taken for a greeting, which animation packages
// cannot be kept from, and passed over. Everything that goes wrong is an input_error that begins with the command: it
// cannot be started, does not answer in time, ends, answers something else than the protocol says, another number of
// vertices, or numbers that are not finite. The rig can be asked no more then.
class PipeRig : public Rig {
 public:
  // Starts `command` and shakes hands. `file` is the character's file, which the program is told.
  PipeRig(const std::vector<std::string>& command, const std::string& file, std::span<const FileVertex> vertices,
          const PipeRigOptions& options = {});
  ~PipeRig() override;

  // As the program calls itself.
  const std::string& name() const { return name_; }
  const std::vector<RigParameter>& parameters() const override { return parameters_; }
  std::size_t vertices() const override { return vertices_; }
  void evaluate(std::span<const double> p, std::span<Vec3> s) override { evaluate_many(p, s); }
  // One request and one answer for up to 64 evaluations.
  void evaluate_many(std::span<const double> p, std::span<Vec3> s) override;

 private:
  class Talk;

  void exchange(std::span<const double> p, std::span<Vec3> s);

  std::unique_ptr<Talk> talk_;
  std::string name_;
  std::vector<RigParameter> parameters_;
  std::size_t vertices_ = 0;
  double timeout_ = 10;
};

}  // namespace sinew
