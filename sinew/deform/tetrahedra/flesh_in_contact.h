// Adapter of a step of flesh in tetrahedra for the search for contacts. Included by flesh_response.cpp alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "sinew/base/threads/parallel.h"
#include "sinew/base/threads/scratch.h"
#include "sinew/deform/tetrahedra/flesh_response.h"
#include "sinew/linalg/dense_matrix.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace in_contact {

inline constexpr Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// y = A x, A dense and row-major.
inline void multiply_dense(std::span<const double> a, std::span<const double> x, std::span<double> y) {
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

}  // namespace in_contact

// The rest factor guides it, over the vertices that contacts and held
// points involve. A vertex that all contacts push in one direction has one unknown, any other three.
class FleshResponse::InContact final : public ContactedBody {
 public:
  InContact(FleshResponse& response, const FleshMoment& moment, const LinearOperator& solve, bool holds,
            std::span<double> displacement)
      : r_(response), moment_(moment), solve_(solve), holds_(holds), displacement_(displacement) {}

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
    r_.factor_.compliance->between(all, *r_.factor_.factor, matrix_);
    held_rows_ = 0;
    if (!r_.held_.empty()) find_held();
    spread_.assign(directions_.size(), 0.0);
    moved_.assign(directions_.size(), 0.0);
  }

  void apply_compliance(std::span<const double> force, std::span<double> along_normals) override {
    std::fill(spread_.begin(), spread_.end(), 0.0);
    for (std::size_t c = 0; c < force.size(); ++c)
      for (std::size_t k = start_[c]; k < start_[c + 1]; ++k)
        spread_[corner_[k].direction] += corner_[k].share * force[c];
    in_contact::multiply_dense(matrix_, spread_, moved_);
    for (std::size_t c = 0; c < along_normals.size(); ++c) {
      along_normals[c] = 0;
      for (std::size_t k = start_[c]; k < start_[c + 1]; ++k)
        along_normals[c] += corner_[k].share * moved_[corner_[k].direction];
    }
    if (held_rows_ == 0) return;
    ScratchVector<double> along_held(held_rows_, 0.0);
    for (std::size_t c = 0; c < force.size(); ++c) add_scaled(force[c], held_of(c), along_held);
    for (std::size_t c = 0; c < force.size(); ++c) along_normals[c] -= dot(held_of(c), along_held);
  }

  ScratchVector<double> compliance_matrix() override {
    const std::size_t contacts = contacts_->size(), n = directions_.size();
    // `half` is summed over the corners on one side, the result over those on the other.
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
    if (held_rows_ == 0) return result;
    ScratchVector<double> taken(contacts * contacts);
    transposed_square({held_, held_rows_, contacts}, taken);
    add_scaled(-1, taken, result);
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
      if (held_rows_ > 0) own -= dot(held_of(c), held_of(c));
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
    if (holds_) r_.hold_points(moment_, solve_, displacement_);
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
        for (const Vec3& axis : in_contact::axes) directions_.push_back({static_cast<int>(vertex), axis});
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

  // Held points do not move, which takes G^T G off the compliance (HeldCompliance): finds the columns of G, those of
  // vertices combined to one per contact.
  void find_held() {
    held_rows_ = 3 * r_.held_.rows().rows();
    if (held_rows_ == 0) return;
    ScratchVector<int> vertices;  // ascending
    for (const Direction& d : directions_)
      if (vertices.empty() || vertices.back() != d.vertex) vertices.push_back(d.vertex);
    r_.held_compliance_.prepare(vertices);
    held_.assign(contacts_->size() * held_rows_, 0.0);
    parallel_for(contacts_->size(), 8, [&](std::size_t c) {
      const Contact& contact = (*contacts_)[c];
      for (const PointEntry& entry : contact.entries) {
        const std::span<const double> own = r_.held_compliance_.columns_of(static_cast<int>(entry.unknown));
        for (std::size_t k = 0; k < 3; ++k)
          for (std::size_t q = 0; q < held_rows_; ++q)
            held_[c * held_rows_ + q] += entry.weight * contact.normal[k] * own[k * held_rows_ + q];
      }
    });
  }
  std::span<const double> held_of(std::size_t contact) const {
    return std::span(held_).subspan(contact * held_rows_, held_rows_);
  }

  FleshResponse& r_;
  const FleshMoment& moment_;
  const LinearOperator& solve_;
  bool holds_;  // held points return to their targets after each response
  std::span<double> displacement_;
  ScratchVector<Direction> directions_;
  ScratchVector<Corner> corner_;      // of the contacts, one after the other
  ScratchVector<std::size_t> start_;  // contact -> its first corner
  ScratchVector<double> matrix_, spread_, moved_;
  // Columns of G, one per contact; held_rows_ numbers each, 0 where nothing is held.
  ScratchVector<double> held_;
  std::size_t held_rows_ = 0;
};

}  // namespace sinew
