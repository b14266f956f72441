#include "sinew/deform/surface/fit/surface_gradient.h"

#include <algorithm>

#include "sinew/deform/surface/fit/example_frames.h"
#include "sinew/deform/surface/fit/gradient_kernel.h"

namespace sinew {
namespace {

using gradient_kernel::Blocks;
using gradient_kernel::SegmentRow;

constexpr std::size_t blocks_of_a_chunk = 32;

// One frame of an example, side by side.
struct FrameTable {
  std::vector<double> goal;  // 3 components
  std::vector<SegmentRow> segments;
  std::vector<Mat3> turns;    // per bone, then the identity
  std::vector<float> offset;  // 3 components
  std::vector<float> weight;
};

// State at the start of a window.
struct StartTable {
  std::size_t first, last;               // frames
  std::vector<double> position, change;  // 3 components
  std::vector<double> rotation;          // 4 components
};

struct ExampleTable {
  std::vector<FrameTable> frames;
  std::vector<StartTable> windows;
};

void side_by_side(std::span<const Vec3> from, std::size_t stride, std::vector<double>& to) {
  to.assign(3 * stride, 0);
  for (std::size_t i = 0; i < from.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) to[c * stride + i] = from[i][c];
}

SegmentRow row_of(const SurfaceSegment& posed, double stretch) {
  const Vec3 axis = posed.tail - posed.head;
  const double squared = squared_norm(axis);
  return {posed.head, squared > 0 ? 1 / squared : 0, axis, stretch};
}

FrameTable frame_table(const SurfaceModel& model, const Blocks& blocks, const ExampleFrames& frames, std::size_t frame,
                       const PosedSurface& posed) {
  FrameTable table;
  side_by_side(posed.goal, blocks.stride, table.goal);
  for (std::size_t s = 0; s < posed.segments.size(); ++s) {
    const SurfaceSegment& rest = model.segments[s];
    const Affine& bone = frames.bones(frame)[static_cast<std::size_t>(rest.bone)];
    table.segments.push_back(row_of(posed.segments[s], blocks.rest_shape ? girth_stretch(rest, bone) : 1));
  }
  table.turns = posed.bone_rotation;
  table.turns.resize(model.bones.size() + 1);  // the last is the identity
  table.offset.assign(3 * blocks.stride, 0);
  table.weight.assign(blocks.stride, 0);
  for (std::size_t i = 0; i < blocks.vertices; ++i) {
    const Vec3 offset = frames.offset(frame, i);
    for (std::size_t c = 0; c < 3; ++c) table.offset[c * blocks.stride + i] = static_cast<float>(offset[c]);
    table.weight[i] = static_cast<float>(frames.weight(frame, i));
  }
  return table;
}

StartTable start_table(const Blocks& blocks, const SurfaceState& state, std::size_t first, std::size_t last) {
  StartTable start{first, last, {}, {}, {}};
  side_by_side(state.position, blocks.stride, start.position);
  side_by_side(state.change, blocks.stride, start.change);
  start.rotation.assign(4 * blocks.stride, 0);
  for (std::size_t i = 0; i < blocks.stride; ++i) {
    const Quat q = i < blocks.vertices ? state.rotation[i] : Quat{};
    const double parts[] = {q.x, q.y, q.z, q.w};
    for (std::size_t c = 0; c < 4; ++c) start.rotation[c * blocks.stride + i] = parts[c];
  }
  return start;
}

ExampleTable example_table(const SurfaceModel& model, const Blocks& blocks, const SurfaceExample& example,
                           const SurfaceErrorOptions& options) {
  const ExampleFrames frames(model, example);
  ExampleTable table;
  PoseTriple pose;
  if (frames.count() < 2) return table;
  const std::size_t steps = frames.count() - 1;
  const std::size_t length = options.window > 0 ? static_cast<std::size_t>(options.window) : steps;
  frames.pose(0, pose.now);
  for (std::size_t t = 0; t < frames.count(); ++t) {
    table.frames.push_back(frame_table(model, blocks, frames, t, pose.now));
    if (t == steps) break;
    frames.pose(t + 1, pose.next);
    if (t % length == 0)
      table.windows.push_back(
          start_table(blocks, frames.state(t, &pose.before, pose.now, pose.next), t, std::min(t + length, steps)));
    pose.advance();
  }
  return table;
}

// The states of a window.
struct Tape {
  std::vector<double> position, change, rotation;  // per frame 3, 3 and 4 components
};

// Parameters in the layout of the kernel.
std::vector<double> parameter_rows(const SurfaceModel& model, const Blocks& blocks) {
  const std::size_t n = blocks.stride;
  std::vector<double> rows(gradient_kernel::parameter_rows * n, 0.0);
  parallel_for(blocks.vertices, surface_grain, [&](std::size_t i) {
    const VertexParameters& p = model.parameters[i];
    double row[gradient_kernel::parameter_rows] = {p.alpha, 0, 0, 0, 0, 0, p.beta, p.gamma, p.lambda, p.delta};
    if (blocks.in_directions) {
      const RestorationShape& s = model.shape[i];
      const double entries[] = {s.xx, s.xy, s.yy, s.xz, s.yz, s.zz};
      for (std::size_t k = 0; k < 6; ++k) row[k] = p.alpha * entries[k];
    }
    for (std::size_t k = 0; k < gradient_kernel::parameter_rows; ++k) rows[k * n + i] = row[k];
  });
  return rows;
}

VertexGradient vertex_gradient(const SurfaceModel& model, const Blocks& blocks, std::span<const double> rows,
                               std::size_t i) {
  const auto by = [&](std::size_t k) { return rows[k * blocks.stride + i]; };
  VertexGradient g;
  g.parameter = {by(0), by(6), by(7), by(8), by(9)};
  if (!blocks.in_directions) return g;
  g.restoration = {{by(0), by(1), by(3), by(1), by(2), by(4), by(3), by(4), by(5)}};
  const Mat3 shape = to_matrix(model.shape[i]);
  g.parameter[0] = 0;
  for (std::size_t k = 0; k < 9; ++k) g.parameter[0] += g.restoration.m[k] * shape.m[k];
  return g;
}

}  // namespace

struct SurfaceGradient::Tables {
  Blocks blocks;
  double velocity_share = 0;
  std::vector<ExampleTable> examples;
  SurfaceError of_goal;  // `sum` is zero: what does not depend on the parameters
  Tape tape;
  std::vector<double> message[2];

