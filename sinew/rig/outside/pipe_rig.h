// An external rig: a program that evaluates it on request through its standard input and output, e.g. an animation
// package (docs/rigs.md, "A rig outside").
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

// A vertex as the character's file has it; where several were welded, the first.
struct FileVertex {
  int mesh = -1, primitive = -1, vertex = -1;
  Vec3 position;  // in the default pose: world, metres
};

// The given vertices of a simulated surface, or all of them where none are given.
std::vector<FileVertex> file_vertices(const Character& character, const SimulationSurface& surface,
                                      std::span<const int> vertices = {});

struct PipeRigOptions {
  std::filesystem::path folder;  // working directory of the program
  double start_timeout = 60;     // seconds until the program must have introduced itself
  double timeout = 10;           // seconds for one answer, to up to 64 evaluations
};

// Lines before the introduction that do not begin with a brace are skipped, since animation packages may print a
// greeting. All failures are an input_error that begins with the command: the program cannot be started, does not
// answer in time, ends, violates the protocol, or returns another number of vertices or numbers that are not finite.
// The rig cannot be used afterwards.
class PipeRig : public Rig {
 public:
  // Starts `command` and performs the handshake. `file` is the character's file, which is passed to the program.
  PipeRig(const std::vector<std::string>& command, const std::string& file, std::span<const FileVertex> vertices,
          const PipeRigOptions& options = {});
  ~PipeRig() override;

  // The name by which the program introduced itself.
  const std::string& name() const { return name_; }
  const std::vector<RigParameter>& parameters() const override { return parameters_; }
  std::size_t vertices() const override { return vertices_; }
  void evaluate(std::span<const double> p, std::span<Vec3> s) override { evaluate_many(p, s); }
  // Sends one request per 64 evaluations.
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
