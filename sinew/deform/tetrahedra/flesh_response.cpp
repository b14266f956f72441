#include "sinew/deform/tetrahedra/flesh_response.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/base/threads/scratch.h"
#include "sinew/contact/outside_forces.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

constexpr std::size_t response_grain = 2048;
// Largest number of corrections of held points, and the error at which they stop, as a fraction of the body's extent.
constexpr int max_held_rounds = 30;
constexpr double held_exactly = 1e-12;
// Distance from a collider, as a fraction of the body's extent, within which columns of the compliance are prepared,
// and the number of vertices per step.
constexpr double near_colliders = 0.1;
constexpr std::size_t prepared_in_a_step = 5;

template <class Values>
void sort_unique(Values& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// y = A x, A dense and row-major.
void multiply_dense(std::span<const double> a, std::span<const double> x, std::span<double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double* row = &a[i * x.size()];
    double sum[4] = {};
    std::size_t j = 0;
    for (; j + 4 <= x.size(); j += 4)
      for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += row[j + lane] * x[j + lane];
    for (; j < x.size(); ++j) sum[0] += row[j] * x[j];
    y[i] = (sum[0] + sum[2]) + (sum[1] + sum[3]);
  }
}

// to_u = R_u from_u, or its inverse, over the free vertices.
void turn(const FleshBody& body, const VertexFrames& frames, bool to_world, std::span<const double> from,
          std::span<double> to) {
  parallel_for(body.free_vertex.size(), response_grain, [&](std::size_t f) {
    const Mat3& rotation = frames.rotation[static_cast<std::size_t>(body.free_vertex[f])];
    const Vec3 v{from[3 * f], from[3 * f + 1], from[3 * f + 2]};
    const Vec3 turned = to_world ? rotation * v : transpose_times(rotation, v);
    for (std::size_t k = 0; k < 3; ++k) to[3 * f + k] = turned[k];
  });
}

constexpr Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

}  // namespace

// Adapter of a step for the search for contacts: the rest factor guides it, over the vertices that contacts and held
// points involve. A vertex that all contacts push in one direction has one unknown, any other three.
class FleshResponse::InContact final : public ContactedBody {
 public:
  InContact(FleshResponse& response, const FleshMoment& moment, const LinearOperator& solve,
            std::span<double> displacement)
      : r_(response), moment_(moment), solve_(solve), displacement_(displacement) {}

  void positions(std::span<Vec3> place) override {
    multiply(r_.surface_, r_.position_, place);
    for (std::size_t s = 0; s < place.size(); ++s) place[s] += r_.offset_[s];
  }

  std::optional<Vec3> position_before(std::size_t point) override {
    Vec3 sum = r_.offset_[point];
    for_corners(point, [&](std::size_t vertex, double weight) {
      const int f = r_.body_.free_index[vertex];
      sum += weight * (f >= 0 ? moment_.state.position[static_cast<std::size_t>(f)] : moment_.before.goal[vertex]);
    });
    return sum;
  }

  Goals goals(std::size_t point) override {
    Goals goals{r_.offset_[point], r_.offset_[point]};
    for_corners(point, [&](std::size_t vertex, double weight) {
      goals.now += weight * moment_.frames.goal[vertex];
      goals.before += weight * moment_.before.goal[vertex];
    });
    return goals;
  }
  double push_reach(std::size_t point) const override {
    const std::vector<double>& reach = r_.body_.description.push_reach;
    return reach.empty() ? ContactedBody::push_reach(point) : reach[point];
  }

  void begin_search(const ContactSet& contacts) override {
    ContactedBody::begin_search(contacts);
    choose_directions();
    ScratchVector<VertexDirection> all;
    for (const Direction& d : directions_) all.push_back({d.vertex, local(d.vertex, d.along)});
    matrix_.resize(all.size() * all.size());
    r_.body_.compliance->between(all, r_.body_.factor, matrix_);
    if (!r_.held_.empty()) take_off_held(all);
    spread_.assign(directions_.size(), 0.0);
    moved_.assign(directions_.size(), 0.0);
  }

  void apply_compliance(std::span<const double> force, std::span<double> along_normals) override {
    std::fill(spread_.begin(), spread_.end(), 0.0);
    for (std::size_t c = 0; c < force.size(); ++c)
      for (std::size_t k = start_[c]; k < start_[c + 1]; ++k)
        spread_[corner_[k].direction] += corner_[k].share * force[c];
    multiply_dense(matrix_, spread_, moved_);
    for (std::size_t c = 0; c < along_normals.size(); ++c) {
      along_normals[c] = 0;
      for (std::size_t k = start_[c]; k < start_[c + 1]; ++k)
        along_normals[c] += corner_[k].share * moved_[corner_[k].direction];
    }
  }

