// Elasticity with one rotation per cell.
#include <array>
#include <cmath>
#include <utility>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/lattice/cells/cell_products.h"
#include "sinew/deform/lattice/cells/lattice_elasticity.h"

namespace sinew {
namespace {

constexpr std::size_t cell_elasticity_cell_grain = 16, unknown_grain = 1024;

class CellElasticity final : public LatticeElasticity {
 public:
  CellElasticity(const LatticeBody& body, CellFrames frames) : body_(body), frames_(frames) {
    const LatticeDescription& d = body.description;
    const std::vector<Activity> all(d.role.size(), Activity::solved);
    const ActiveFunctions functions = active_functions(d.role, all);
    function_of_slot_ = functions.function;
    all_system_ = cell_products(d.cells, functions.slot, body.step_factors());
    all_stiffness_ = cell_products(d.cells, functions.slot, std::array{CellFactors{0, 1, 0}});
    frame_.resize(d.cells.cells());
    pose_frame_.resize(d.cells.cells());
    translation_.resize(d.cells.cells());
    scale_.assign(d.cells.cells(), 1.0);
    for (std::vector<Row<float>>* per_entry : {&local_, &force_}) per_entry->resize(all_system_.entries());
  }

  void activate(const ActiveFunctions& active) override {
    active_ = &active;
    std::vector<int> active_slot(function_of_slot_.size());
    for (std::size_t s = 0; s < active_slot.size(); ++s)
      active_slot[s] = active.slot[static_cast<std::size_t>(function_of_slot_[s])];
    restrict_products(all_system_, active_slot, system_);
    restrict_products(all_stiffness_, active_slot, stiffness_);
    entries_ = entries_of_slots(system_, static_cast<int>(active.slots()));
    rows_.assign(active.slots(), {});
  }

  void set_pose(const LatticePose& pose, std::span<const Vec3> position) override {
    const LatticeDescription& d = body_.description;
    pose_ = &pose;
    if (frames_ == CellFrames::floating) {
      floating_ = mean_rotation(pose);
      follow_rotation(position);
    }
    const Vec3 mean = frames_ == CellFrames::predicted ? Vec3{} : mean_translation(position);
    for (std::size_t c = 0; c < frame_.size(); ++c) {
      switch (frames_) {
        case CellFrames::predicted:
          pose_frame_[c] = pose.cells.rotation[c];
          translation_[c] = pose.translation(d, c);
          scale_[c] = pose.cell_scale[c];
          break;
        case CellFrames::rest:
          pose_frame_[c] = Mat3::identity();
          translation_[c] = mean;
          break;
        case CellFrames::floating:
          pose_frame_[c] = floating_;
          translation_[c] = mean;
          break;
      }
      frame_[c] = cell_frame(pose_frame_[c]);
    }
  }

  void subtract_force(double factor, std::span<const Vec3> position, std::span<const Vec3> addition,
                      std::span<double> residual) override {
    strain(position, addition);
    parallel_chunks(stiffness_.cells(), cell_elasticity_cell_grain, [&](std::size_t begin, std::size_t end) {
      multiply_cells(stiffness_, frame_, true, local_, begin, end, force_);
    });
    for_each_unknown_sum([&](std::size_t u, const Vec3& sum) {
      for (std::size_t k = 0; k < 3; ++k) residual[3 * u + k] -= factor * sum[k];
    });
  }

  void apply_system(std::span<const double> from, std::span<double> to) override { apply(system_, from, to); }
  void apply_stiffness(std::span<const double> from, std::span<double> to) override { apply(stiffness_, from, to); }

  bool symmetric() const override { return true; }

  double energy(std::span<const Vec3> position) override {
    const std::vector<Vec3> nothing(position.size());
    strain(position, nothing);
    const std::vector<CellFrame> unturned(frame_.size(), cell_frame(Mat3::identity()));
    multiply_cells(stiffness_, unturned, true, local_, 0, stiffness_.cells(), force_);
    double sum = 0;
    for (std::size_t c = 0; c < stiffness_.cells(); ++c)
      for (int e = stiffness_.first[c]; e < stiffness_.first[c] + stiffness_.count[c]; ++e) {
        const Row<float>&x = local_[static_cast<std::size_t>(e)], &z = force_[static_cast<std::size_t>(e)];
        sum += 0.5 * (double(x.x) * double(z.x) + double(x.y) * double(z.y) + double(x.z) * double(z.z));
      }
    return sum;
  }

 private:
  // Mean translation of the coarsest functions in the common frame of all cells. Subtracting it does not change elastic
  // forces, but keeps single precision accurate.
  Vec3 mean_translation(std::span<const Vec3> position) const {
    const auto coarse = static_cast<std::size_t>(body_.description.coarse_functions);
    Vec3 sum;
    for (std::size_t f = 0; f < coarse; ++f) sum += position[f] - floating_ * body_.description.rest[f];
    return sum / static_cast<double>(coarse);
  }

