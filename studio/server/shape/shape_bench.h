// A bench for force rigs: the character's flesh in static equilibrium, in which rigs are fitted and pictured, on a
// thread of its own. The newest request wins.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_settings.h"
#include "sinew/jobs/shape/shape_work.h"
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
  // Runs a task that needs no bench.
  void begin(std::function<void(const Progress&)> task, Done done);

 private:
  struct Laid {
    std::uint32_t number = 0;  // of the character
    Paint paint;
    std::uint64_t settings = 0;  // fingerprint
    ShapeWork work;
  };
  ShapeWork& lay(const BenchFlesh& flesh, const Progress& progress);

  Listener listener_;
  std::optional<Laid> laid_;  // used by the worker's thread only
  Worker worker_{{.niceness = 5}};
};

}  // namespace sinew::studio