  ScratchVector<double> compliance_matrix() override {
    const std::size_t contacts = contacts_->size(), n = directions_.size();
    // By the corners on one side, then on the other.
    ScratchVector<double> half(contacts * n, 0.0), result(contacts * contacts);
    parallel_for(contacts, 8, [&](std::size_t c) {
      for (std::size_t k = start_[c]; k < start_[c + 1]; ++k)
        for (std::size_t j = 0; j < n; ++j) half[c * n + j] += corner_[k].share * matrix_[corner_[k].direction * n + j];
      for (std::size_t d = 0; d < contacts; ++d) {
        double sum = 0;
        for (std::size_t k = start_[d]; k < start_[d + 1]; ++k)
          sum += corner_[k].share * half[c * n + corner_[k].direction];
        result[c * contacts + d] = sum;
      }
    });
    return result;
  }

  ScratchVector<double> scale() override {
    ScratchVector<double> result(contacts_->size());
    const std::size_t n = directions_.size();
    for (std::size_t c = 0; c < result.size(); ++c) {
      double own = 0;
      for (std::size_t k = start_[c]; k < start_[c + 1]; ++k)
        for (std::size_t l = start_[c]; l < start_[c + 1]; ++l)
          own += corner_[k].share * corner_[l].share * matrix_[corner_[k].direction * n + corner_[l].direction];
      result[c] = own > 0 ? 1 / std::sqrt(own) : 0;
    }
    // A point that held points leave almost no freedom counts as the others do.
    const double largest = *std::max_element(result.begin(), result.end());
    for (double& s : result)
      if (!(s > 0)) s = largest > 0 ? largest : 1;
    return result;
  }

  void respond(std::span<const double> more) override {
    r_.respond(moment_, solve_, more, displacement_);
    if (!r_.held_.empty()) r_.hold_points(moment_, solve_, displacement_);
  }

 private:
  struct Direction {
    int vertex = 0;  // free
    Vec3 along;      // world
  };
  struct Corner {
    std::size_t direction = 0;
    double share = 0;
  };

  template <class Use>
  void for_corners(std::size_t point, const Use& use) const {
    const SparseRows& surface = r_.surface_;
    for (auto e = static_cast<std::size_t>(surface.start[point]);
         e < static_cast<std::size_t>(surface.start[point + 1]); ++e)
      use(static_cast<std::size_t>(surface.column[e]), surface.value[e]);
  }

  Vec3 local(int free, const Vec3& world) const {
    const auto vertex = static_cast<std::size_t>(r_.body_.free_vertex[static_cast<std::size_t>(free)]);
    return transpose_times(moment_.frames.rotation[vertex], world);
  }

