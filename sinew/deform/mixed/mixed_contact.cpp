// MixedSolver with colliders: the pose is solved without them first, and where points are inside one, forces are found
// that keep them out (docs/mixed_fem.md, section 14).
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/contact/obstacles.h"
#include "sinew/deform/mixed/condensed_matrix.h"
#include "sinew/deform/mixed/fixed_point.h"
#include "sinew/deform/mixed/mixed_contact_set.h"
#include "sinew/deform/mixed/mixed_workspace.h"
#include "sinew/linalg/bounded/bounded_quadratic.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr std::size_t mixed_contact_row_grain = 1024;
constexpr std::size_t mixed_contact_vertex_grain = 256;

// Change of the normals of active contacts between rounds below which they count as converged.
constexpr double agreeing_normals = 1e-4;

// Change of the normals below which convergence is regular enough to extrapolate.
constexpr double steady_normals = 3e-2;

// Allowed residual relative to the contact forces, for nonlinear materials.
constexpr double balance = 1e-4;

// Fraction of `depth` within which a search for forces ends; the rest is for the error of the rounds.
constexpr double search_share = 0.25;

// Tolerance of the next search, as a fraction of the worst gap.
constexpr double early_share = 0.03;

// A mismatch between a sample's tension and its volume change counts as a distance of this fraction of the body's
// extent.
constexpr double strain_length = 0.1;

[[noreturn]] void no_forces_hold(const MixedContactSet& set) {
  const std::size_t slides = set.sliding(), touches = set.size() - slides;
  const std::string out = " surface points out that touch colliders",
                    move_colliders = "move the colliders away from the pinned parts and from one another.";
  if (slides == 0)
    throw simulation_error("no forces keep the " + std::to_string(touches) + out + "; " + move_colliders);
  throw simulation_error("handles: no forces hold the " + std::to_string(slides) +
                         " surface points of handles that slide" +
                         (touches > 0 ? " and keep the " + std::to_string(touches) + out : "") +
                         "; move handles apart that share skin, or make one of them a point" +
                         (touches > 0 ? ", and " + move_colliders : "."));
}

std::vector<Vec3> moved(std::span<const Vec3> from, const FreeVertices& free, std::span<const double> step,
                        double share = 1) {
  std::vector<Vec3> positions(from.begin(), from.end());
  for (std::size_t f = 0; f < free.vertex.size(); ++f)
    positions[static_cast<std::size_t>(free.vertex[f])] += share * Vec3{step[3 * f], step[3 * f + 1], step[3 * f + 2]};
  return positions;
}

// The search for forces where A = L (x) 1_3 + D^T C D with C > 0. With the tension t of each sample as a further
// unknown the displacement that forces f make is e = L^-1 (J^T f - D^T t), and f >= 0 and t minimise
//
//   1/2 |J^T f - D^T t|^2_{L^-1} + 1/2 t^T C^-1 t + gap^T f,
//
// whose gradient is the gap left, and the difference between tension and change of volume (section 14).
class PoissonSearch {
 public:
  // `fast`: the same factor where it is used many times, in single precision.
  PoissonSearch(const VolumeRows& rows, const ScalarCholesky& poisson, const ScalarCholesky& fast,
                PoissonCompliance& compliance, std::span<const double> diagonal, double length)
      : rows_(rows),
        poisson_(poisson),
        fast_(fast),
        compliance_(compliance),
        diagonal_(diagonal),
        length_(length),
        unknowns_(rows.rows(), 0.0),
        tension_(rows.rows()),
        forces_(3 * diagonal.size()),
        displacement_(3 * diagonal.size() + 1, 0.0) {}

  std::span<const double> displacement() const { return {displacement_.data(), forces_.size()}; }

  // Starts from the contacts' planes and forces, and the tensions of the last search; returns the number of products.
  // The planes were computed at the displacement `planes_at`, three numbers per free vertex.
  int run(MixedContactSet& contacts, std::span<const double> planes_at, double tolerance, int max_products) {
    const std::size_t m = rows_.rows(), count = m + contacts.size();
    // Without tensions only the vertices that contacts touch matter, until forces are found.
    dense_ = m == 0 && compliance_.choose(contacts.vertices(), poisson_);
    unknowns_.resize(count);
    std::copy(contacts.force.begin(), contacts.force.end(), unknowns_.begin() + static_cast<std::ptrdiff_t>(m));
    const LinearOperator product = [&](std::span<const double> from, std::span<double> to) {
      multiply(contacts, from, to);
    };
    std::vector<double> gradient(count), made(contacts.size(), 0.0);
    contacts.add_displacements(planes_at, made);
    product(unknowns_, gradient);
    for (std::size_t c = 0; c < contacts.size(); ++c) gradient[m + c] += contacts.gap(c) - made[c];
    BoundedQuadraticOptions options;
    options.tolerance = tolerance;
    options.max_products = max_products;
    options.unbounded = m + contacts.sliding();
    const BoundedQuadraticResult result =
        minimize_bounded_quadratic(product, scales(contacts), unknowns_, gradient, options);
    if (!result.converged) no_forces_hold(contacts);
    std::copy(unknowns_.begin() + static_cast<std::ptrdiff_t>(m), unknowns_.end(), contacts.force.begin());
    collect_forces(contacts, unknowns_);
    poisson_.solve(forces_, {displacement_.data(), forces_.size()}, 3);
    return result.products + 2;
  }

