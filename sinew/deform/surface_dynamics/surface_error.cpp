#include "sinew/deform/surface_dynamics/surface_error.h"

#include <algorithm>

namespace sinew {
namespace {

// An example as positions: goals and what they carry.
class ExampleFrames {
 public:
  ExampleFrames(const SurfaceModel& model, const SurfaceExample& example)
      : model_(model), example_(example), n_(model.rest.size()) {}

  std::size_t count() const { return example_.motion.bones.size(); }
  const std::vector<Affine>& bones(std::size_t frame) const { return example_.motion.bones[frame]; }
  void pose(std::size_t frame, PosedSurface& posed) const { pose_surface(model_, example_.motion, frame, posed); }
  Vec3 offset(std::size_t frame, std::size_t i) const {
    const float* d = &example_.offset[3 * (frame * n_ + i)];
    return {d[0], d[1], d[2]};
  }
  // Of the goal's own error; nothing where the example knows the sum of it.
  double goal_error(std::size_t frame, std::size_t i) const {
    return example_.rig_sum < 0 ? squared_norm(offset(frame, i)) : 0;
  }
  double weight(std::size_t frame, std::size_t i) const {
    return example_.weight.empty() ? 1 : static_cast<double>(example_.weight[frame * n_ + i]);
  }

  // As the example has it at `frame`, on its way there from the frame before (the first: along with the goal).
  SurfaceState state(std::size_t frame, const PosedSurface* before, const PosedSurface& now, const PosedSurface& next) const {
    SurfaceState state = rest_in_goal(model_, bones(frame), now, next);
    for (std::size_t i = 0; i < n_; ++i) {
      state.position[i] += offset(frame, i);
      if (frame > 0) state.change[i] = state.position[i] - before->goal[i] - offset(frame - 1, i);
    }
    return state;
  }

 private:
  const SurfaceModel& model_;
  const SurfaceExample& example_;
  std::size_t n_;
};

// Three poses in a row, moved on without copies.
struct PoseTriple {
  PosedSurface before, now, next;
  void advance() {
    std::swap(before, now);
    std::swap(now, next);
  }
};

// Per vertex, summed over steps without regard to threads: each vertex has its own.
struct VertexSums {
  std::vector<double> error, weight, goal;
  explicit VertexSums(std::size_t n) : error(n), weight(n), goal(n) {}
  SurfaceError total(std::span<const SurfaceExample> examples) const {
    SurfaceError sum;
    for (const SurfaceExample& example : examples) sum.goal_sum += std::max(example.rig_sum, 0.0);
    for (std::size_t i = 0; i < error.size(); ++i) {
      sum.sum += error[i];
      sum.weights += weight[i];
      sum.goal_sum += goal[i];
    }
    return sum;
  }
};

BoxQuadratic<surface_parameters> empty_equations() {
  BoxQuadratic<surface_parameters> q;
  q.upper = largest_parameter;
  return q;
}

// Adds w |sum_k p_k T_k - r|^2 as a function of the parameters p.
void add_residual(BoxQuadratic<surface_parameters>& q, const TermArray& terms, const Vec3& r, double w) {
  for (std::size_t a = 0; a < surface_parameters; ++a) {
    q.b[a] += w * dot(terms[a], r);
    for (std::size_t b = 0; b < surface_parameters; ++b) q.a[a][b] += w * dot(terms[a], terms[b]);
  }
}

// Residuals of one step of one vertex as functions of the parameters (eq. 16, and the velocities').
void add_step(BoxQuadratic<surface_parameters>& q, const TermArray& terms, const Vec3& position, const Vec3& change,
              const Vec3& target, const Vec3& target_change, double w, double velocity_share) {
  add_residual(q, terms, target - position - change, w);
  if (velocity_share > 0) add_residual(q, terms, target_change - change, w * velocity_share);
}

// (weight / h)^2: what a squared change of position counts beside a squared position.
double velocity_share(const SurfaceModel& model, const SurfaceErrorOptions& options) {
  const double ratio = options.velocity_weight / model.step;
  return ratio * ratio;
}

bool starts_window(std::size_t frame, const SurfaceErrorOptions& options) {
  return frame == 0 || (options.window > 0 && frame % static_cast<std::size_t>(options.window) == 0);
}

void walk(const SurfaceModel& model, const SurfaceExample& example, const SurfaceErrorOptions& options, bool from_example,
          NormalEquations* equations, VertexSums& sums) {
  const ExampleFrames frames(model, example);
  if (frames.count() < 2) return;
  const double share = velocity_share(model, options);
  PoseTriple pose;
  frames.pose(0, pose.now);
  frames.pose(1, pose.next);
  SurfaceState state, after;
  for (std::size_t t = 0; t + 1 < frames.count(); ++t) {
    if (t > 0) frames.pose(t + 1, pose.next);
    if (from_example || starts_window(t, options)) state = frames.state(t, &pose.before, pose.now, pose.next);
    step_surface(model, pose.now, pose.next, state, after, [&](std::size_t i, const TermArray& terms) {
      const double w = frames.weight(t + 1, i);
      const Vec3 target = pose.next.goal[i] + frames.offset(t + 1, i);
      const Vec3 target_change = target - pose.now.goal[i] - frames.offset(t, i);
      if (equations)
        add_step((*equations)[i], terms, state.position[i], state.change[i], target, target_change, w, share);
      sums.error[i] += w * (squared_norm(after.position[i] - target) + share * squared_norm(after.change[i] - target_change));
      sums.goal[i] += w * frames.goal_error(t + 1, i);
      sums.weight[i] += w;
    });
    std::swap(state, after);
    pose.advance();
  }
}

// One window with everything that the way back needs.
struct Tape {
  std::vector<SurfaceState> state;   // per frame of the window
  std::vector<PosedSurface> posed;
};

// Adjoint of the window's frames, last to first.
class Adjoint {
 public:
  Adjoint(const SurfaceModel& model, const ExampleFrames& frames, double share)
      : model_(model), frames_(frames), share_(share), n_(model.rest.size()), position_(n_), change_(n_), force_(n_),
        pull_(n_), turn_(n_), drag_(n_), axis_(n_), new_position_(n_), new_change_(n_) {}