  void choose_directions() {
    struct Touch {
      std::size_t vertex = 0, contact = 0;
    };
    ScratchVector<Touch> touches;
    for (std::size_t c = 0; c < contacts_->size(); ++c)
      for (const PointEntry& entry : (*contacts_)[c].entries) touches.push_back({entry.unknown, c});
    std::sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) {
      return std::pair(a.vertex, a.contact) < std::pair(b.vertex, b.contact);
    });
    const auto normal_of = [&](std::size_t touch) -> const Vec3& {
      return (*contacts_)[touches[touch].contact].normal;
    };
    directions_.clear();
    ScratchVector<std::size_t> first(r_.body_.free_vertex.size(), 0);
    ScratchVector<char> single(r_.body_.free_vertex.size(), 0);
    for (std::size_t begin = 0, end = 0; begin < touches.size(); begin = end) {
      bool one = true;
      for (end = begin; end < touches.size() && touches[end].vertex == touches[begin].vertex; ++end)
        one = one && normal_of(end) == normal_of(begin);
      const std::size_t vertex = touches[begin].vertex;
      first[vertex] = directions_.size();
      single[vertex] = one;
      if (one)
        directions_.push_back({static_cast<int>(vertex), normal_of(begin)});
      else
        for (const Vec3& axis : axes) directions_.push_back({static_cast<int>(vertex), axis});
    }
    corner_.clear();
    start_.assign(1, 0);
    for (std::size_t c = 0; c < contacts_->size(); ++c) {
      const Contact& contact = (*contacts_)[c];
      for (const PointEntry& entry : contact.entries) {
        if (single[entry.unknown])
          corner_.push_back({first[entry.unknown], entry.weight});
        else
          for (std::size_t k = 0; k < 3; ++k)
            corner_.push_back({first[entry.unknown] + k, entry.weight * contact.normal[k]});
      }
      start_.push_back(corner_.size());
    }
  }

  // Held points do not move: C - C Q S^-1 Q^T C between the directions.
  void take_off_held(std::span<const VertexDirection> own) {
    const std::size_t n = own.size(), count = r_.held_vertices_.size(), rank = r_.held_.rows().rows();
    if (rank == 0) return;
    struct Numbered {
      VertexDirection direction;
      std::size_t number;
    };
    ScratchVector<Numbered> all;
    for (std::size_t i = 0; i < n; ++i) all.push_back({own[i], i});
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        all.push_back({{r_.held_vertices_[i], local(r_.held_vertices_[i], axes[k])}, n + 3 * i + k});
    std::sort(all.begin(), all.end(), [](const Numbered& a, const Numbered& b) {
      return std::pair(a.direction.vertex, a.number) < std::pair(b.direction.vertex, b.number);
    });
    ScratchVector<VertexDirection> directions;
    for (const Numbered& each : all) directions.push_back(each.direction);
    ScratchVector<double> sorted(all.size() * all.size());
    r_.body_.compliance->between(directions, r_.body_.factor, sorted);
    ScratchVector<std::size_t> place(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) place[all[i].number] = i;
    // G = L^-1 Q^T C, a column per direction; then C - G^T G.
    const SparseRows& rows = r_.held_.rows();
    ScratchVector<double> held(3 * rank * n);
    const auto column = [&](std::size_t j) { return std::span(held).subspan(3 * rank * j, 3 * rank); };
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t q = 0; q < rank; ++q)
        for (std::size_t i = 0; i < count; ++i)
          for (std::size_t k = 0; k < 3; ++k)
            column(j)[3 * q + k] += rows.value[q * count + i] * sorted[place[n + 3 * i + k] * all.size() + place[j]];
      r_.schur_.solve_lower(column(j));
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t q = 0; q < 3 * rank; ++q) sum += column(i)[q] * column(j)[q];
        matrix_[i * n + j] -= sum;
        if (i != j) matrix_[j * n + i] = matrix_[i * n + j];
      }
  }

  FleshResponse& r_;
  const FleshMoment& moment_;
  const LinearOperator& solve_;
  std::span<double> displacement_;
  ScratchVector<Direction> directions_;
  ScratchVector<Corner> corner_;      // of the contacts, one after the other
  ScratchVector<std::size_t> start_;  // contact -> its first corner
  ScratchVector<double> matrix_, spread_, moved_;
};

FleshResponse::FleshResponse(const FleshBody& body)
    : body_(body),
      surface_(surface_rows(body.description)),
      held_(surface_),
      contact_(surface_, contact_lengths(largest_extent(body.description.mesh.positions))) {}

void FleshResponse::set(const Environment& environment) {
  check_environment(environment, surface_.rows());
  environment_ = environment;
  const FleshDescription& d = body_.description;
  held_.hold(
      environment.held, unknowns(),
      [this] {
        std::vector<double> mass;
        for (int v : body_.free_vertex) mass.push_back(body_.mass[static_cast<std::size_t>(v)]);
        return mass;
      },
      false);
  loaded_.clear();
  if (environment.gravity) {
    loaded_.resize(d.mesh.positions.size());
    add_weight(body_.mass, *environment.gravity - body_.dynamics.gravity, loaded_);
  }
  if (!environment.loads.empty()) {
    if (points_.size() == 0) points_ = surface_points(d.mesh, d.embedding.points);
    loaded_.resize(d.mesh.positions.size());
    for (const Load& load : environment.loads) add_load(points_, d.mesh.positions, load, loaded_);
  }
  if (!acts()) constraint_errors_.clear();
  if (!acts()) return;
  for (std::vector<double>* work : {&right_hand_side_, &local_, &change_}) work->resize(3 * body_.free_vertex.size());
}

void FleshResponse::add_loads(const VertexFrames& frames, double factor, std::span<double> local) const {
  if (loaded_.empty()) return;
  for (std::size_t f = 0; f < body_.free_vertex.size(); ++f) {
    const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
    const Vec3 own = factor * transpose_times(frames.rotation[v], loaded_[v]);
    for (std::size_t k = 0; k < 3; ++k) local[3 * f + k] += own[k];
  }
}

