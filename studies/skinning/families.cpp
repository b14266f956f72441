#include "studies/skinning/families.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/methods.h"
#include "sinew/cook/mixed/mixed_method.h"
#include "sinew/deform/geometric/geometric_method.h"
#include "sinew/deform/springs/springs_method.h"
#include "studies/common/measures.h"

namespace sinew {
namespace {

constexpr double turn_seconds = 0.5, frame_rate = 30;
constexpr int quiet_frames = 5;  // in succession, so that a turning point of an oscillation is not taken for rest

FleshMethod elastic_flesh(const FamilyOptions& options) {
  FleshMethod flesh;
  flesh.values.reference = Reference::elastic;
  flesh.values.skinning = SkinningKind::dual_quaternion;  // linear blending would crush the core of twisted limbs
  flesh.values.gravity = {};
  flesh.values.damping = 1;
  flesh.values.tetrahedra = options.tetrahedra;
  return flesh;
}

// Loops of the calling scope run on one thread.
class OneThread {
 public:
  OneThread() : before_(thread_count()) { set_thread_count(1); }
  ~OneThread() { set_thread_count(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

double smooth(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// A deformer that follows one bend, frame by frame.
class BendPlayer {
 public:
  BendPlayer(const Character& character, const Scene& scene, std::span<const Bone> bent, const Bend& bend)
      : character_(character), scene_(scene), bent_(bent), bend_(bend), deformer_(scene.deformer()) {
    step_ = deformer_->step() > 0 ? deformer_->step() : 1 / frame_rate;
    steps_ = std::max(1, static_cast<int>(std::lround(1 / (step_ * frame_rate))));
    const std::vector<Affine> first = bones(0), second = bones(step_);
    deformer_->reset({0, first}, {step_, second});
  }

  // Returns the microseconds that the frame's steps and its surface took.
  double next_frame(std::vector<Vec3>& positions) {
    double seconds = 0;
    for (int k = 0; k < steps_; ++k) {
      const double time = ++taken_ * step_;
      const std::vector<Affine> now = bones(time);
      Stopwatch watch;
      deformer_->advance({time, now}, {});
      if (k + 1 == steps_) deformer_->surface({time, now}, 0, positions);
      seconds += watch.seconds();
    }
    return 1e6 * seconds;
  }

 private:
  std::vector<Affine> bones(double time) const {
    return bent_bones(character_.skeleton, scene_.bones, bent_, bend_, smooth(time / turn_seconds));
  }

  const Character& character_;
  const Scene& scene_;
  std::span<const Bone> bent_;
  const Bend& bend_;
  std::unique_ptr<Deformer> deformer_;
  double step_ = 0;
  int steps_ = 1, taken_ = 0;
};

double farthest_moved(std::span<const Vec3> a, std::span<const Vec3> b) {
  double most = 0;
  for (std::size_t v = 0; v < a.size(); ++v) most = std::max(most, squared_norm(a[v] - b[v]));
  return std::sqrt(most);
}

BentSkin play_bend(BendPlayer player, const Scene& scene, const FamilyOptions& options) {
  BentSkin posed;
  posed.positions = scene.surface->rest.positions;
  std::vector<double> times;
  for (int frame = 0; frame < std::lround(turn_seconds * frame_rate); ++frame)
    times.push_back(player.next_frame(posed.positions));
  posed.microseconds = median(times);
  std::vector<Vec3> before;
  int quiet = 0;
  for (int frame = 0; frame < options.most_rest * frame_rate && quiet < quiet_frames; ++frame) {
    before = posed.positions;
    player.next_frame(posed.positions);
    quiet = farthest_moved(before, posed.positions) > options.quiet * scene.height ? 0 : quiet + 1;
  }
  posed.at_rest = quiet == quiet_frames;
  return posed;
}

}  // namespace

std::vector<SkinningFamily> skinning_families(const FamilyOptions& options) {
  std::vector<SkinningFamily> families;
  if (options.geometric)
    for (const std::unique_ptr<Method>& method : all_methods())
      if (dynamic_cast<const GeometricMethod*>(method.get())) families.push_back({method->name(), *method});
  if (!options.physical) return families;
  MixedMethod mixed;
  mixed.values.tetrahedra = options.tetrahedra;
  families.push_back({mixed.name(), mixed});
  families.push_back({SpringsMethod().name(), SpringsMethod()});
  FleshMethod lattice = elastic_flesh(options);
  lattice.values.lattice.file = auto_lattice;
  lattice.values.lattice.cells = options.cells;
  families.push_back({"flesh, lattice", lattice});
  FleshMethod nonlinear = elastic_flesh(options);
  nonlinear.values.elasticity = Elasticity::nonlinear;
  families.push_back({nonlinear_family, nonlinear});
  return families;
}

std::vector<BentSkin> play_bends(const Character& character, const Scene& scene, std::span<const Bone> bent,
                                 std::span<const Bend> bends, const FamilyOptions& options, const Progress& progress) {
  const OneThread counted;
  std::vector<BentSkin> posed;
  for (const Bend& bend : bends) {
    report_or_stop(progress, "bending by " + scene.method,
                   static_cast<double>(posed.size()) / static_cast<double>(bends.size()));
    posed.push_back(play_bend(BendPlayer(character, scene, bent, bend), scene, options));
  }
  return posed;
}

}  // namespace sinew