  gradient_kernel::Step step_at(const ExampleTable& example, std::size_t first, std::size_t k) {
    const std::size_t n = blocks.stride;
    const FrameTable &now = example.frames[first + k], &next = example.frames[first + k + 1];
    return {.goal = now.goal.data(),
            .next_goal = next.goal.data(),
            .segments = now.segments.data(),
            .turns = now.turns.data(),
            .offset = now.offset.data(),
            .next_offset = next.offset.data(),
            .weight = next.weight.data(),
            .velocity_share = velocity_share,
            .position = &tape.position[k * 3 * n],
            .change = &tape.change[k * 3 * n],
            .rotation = &tape.rotation[k * 4 * n],
            .next_position = &tape.position[(k + 1) * 3 * n],
            .next_change = &tape.change[(k + 1) * 3 * n],
            .next_rotation = &tape.rotation[(k + 1) * 4 * n]};
  }

  void start(const StartTable& window) {
    const std::size_t n = blocks.stride, states = window.last - window.first + 1;
    if (tape.position.size() < states * 3 * n) {
      tape.position.resize(states * 3 * n);
      tape.change.resize(states * 3 * n);
      tape.rotation.resize(states * 4 * n);
    }
    std::copy(window.position.begin(), window.position.end(), tape.position.begin());
    std::copy(window.change.begin(), window.change.end(), tape.change.begin());
    std::copy(window.rotation.begin(), window.rotation.end(), tape.rotation.begin());
  }

  // There and back again.
  void run(const ExampleTable& example, const StartTable& window, const std::vector<double>& parameters,
           std::vector<double>& error, std::vector<double>& gradient) {
    start(window);
    const std::size_t steps = window.last - window.first;
    for (std::size_t k = 0; k < steps; ++k) {
      const gradient_kernel::Step at = step_at(example, window.first, k);
      parallel_chunks(blocks.blocks, blocks_of_a_chunk, [&](std::size_t begin, std::size_t end) {
        gradient_kernel::step(blocks, parameters.data(), at, begin, end, error.data());
      });
    }
    for (std::size_t k = steps; k-- > 0;) {
      const gradient_kernel::Step at = step_at(example, window.first, k);
      const double* after = k + 1 < steps ? message[(k + 1) % 2].data() : nullptr;
      parallel_chunks(blocks.blocks, blocks_of_a_chunk, [&](std::size_t begin, std::size_t end) {
        gradient_kernel::step_back(blocks, parameters.data(), at, after, message[k % 2].data(), begin, end,
                                   gradient.data());
      });
    }
  }
};

SurfaceGradient::SurfaceGradient(const SurfaceModel& model, std::span<const SurfaceExample> examples,
                                 const SurfaceErrorOptions& options)
    : tables_(std::make_unique<Tables>()) {
  tables_->blocks = gradient_kernel::make_blocks(model);
  tables_->velocity_share = velocity_share(model, options);
  for (std::vector<double>& m : tables_->message) m.assign(gradient_kernel::message_rows * tables_->blocks.stride, 0.0);
  tables_->of_goal = goal_error(model, examples);
  for (const SurfaceExample& example : examples)
    tables_->examples.push_back(example_table(model, tables_->blocks, example, options));
}

SurfaceGradient::~SurfaceGradient() = default;

SurfaceError SurfaceGradient::operator()(const SurfaceModel& model, std::vector<VertexGradient>& gradient) {
  const Blocks& blocks = tables_->blocks;
  const std::vector<double> parameters = parameter_rows(model, blocks);
  std::vector<double> error(blocks.stride, 0.0), by(gradient_kernel::parameter_rows * blocks.stride, 0.0);
  for (const ExampleTable& example : tables_->examples)
    for (const StartTable& window : example.windows) tables_->run(example, window, parameters, error, by);
  gradient.resize(blocks.vertices);
  parallel_for(blocks.vertices, surface_grain,
               [&](std::size_t i) { gradient[i] = vertex_gradient(model, blocks, by, i); });
  SurfaceError sum = tables_->of_goal;
  for (std::size_t i = 0; i < blocks.vertices; ++i) sum.sum += error[i];
  return sum;
}

}  // namespace sinew
