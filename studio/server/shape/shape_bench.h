// A bench for force rigs: the character's flesh in static equilibrium, in which rigs are fitted and pictured, on a
// thread of its own. The newest request wins.
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/jobs/shape/shape_work.h"
#include "sinew/jobs/shape/transfer_fit.h"
#include "studio/server/cook/cook_worker.h"
#include "studio/server/live/loaded_character.h"
#include "studio/server/worker.h"

namespace sinew::studio {

// The flesh that is wanted on the bench, and its rigs.
struct BenchFlesh {
  LoadedCharacter loaded;
  Paint paint;
  FleshSettings settings;
  ShapeFile rigs;
};

class ShapeBench {
 public:
  using Listener = std::function<void(const ProgressReport&)>;
  using Task = std::function<void(ShapeWork& work, const Progress& progress)>;
  // `failure`: null, or what went wrong: Stopped if another request came.
  using Done = std::function<void(std::exception_ptr failure)>;

  explicit ShapeBench(Listener listener) : listener_(std::move(listener)) {}

  // Puts the flesh on the bench, unless it lies there already, runs the task and calls `done`, both on the bench's
  // thread.
  void begin(BenchFlesh flesh, Task task, Done done);
  // Runs a task that needs no flesh on the bench.
  void begin(std::function<void(const Progress&)> task, Done done);
  // For such tasks: the lattice of the job fitted to the character of this number, which stays on the bench.
  FittedTransfer& lay(const TransferFitJob& job, std::uint32_t number, const Progress& progress);

 private:
  struct Laid {
    std::uint32_t number = 0;  // of the character
    Paint paint;
    std::uint64_t settings = 0;  // fingerprint
    ShapeWork work;
  };
  struct LaidTransfer {
    std::uint32_t number = 0;  // of the character
    std::filesystem::path source;
    std::filesystem::file_time_type written;  // when the source was
    std::uint64_t settings = 0;               // fingerprint
    std::vector<PointPair> pairs;
    FittedTransfer fitted;
  };
  ShapeWork& lay(const BenchFlesh& flesh, const Progress& progress);

  Listener listener_;
  // Used by the worker's thread only.
  std::optional<Laid> laid_;
  std::optional<LaidTransfer> transfer_;
  Worker worker_{{.niceness = 5}};
};

}  // namespace sinew::studio