  void window(Tape& tape, std::size_t first, std::vector<VertexGradient>& gradient) {
    std::fill(position_.begin(), position_.end(), Vec3{});
    std::fill(change_.begin(), change_.end(), Vec3{});
    for (std::size_t k = tape.state.size(); k-- > 1;) step_back(tape, first, k, gradient);
  }

 private:
  // From frame k of the window to k - 1: position_ and change_ are dE/dx and dE/du, u = h v.
  void step_back(Tape& tape, std::size_t first, std::size_t k, std::vector<VertexGradient>& gradient) {
    const PosedSurface &now = tape.posed[k - 1], &next = tape.posed[k];
    SurfaceState& before = tape.state[k - 1];
    const SurfaceState& after = tape.state[k];
    SurfaceMoment moment = moment_of(model_, before, now, next);
    moment.rotations_known = true;  // the step has left them
    parallel_for(n_, surface_grain, [&](std::size_t i) {
      // What E itself has of this frame.
      const double w = 2 * frames_.weight(first + k, i);
      const Vec3 target = next.goal[i] + frames_.offset(first + k, i);
      const Vec3 target_change = target - now.goal[i] - frames_.offset(first + k - 1, i);
      position_[i] += w * (after.position[i] - target);
      change_[i] += w * share_ * (after.change[i] - target_change);
      // x' = x + u', u' = u + sum_k p_k T_k.
      Vec3 force = position_[i] + change_[i];
      Vec3 position = after.position[i], change = after.change[i];
      if (limit_reach(model_.reach * (1 - 1e-9), now.goal[i], next.goal[i], position, change)) {
        force = {};
        position_[i] = {};
      }
      NeighbourhoodRotation rotation;
      const TermArray terms = vertex_terms(model_, moment, i, before.rotation[i], &rotation);
      for (std::size_t a = 0; a < surface_parameters; ++a) gradient[i].parameter[a] += dot(force, terms[a]);
      if (!model_.shape.empty()) {
        const Mat3 q = restoration_frame(model_, moment, i);
        const Mat3 product = outer(transpose_times(q, force), transpose_times(q, now.goal[i] - before.position[i]));
        gradient[i].restoration += (product + transpose(product)) * 0.5;
      }
      const VertexParameters& p = model_.parameters[i];
      force_[i] = force;
      pull_[i] = p.beta * force;
      drag_[i] = p.lambda * force;
      // L = mean(x_j) - x_i - R m: R turns with A by w = K^-1 axial(R^T dA), and -pull . (R [w] m) = -w . (m x R^T pull).
      turn_[i] = rotation.rotation;
      axis_[i] = rotation.inverse * cross(rotation.mean_edge, transpose_times(rotation.rotation, pull_[i]));
    });
    parallel_for(n_, surface_grain, [&](std::size_t i) { gather(moment, i); });
    std::swap(position_, new_position_);
    std::swap(change_, new_change_);
  }

  double ring(std::size_t i) const {
    return static_cast<double>(model_.first_neighbour[i + 1] - model_.first_neighbour[i]);
  }