 private:
  // forces = J^T f - D^T t; the unknown of a sample is t / length, so that its gradient is a length.
  void collect_forces(const MixedContactSet& contacts, std::span<const double> unknowns) {
    const std::size_t m = rows_.rows();
    std::fill(forces_.begin(), forces_.end(), 0.0);
    contacts.add_forces(unknowns.subspan(m), forces_);
    for (std::size_t r = 0; r < m; ++r) tension_[r] = -length_ * unknowns[r];
    if (m > 0)
      parallel_chunks(diagonal_.size(), mixed_contact_vertex_grain, [&](std::size_t begin, std::size_t end) {
        add_volume_forces(rows_, tension_, begin, end, forces_);
      });
  }

  void multiply(const MixedContactSet& contacts, std::span<const double> from, std::span<double> to) {
    collect_forces(contacts, from);
    if (dense_)
      compliance_.multiply(forces_, displacement_);
    else
      fast_.solve(forces_, {displacement_.data(), forces_.size()}, 3);
    const std::size_t m = rows_.rows();
    parallel_chunks(m, mixed_contact_row_grain, [&](std::size_t begin, std::size_t end) {
      volume_change(rows_, displacement_, begin, end, to);
      for (std::size_t r = begin; r < end; ++r) to[r] = length_ * (length_ * from[r] / rows_.weight[r] - to[r]);
    });
    std::fill(to.begin() + static_cast<std::ptrdiff_t>(m), to.end(), 0.0);
    contacts.add_displacements(displacement_, to.subspan(m));
  }

  // Guesses of 1 / sqrt(diagonal).
  std::vector<double> scales(const MixedContactSet& contacts) const {
    std::vector<double> scale(rows_.rows());
    // A sample's compliance to its own tension is below C^-1 plus that allowed by its shear, about 3 / (2 mu V) / 3.
    for (std::size_t r = 0; r < scale.size(); ++r) scale[r] = std::sqrt(rows_.weight[r] / 5) / length_;
    for (const double guess : contacts.compliance_guess(diagonal_)) scale.push_back(1 / std::sqrt(guess));
    return scale;
  }

  const VolumeRows& rows_;
  const ScalarCholesky &poisson_, &fast_;
  PoissonCompliance& compliance_;
  bool dense_ = false;  // displacements are found on the touched vertices only
  std::span<const double> diagonal_;
  double length_;
  std::vector<double> unknowns_;  // t / length of the samples, then f
  std::vector<double> tension_, forces_, displacement_;
};

// Search for a factored A: displacements d = A^-1 (residual + J^T f) with f alone unknown.
int search_factored(const BlockCholesky& factor, std::span<const double> diagonal, std::span<const double> residual,
                    MixedContactSet& contacts, double tolerance, int max_products, std::vector<double>& displacement) {
  std::vector<double> forces(residual.size());
  const LinearOperator product = [&](std::span<const double> from, std::span<double> to) {
    std::fill(forces.begin(), forces.end(), 0.0);
    contacts.add_forces(from, forces);
    factor.solve(forces, forces);
    std::fill(to.begin(), to.end(), 0.0);
    contacts.add_displacements(forces, to);
  };
  const auto displace = [&] {
    displacement.assign(residual.begin(), residual.end());
    contacts.add_forces(contacts.force, displacement);
    factor.solve(displacement, displacement);
  };
  displace();
  std::vector<double> gradient(contacts.size()), scale;
  for (std::size_t c = 0; c < contacts.size(); ++c) gradient[c] = contacts.gap(c);
  contacts.add_displacements(displacement, gradient);
  for (const double guess : contacts.compliance_guess(diagonal)) scale.push_back(1 / std::sqrt(guess));
  BoundedQuadraticOptions options;
  options.tolerance = tolerance;
  options.max_products = max_products;
  options.unbounded = contacts.sliding();
  const BoundedQuadraticResult result = minimize_bounded_quadratic(product, scale, contacts.force, gradient, options);
  if (!result.converged) no_forces_hold(contacts);
  displace();
  return result.products + 2;
}

}  // namespace

