#include "studio/server/rigging/rig_worker.h"

#include <utility>

#include "sinew/base/threads/stop_in_loops.h"

namespace sinew::studio {

void RigWorker::find(std::shared_ptr<const OpenedCharacter> opened, std::vector<PlacedJoint> joints, Done done) {
  worker_.give(
      [this, opened = std::move(opened), joints = std::move(joints), done = std::move(done)](const Progress& asked) {
        const Progress progress = telling(asked, listener_);
        std::shared_ptr<RiggedDraft> draft;
        std::exception_ptr failure;
        try {
          const StopInLoops stops(progress);
          if (of_ != opened) body_ = {};
          of_ = opened;
          draft = std::make_shared<RiggedDraft>(RiggedDraft{joints, opened->character});
          RiggedMesh rigged = rig_mesh(draft->character, joints, {}, "The rig", stops.progress(), &body_);
          draft->first_joint = rigged.first_joint;
          draft->notes = std::move(rigged.notes);
        } catch (...) {
          failure = std::current_exception();
        }
        listener_({"", 1});
        done(failure ? nullptr : draft, failure);
      });
}

void RigWorker::run(std::function<void()> task) {
  worker_.give([task = std::move(task)](const Progress&) { task(); });
}

}  // namespace sinew::studio