  // Vector that each cell's stiffness is applied to, in its frame: R^T (p - g + w) under the rig reference, R^T (p - c
  // + w) - s r under the elastic one, where x -> s R x + c is the motion of the cell's frame. Differences are taken
  // before rounding to single precision.
  void strain(std::span<const Vec3> position, std::span<const Vec3> addition) {
    const LatticeDescription& d = body_.description;
    const bool rig = body_.reference == LatticeReference::rig;
    parallel_for(stiffness_.cells(), cell_elasticity_cell_grain, [&](std::size_t c) {
      const Mat3& rotation = pose_frame_[c];
      const double damping = d.cell_damping.empty() ? 1.0 : d.cell_damping[c];
      const auto first = static_cast<std::size_t>(stiffness_.first[c]);
      for (std::size_t e = first; e < first + static_cast<std::size_t>(stiffness_.count[c]); ++e) {
        const auto f = static_cast<std::size_t>(active_->function[static_cast<std::size_t>(stiffness_.slot[e])]);
        Vec3 x = position[f] + damping * addition[f];
        if (rig)
          x = transpose_times(rotation, x - pose_->functions.goal[f]);
        else if (f < static_cast<std::size_t>(d.coarse_functions))
          x = transpose_times(rotation, x - translation_[c]) - scale_[c] * d.rest[f];
        else
          x = transpose_times(rotation, x);
        local_[e] = {static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z), 0};
      }
    });
  }

  // Sums of force_ at each unknown, entries in ascending order.
  template <class Visit>
  void for_each_unknown_sum(const Visit& visit) const {
    parallel_for(active_->unknowns(), unknown_grain, [&](std::size_t u) {
      const auto s = static_cast<std::size_t>(active_->unknown_slot[u]);
      Vec3 sum;
      for (auto k = static_cast<std::size_t>(entries_.start[s]); k < static_cast<std::size_t>(entries_.start[s + 1]);
           ++k) {
        const Row<float>& z = force_[static_cast<std::size_t>(entries_.entry[k])];
        sum += Vec3{double(z.x), double(z.y), double(z.z)};
      }
      visit(u, sum);
    });
  }

  void apply(const CellProducts& products, std::span<const double> from, std::span<double> to) {
    for (std::size_t u = 0; u < active_->unknowns(); ++u)
      rows_[static_cast<std::size_t>(active_->unknown_slot[u])] = {
          static_cast<float>(from[3 * u]), static_cast<float>(from[3 * u + 1]), static_cast<float>(from[3 * u + 2]), 0};
    parallel_chunks(products.cells(), cell_elasticity_cell_grain, [&](std::size_t begin, std::size_t end) {
      multiply_cells(products, frame_, false, rows_, begin, end, force_);
    });
    for_each_unknown_sum([&](std::size_t u, const Vec3& sum) {
      for (std::size_t k = 0; k < 3; ++k) to[3 * u + k] = sum[k];
    });
  }

  // Predicted frames of the cells, in which the search for the floating frame starts, so that the result does not
  // depend on earlier steps, and bodies turned by half a turn, whose displacement has no curl, are found as well.
  Mat3 mean_rotation(const LatticePose& pose) const {
    Quat sum{0, 0, 0, 0};
    for (std::size_t c = 0; c < pose.cells.orientation.size(); ++c) {
      const Quat& q = pose.cells.orientation[c];
      const double share = std::copysign(body_.description.cell_volume[c], dot(q, pose.cells.orientation[0]));
      sum.x += share * q.x;
      sum.y += share * q.y;
      sum.z += share * q.z;
      sum.w += share * q.w;
    }
    return dot(sum, sum) > 0 ? to_matrix(normalized(sum)) : Mat3::identity();
  }

  // R^{k+1} = R^k Delta R (section 4.3): the remaining rotation of the displacement d = R^T p - x is half its curl
  // (appendix C), the skew part of the mean deformation gradient of the flesh. This is exact for small rotations; for
  // large ones it is iterated until they are small.
  void follow_rotation(std::span<const Vec3> position) {
    const LatticeDescription& d = body_.description;
    Mat3 gradient = Mat3::zero();
    double volume = 0;
    for (std::size_t c = 0; c < d.cells.cells(); ++c) {
      volume += d.cell_volume[c];
      for (auto e = static_cast<std::size_t>(d.cells.start[c]); e < static_cast<std::size_t>(d.cells.start[c + 1]); ++e)
        gradient +=
            d.cell_volume[c] * outer(position[static_cast<std::size_t>(d.cells.function[e])], d.cell_gradient[e]);
    }
    if (!(volume > 0)) return;
    constexpr int most_rounds = 20;
    constexpr double small = 1e-12;
    for (int round = 0; round < most_rounds; ++round) {
      const Mat3 f = transpose(floating_) * gradient;
      const Vec3 half_curl = (0.5 / volume) * Vec3{f(2, 1) - f(1, 2), f(0, 2) - f(2, 0), f(1, 0) - f(0, 1)};
      const double angle = norm(half_curl);
      if (!(angle > small)) break;
      floating_ = floating_ * to_matrix(axis_angle(half_curl / angle, std::fmin(angle, 1.0)));
    }
  }

  const LatticeBody& body_;
  CellFrames frames_;
  std::vector<int> function_of_slot_;  // of all functions
  CellProducts all_system_, all_stiffness_, system_, stiffness_;
  SlotEntries entries_;
  const ActiveFunctions* active_ = nullptr;
  const LatticePose* pose_ = nullptr;
  Mat3 floating_;
  std::vector<Mat3> pose_frame_;           // per cell
  std::vector<CellFrame> frame_;           // per cell, the same
  std::vector<Vec3> translation_;          // per cell
  std::vector<double> scale_;              // per cell
  std::vector<Row<float>> local_, force_;  // per entry
  std::vector<Row<float>> rows_;           // per slot; zero where not an unknown
};

}  // namespace

std::unique_ptr<LatticeElasticity> cell_elasticity(const LatticeBody& body, CellFrames frames) {
  return std::make_unique<CellElasticity>(body, frames);
}

}  // namespace sinew