void MixedSolver::hold_out_poisson(const MixedLoad& load, double depth, const MixedContactOptions& options,
                                   MixedContactSet& set, std::vector<Vec3>& positions, MixedContacts& contacts) {
  Workspace& work = *workspace_;
  const std::vector<Vec3> alone = positions;
  if (work.volume.rows() > 0) turn_volume_rows(*body_, load.rotations, work.volume);
  const std::vector<double> stiffness = diagonal(work.poisson_matrix);
  const ScalarCholesky& fast = work.poisson ? work.poisson_factor : work.preconditioner;
  PoissonSearch search(work.volume, work.poisson_factor, fast, work.compliance, stiffness,
                       strain_length * largest_extent(body_->rest));
  // Planes are exact if the search ends at the displacement that they were computed at. While they change, the search
  // need not be more accurate than they are.
  const double least = search_share * depth;
  std::vector<double> planes_at(search.displacement().size(), 0.0);
  FixedPointAcceleration acceleration;
  for (;;) {
    const double tolerance = std::max(least, early_share * set.worst_gap());
    contacts.products += search.run(set, planes_at, tolerance, options.max_products);
    positions = moved(alone, body_->free, search.displacement());
    ++contacts.rounds;
    const double turned = set.find_planes(positions);
    const bool more = set.add_deeper_than(depth, positions) > 0;
    const bool out = !more && tolerance == least && set.worst_gap() <= depth;
    if (out && turned <= agreeing_normals) return;
    if (contacts.rounds >= options.max_rounds) {
      if (out) return;  // the residual says how far planes are from being right
      no_forces_hold(set);
    }
    if (more || turned > steady_normals) acceleration.restart();
    acceleration.propose(planes_at, search.displacement(), planes_at);
    set.find_planes(moved(alone, body_->free, planes_at));
  }
}

// Newton's method with planes and forces of the contacts recomputed in each step. While a step is shortened the forces
// are fixed, like loads; the step decreases the energy minus their work whether points are still inside or not.
void MixedSolver::hold_out_factored(const MixedLoad& load, double depth, const MixedContactOptions& options,
                                    MixedContactSet& set, std::vector<Vec3>& positions, MixedContacts& contacts) {
  Workspace& work = *workspace_;
  const MixedBody& body = *body_;
  const std::size_t free = body.free.vertex.size();
  std::vector<double> diagonal(free), pushes(3 * free);
  MixedLoad pushed = load;
  std::vector<Vec3> forces;
  for (bool more = false;; ++contacts.rounds) {
    std::vector<double> residual = left_over_forces(load, positions);
    std::fill(pushes.begin(), pushes.end(), 0.0);
    set.add_forces(set.force, pushes);
    double left = 0;
    for (std::size_t i = 0; i < pushes.size(); ++i) left += (residual[i] + pushes[i]) * (residual[i] + pushes[i]);
    const bool balanced = std::sqrt(left) <= balance * std::sqrt(dot(pushes, pushes));
    const bool out = contacts.rounds > 0 && !more && set.worst_gap() <= depth;
    if (out && balanced) return;
    if (contacts.rounds >= options.max_rounds) {
      if (out) return;  // the residual says what is left
      no_forces_hold(set);
    }

    if (contacts.rounds == 0 || !body.energy.quadratic) factor_condensed(load.rotations);
    for (std::size_t f = 0; f < free; ++f) {
      const int row = static_cast<int>(f);
      diagonal[f] = trace(work.matrix.block[static_cast<std::size_t>(find_block(work.matrix, row, row))]) / 3;
    }
    contacts.products +=
        search_factored(work.factor, diagonal, residual, set, search_share * depth, options.max_products, work.step);
    if (contacts.rounds == 0 || body.energy.quadratic) {
      positions = moved(positions, body.free, work.step);
    } else {
      set.add_forces(set.force, residual);
      forces.assign(load.forces.begin(), load.forces.end());
      forces.resize(body.rest.size());
      std::fill(pushes.begin(), pushes.end(), 0.0);
      set.add_forces(set.force, pushes);
      for (std::size_t f = 0; f < free; ++f)
        forces[static_cast<std::size_t>(body.free.vertex[f])] += {pushes[3 * f], pushes[3 * f + 1], pushes[3 * f + 2]};
      pushed.forces = forces;
      take_shortened_step(pushed, residual, work.step, positions);
    }
    set.find_planes(positions);
    more = set.add_deeper_than(depth, positions) > 0;
  }
}

MixedStatistics MixedSolver::solve(const MixedLoad& load, const SurfacePoints& surface, const Colliders& colliders,
                                   std::vector<Vec3>& positions, MixedContacts& contacts,
                                   const MixedContactOptions& options, std::span<const SlidingPoint> sliding) {
  if (!(options.depth > 0) || options.max_rounds < 1 || options.max_products < 1)
    throw usage_error("contact needs a positive depth and at least one round and product.");
  MixedContactSet set(*body_, surface, colliders, sliding);
  const MixedStatistics statistics = solve(load, positions);
  set.find_planes(positions);
  contacts = {};
  const double depth = options.depth * largest_extent(body_->rest);
  std::vector<double> left_over;
  if (set.add_deeper_than(depth, positions) > 0 || set.worst_gap() > depth) {
    Workspace& work = *workspace_;
    const bool pulls =
        std::any_of(work.volume.weight.begin(), work.volume.weight.end(), [](double c) { return c < 0; });
    if (work.preconditioned && work.volume_modulus && body_->energy.quadratic && !pulls)
      hold_out_poisson(load, depth, options, set, positions, contacts);
    else
      hold_out_factored(load, depth, options, set, positions, contacts);
    check_positions(positions);
    left_over = left_over_forces(load, positions);
  }
  set.report(set.force, positions, left_over, contacts);
  return statistics;
}

}  // namespace sinew
