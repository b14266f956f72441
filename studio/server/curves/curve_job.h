// Simulates the curves of a clip in the background, for pages that draw them as they appear. The newest request wins;
// after an edit of keys alone, the run begins again where the edit has its first effect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sinew/bake/curve_run.h"
#include "studio/server/live/loaded_character.h"
#include "studio/server/web/page_json.h"
#include "studio/server/worker.h"

namespace sinew::studio {

// A clip whose curves are to be known.
struct CurveRequest {
  LoadedCharacter loaded;
  std::string clip;  // empty: the rest pose

  bool operator==(const CurveRequest&) const = default;
};

class CurveJob {
 public:
  // Receives events for pages (docs/studio_protocol.md, Curves), on the job's thread.
  using Listener = std::function<void(const PageJson& event)>;
  explicit CurveJob(Listener listener) : listener_(std::move(listener)) {}

  // Begins a run, unless the same one was the last.
  void begin(CurveRequest request);
  // Stops the run and forgets the last request.
  void stop();
  // Events that tell a new page what is known already.
  std::vector<PageJson> known() const;

 private:
  struct Known {
    PageJson head;
    std::vector<float> values;  // frames x controls; those from `frames` on are of the run before
    std::size_t frames = 0;     // that are known of this run
    bool ended = false;
  };

  void run(const CurveRequest& request, const Progress& progress);
  std::size_t prepare(const CurveRequest& request);
  PageJson head_of(std::size_t first) const;
  void tell(std::size_t from, std::size_t to, bool ended);

  Listener listener_;
  mutable std::mutex mutex_;
  std::optional<CurveRequest> last_;  // guarded by `mutex_`, like `known_`
  Known known_;

  // The following are used by the job's thread only.
  std::optional<CurveRequest> of_run_;
  std::optional<CurveRun> run_;
  std::uint32_t number_ = 0;  // of the run
  Worker worker_{{.niceness = 5}};
};

}  // namespace sinew::studio