int FleshResponse::meet(const FleshMoment& moment, const LinearOperator& solve, double tolerance,
                        std::span<double> displacement) {
  if (!acts()) return 0;
  std::fill(right_hand_side_.begin(), right_hand_side_.end(), 0.0);
  find_offsets(moment);
  take_positions(moment, displacement);
  if (!held_.empty()) {
    factor_held(moment.frames);
    hold_points(moment, solve, displacement);
  }
  int pushed = 0;
  if (environment_.touches()) {
    InContact body(*this, moment, solve, displacement);
    pushed = contact_.hold({environment_.obstacles(), unknowns(), held_, body_.method.step, tolerance}, body);
    prepare_contacts();
  }
  held_.constraint_errors(position_, offset_, constraint_errors_);
  return pushed;
}

// Prepares for skin that is about to touch a collider, so that the step in which much of it does takes no longer than
// others.
void FleshResponse::prepare_contacts() {
  if (environment_.colliders.empty()) return;
  const double near = near_colliders * largest_extent(body_.description.mesh.positions);
  ScratchVector<Vec3> place(surface_.rows());
  multiply(surface_, position_, place);
  ScratchVector<char> close(place.size(), 0);
  parallel_for(place.size(), response_grain, [&](std::size_t s) {
    for (std::size_t c = 0; c < environment_.colliders.size() && !close[s]; ++c)
      close[s] = gap_to(environment_.colliders, c, place[s] + offset_[s]).distance < near;
  });
  ScratchVector<int> vertices;
  for (std::size_t s = 0; s < close.size(); ++s) {
    if (!close[s]) continue;
    for (auto e = static_cast<std::size_t>(surface_.start[s]); e < static_cast<std::size_t>(surface_.start[s + 1]); ++e)
      if (const int f = body_.free_index[static_cast<std::size_t>(surface_.column[e])]; f >= 0) vertices.push_back(f);
  }
  sort_unique(vertices);
  body_.compliance->prepare(vertices, prepared_in_a_step, body_.factor);
}

void FleshResponse::find_offsets(const FleshMoment& moment) {
  const FleshDescription& d = body_.description;
  offset_.assign(surface_.rows(), {});
  if (d.surface_rest.empty()) return;  // the body's own points are the surface
  ScratchVector<Vec3> goal(offset_.size());
  linear_blend(d.surface_rest, d.surface_influences, moment.bones, goal);
  multiply(surface_, moment.frames.goal, offset_);
  for (std::size_t s = 0; s < offset_.size(); ++s) offset_[s] = goal[s] - offset_[s];
}

void FleshResponse::take_positions(const FleshMoment& moment, std::span<const double> displacement) {
  position_.resize(body_.mass.size());
  parallel_for(position_.size(), response_grain, [&](std::size_t v) {
    position_[v] = moment.frames.goal[v];
    const int f = body_.free_index[v];
    if (f < 0) return;
    const double* u = &displacement[3 * static_cast<std::size_t>(f)];
    position_[v] += moment.frames.rotation[v] * Vec3{u[0], u[1], u[2]};
  });
}

void FleshResponse::respond(const FleshMoment& moment, const LinearOperator& solve, std::span<const double> world,
                            std::span<double> displacement) {
  turn(body_, moment.frames, false, world, local_);
  solve(local_, change_);
  for (std::size_t k = 0; k < change_.size(); ++k) {
    displacement[k] += change_[k];
    right_hand_side_[k] += local_[k];
  }
  take_positions(moment, displacement);
}