  // Q S Q^T f.
  Vec3 restored(const SurfaceMoment& moment, std::size_t i) const {
    if (model_.shape.empty()) return force_[i];
    const Mat3 q = restoration_frame(model_, moment, i);
    return q * (to_matrix(model_.shape[i]) * transpose_times(q, force_[i]));
  }

  // What the step before has to answer for at vertex i: its own terms and those of its neighbours that look at it.
  void gather(const SurfaceMoment& moment, std::size_t i) {
    const VertexParameters& p = model_.parameters[i];
    Vec3 position = position_[i] - p.alpha * restored(moment, i) - pull_[i];
    position += p.gamma * (spoke_derivative(model_, moment, i) * force_[i]);
    Vec3 change = (1 - p.delta) * force_[i];
    if (ring(i) > 0) change -= drag_[i];
    if (ring(i) == 0) position += pull_[i];
    for (int k = model_.first_neighbour[i]; k < model_.first_neighbour[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(model_.neighbours[static_cast<std::size_t>(k)]);
      const Vec3 edge = moment.shape[j] - moment.shape[i];
      position += turn_[i] * cross(axis_[i], edge);
      position += turn_[j] * cross(axis_[j], edge);  // R_j (y_j x (shape_i - shape_j)), with its minus
      position += pull_[j] * (1 / ring(j));
      change += drag_[j] * (1 / ring(j));
    }
    new_position_[i] = position;
    new_change_[i] = change;
  }

  const SurfaceModel& model_;
  const ExampleFrames& frames_;
  double share_;
  std::size_t n_;
  std::vector<Vec3> position_, change_;          // dE/dx, dE/du of the frame at hand
  std::vector<Vec3> force_, pull_;               // dE/du' and beta times it
  std::vector<Mat3> turn_;                       // R
  std::vector<Vec3> drag_;                       // lambda dE/du'
  std::vector<Vec3> axis_;                       // K^-1 (m x R^T pull)
  std::vector<Vec3> new_position_, new_change_;
};

}  // namespace

SurfaceError surface_error(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                           const SurfaceErrorOptions& options, NormalEquations* equations) {
  if (equations) equations->assign(model.rest.size(), empty_equations());
  VertexSums sums(model.rest.size());
  for (const SurfaceExample& example : examples) walk(model, example, options, false, equations, sums);
  return sums.total(examples);
}

void equations_at_examples(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                           const SurfaceErrorOptions& options, NormalEquations& equations) {
  equations.assign(model.rest.size(), empty_equations());
  VertexSums sums(model.rest.size());
  for (const SurfaceExample& example : examples) walk(model, example, options, true, &equations, sums);
}

SurfaceError surface_error_gradient(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                                    const SurfaceErrorOptions& options, std::vector<VertexGradient>& gradient) {
  gradient.assign(model.rest.size(), VertexGradient{});
  VertexSums sums(model.rest.size());
  for (const SurfaceExample& example : examples) {
    const ExampleFrames frames(model, example);
    const double share = velocity_share(model, options);
    Adjoint adjoint(model, frames, share);
    const std::size_t length =
        options.window > 0 ? static_cast<std::size_t>(options.window) : std::max<std::size_t>(frames.count(), 2) - 1;
    PosedSurface before;
    for (std::size_t first = 0; first + 1 < frames.count(); first += length) {
      const std::size_t last = std::min(first + length, frames.count() - 1);
      Tape tape;
      tape.posed.resize(last - first + 1);
      tape.state.resize(last - first + 1);
      for (std::size_t t = first; t <= last; ++t) frames.pose(t, tape.posed[t - first]);
      tape.state[0] = frames.state(first, &before, tape.posed[0], tape.posed[1]);
      for (std::size_t t = first; t < last; ++t) {
        const std::size_t k = t - first;
        const PosedSurface &now = tape.posed[k], &next = tape.posed[k + 1];
        step_surface(model, now, next, tape.state[k], tape.state[k + 1], [&](std::size_t i, const TermArray&) {
          const double w = frames.weight(t + 1, i);
          const Vec3 target = next.goal[i] + frames.offset(t + 1, i);
          const Vec3 target_change = target - now.goal[i] - frames.offset(t, i);
          const SurfaceState& after = tape.state[k + 1];
          sums.error[i] += w * (squared_norm(after.position[i] - target) +
                                share * squared_norm(after.change[i] - target_change));
          sums.goal[i] += w * frames.goal_error(t + 1, i);
          sums.weight[i] += w;
        });
      }
      adjoint.window(tape, first, gradient);
      before = tape.posed[last - first > 0 ? last - first - 1 : 0];
    }
  }
  return sums.total(examples);
}

}  // namespace sinew