// S = Q^T R C R^T Q, C the inverse of the rest system between the vertices that held points touch.
void FleshResponse::factor_held(const VertexFrames& frames) {
  const SparseRows& rows = held_.rows();
  const std::size_t rank = rows.rows(), count = rank > 0 ? rows.column.size() / rank : 0;
  held_vertices_.assign(rows.column.begin(), rows.column.begin() + static_cast<std::ptrdiff_t>(count));
  ScratchVector<VertexDirection> directions;
  for (const int f : held_vertices_)
    for (const Vec3& axis : axes)
      directions.push_back(
          {f, transpose_times(frames.rotation[static_cast<std::size_t>(body_.free_vertex[static_cast<std::size_t>(f)])],
                              axis)});
  ScratchVector<double> between(directions.size() * directions.size());
  body_.compliance->between_few(directions, body_.factor, between);
  // Half of the product, then the other half.
  ScratchVector<double> half(9 * rank * count);  // rows of 3 * count
  for (std::size_t q = 0; q < rank; ++q)
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t j = 0; j < 3 * count; ++j)
          half[(3 * q + k) * 3 * count + j] += rows.value[q * count + i] * between[(3 * i + k) * 3 * count + j];
  ScratchVector<double> schur(9 * rank * rank, 0.0);
  for (std::size_t p = 0; p < 3 * rank; ++p)
    for (std::size_t q = 0; q < rank; ++q)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < count; ++i)
          schur[p * 3 * rank + 3 * q + k] += half[p * 3 * count + 3 * i + k] * rows.value[q * count + i];
  if (rank > 0 && !schur_.factor(schur, 3 * rank))
    throw simulation_error("what holds the flesh asks for more than it can give.");
}

void FleshResponse::hold_points(const FleshMoment& moment, const LinearOperator& solve,
                                std::span<double> displacement) {
  const SparseRows& rows = held_.rows();
  const std::size_t rank = rows.rows(), count = held_vertices_.size(), unknown = 3 * body_.free_vertex.size();
  ScratchVector<double> wanted(unknown), force(unknown), along(3 * rank);
  if (rank == 0) return;  // the skeleton has all of them
  const double exact = held_exactly * largest_extent(body_.description.mesh.positions);
  for (int round = 0; round < max_held_rounds; ++round) {
    std::fill(wanted.begin(), wanted.end(), 0.0);
    held_.meet(held_.missing(position_, offset_), wanted);
    double largest = 0;
    for (std::size_t q = 0; q < rank; ++q)
      for (std::size_t k = 0; k < 3; ++k) {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i)
          sum += rows.value[q * count + i] * wanted[3 * static_cast<std::size_t>(held_vertices_[i]) + k];
        along[3 * q + k] = sum;
        largest = std::max(largest, std::abs(sum));
      }
    if (largest <= exact) break;
    schur_.solve(along, along);
    std::fill(force.begin(), force.end(), 0.0);
    for (std::size_t q = 0; q < rank; ++q)
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < 3; ++k)
          force[3 * static_cast<std::size_t>(held_vertices_[i]) + k] += rows.value[q * count + i] * along[3 * q + k];
    respond(moment, solve, force, displacement);
  }
}

void FleshResponse::push_before_step(const VertexFrames& frames, FleshState& state) const {
  if (!acts()) return;
  for (std::size_t f = 0; f < state.velocity.size(); ++f) {
    const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
    const Vec3 local{right_hand_side_[3 * f], right_hand_side_[3 * f + 1], right_hand_side_[3 * f + 2]};
    state.velocity[f] += (impulse_per_force() / body_.mass[v]) * (frames.rotation[v] * local);
  }
}

void FleshResponse::settle_after_step(const FleshMoment& moment, FleshState& state) {
  if (held_.empty() && !(environment_.touches() && contact_.pushes())) return;
  const double h = body_.method.step;
  ScratchVector<Vec3> velocity(body_.mass.size());
  for (std::size_t v = 0; v < velocity.size(); ++v) {
    const int f = body_.free_index[v];
    velocity[v] =
        f >= 0 ? state.velocity[static_cast<std::size_t>(f)] : (moment.frames.goal[v] - moment.before.goal[v]) / h;
  }
  const auto scaled = [this](bool by_mass) -> LinearOperator {
    return [this, by_mass](std::span<const double> from, std::span<double> to) {
      for (std::size_t f = 0; f < body_.free_vertex.size(); ++f) {
        const double mass = body_.mass[static_cast<std::size_t>(body_.free_vertex[f])];
        for (std::size_t k = 3 * f; k < 3 * f + 3; ++k) to[k] = by_mass ? from[k] * mass : from[k] / mass;
      }
    };
  };
  if (!held_.empty()) {
    held_.meet_velocities(scaled(true), scaled(false), velocity, change_);
    add_unknowns(unknowns(), 1, change_, velocity);
  }
  if (environment_.touches())
    contact_.settle(held_.inverse_mass(scaled(false)), impulse_per_force(), unknowns(), velocity);
  for (std::size_t f = 0; f < state.velocity.size(); ++f)
    state.velocity[f] = velocity[static_cast<std::size_t>(body_.free_vertex[f])];
}

}  // namespace sinew
