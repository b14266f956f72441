#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/rig/implicit/composed_field.h"

namespace sinew {
namespace {

constexpr double tolerance = 1e-3;     // of levels: a thousandth of a limb's radius
constexpr double step_share = 0.35;    // of Newton's step, so that no step passes through a thin part
constexpr double turned = 0.5736;      // cos 55 degrees, between gradients of two steps: other skin begins between them
constexpr int most_steps = 40;
constexpr double longest_step = 0.125;  // of the part's radius
constexpr double outside = 0.1;         // of levels, beyond a vertex's own skin: where other skin is looked for
constexpr int halvings = 10;           // of the step in which other skin begins
constexpr int relaxations = 2;
constexpr int diffusions = 3;          // of contact to the skin around it
constexpr std::size_t grain = 128;     // vertices


class Projection {
 public:
  Projection(const ImplicitSkin& skin, std::span<const Affine> bones, std::span<Vec3> positions)
      : skin_(skin), fields_(skin, bones), x_(positions), touches_(positions.size()), relax_(positions.size()) {}

  void run() {
    std::vector<char> off(x_.size());
    parallel_for(x_.size(), grain, [&](std::size_t v) { off[v] = lead(v) ? 1 : 0; });
    if (std::find(off.begin(), off.end(), 1) == off.end()) return;
    for (int k = 0; k < relaxations; ++k) {
      relax();
      lead_again();
    }
    smooth_contacts();
    lead_again();
  }

 private:
  // Moves a vertex to its level or to where it touches other skin. True if it was off its level. How far off says how much
  // it is relaxed (Vaillant et al. 2013, section 4.3).
  bool lead(std::size_t v) {
    relax_[v] = 0;
    if (skin_.strongest[v] < 0 || !is_finite(x_[v])) return false;
    ComposedValue now = fields_.all(v, x_[v]);
    const double off = std::abs(now.value - skin_.level[v]), farthest = farthest_step(v);
    if (off < tolerance) return false;
    relax_[v] = std::max(0.0, 1 - std::pow(off - 1, 4));
    for (int k = 0; k < most_steps; ++k) {
      if (now.value > skin_.level[v] + tolerance && faces_other_skin(v)) {
        to_the_middle(v);
        return true;
      }
      const double missing = skin_.level[v] - now.value, slope = norm(now.gradient);
      if (std::abs(missing) < tolerance || !(slope > 0)) return true;
      const double way = std::clamp(step_share * missing / slope, -farthest, farthest);
      const Vec3 next = x_[v] + way / slope * now.gradient;
      const ComposedValue there = fields_.all(v, next);
      if (there.top < 0) return true;  // out of reach of every field
      if (dot(now.gradient, there.gradient) < turned * slope * norm(there.gradient)) {
        if (there.top == skin_.strongest[v]) x_[v] = next;
        touches_[v] = 1;
        return true;
      }
      x_[v] = next;
      now = there;
    }
    return true;
  }

  // Whether other skin begins where a vertex's own ends: outwards from it, its own field falls below its level while that
  // of other skin is above.
  bool faces_other_skin(std::size_t v) const {
    Vec3 x = x_[v];
    FieldValue own;
    for (int k = 0; k < most_steps; ++k) {
      if (!fields_.part(skin_.strongest[v], x, own) || !(norm(own.gradient) > 0)) return false;
      if (own.value <= skin_.level[v] - outside) break;
      x -= farthest_step(v) * normalized(own.gradient);
    }
    return fields_.others(v, x).value > skin_.level[v];
  }

  // Along the gradient of its own field to where a vertex is as deep in its own skin as in other skin, on its own side, or
  // at its own level where that comes first.
  void to_the_middle(std::size_t v) {
    touches_[v] = 1;
    const auto in_own = [&](const Vec3& x, FieldValue& own) {
      return fields_.part(skin_.strongest[v], x, own) && own.value >= fields_.others(v, x).value;
    };
    FieldValue own;
    const bool outwards = in_own(x_[v], own);
    Vec3 before = x_[v];
    for (int k = 0; k < most_steps && norm(own.gradient) > 0; ++k) {
      if (outwards && own.value <= skin_.level[v]) return;
      before = x_[v];
      x_[v] += (outwards ? -0.5 : 0.5) * farthest_step(v) * normalized(own.gradient);
      if (in_own(x_[v], own) != outwards) break;
    }
    Vec3 inside = outwards ? before : x_[v], beyond = outwards ? x_[v] : before;
    for (int k = 0; k < halvings; ++k) {
      const Vec3 middle = 0.5 * (inside + beyond);
      (in_own(middle, own) ? inside : beyond) = middle;
    }
    x_[v] = inside;
  }

  double farthest_step(std::size_t v) const { return longest_step * skin_.parts[index(skin_.strongest[v])].radius; }

  // Vertices slide in their tangent planes to where they were among their neighbours.
  void relax() {
    const std::vector<Vec3> old(x_.begin(), x_.end());
    parallel_for(x_.size(), grain, [&](std::size_t v) {
      if (!(relax_[v] > 0)) return;
      const Vec3 normal = normalized(fields_.own(v, old[v]).gradient);
      Vec3 among;
      double sum = 0;
      for (std::size_t k = index(skin_.ring_start[v]); k < index(skin_.ring_start[v + 1]); ++k) {
        const Vec3 to = old[index(skin_.ring[k])] - old[v];
        among += skin_.ring_share[k] * (to - dot(to, normal) * normal);
        sum += skin_.ring_share[k];
      }
      if (sum > 0) x_[v] = old[v] + relax_[v] * among;
    });
  }

  void lead_again() {
    parallel_for(x_.size(), grain, [&](std::size_t v) { lead(v); });
  }

  // Where skin touches it ends sharply: it is smoothed there, and less and less around.
  void smooth_contacts() {
    if (std::find(touches_.begin(), touches_.end(), 1) == touches_.end()) return;
    std::vector<double> share(touches_.begin(), touches_.end());
    for (int k = 0; k < diffusions; ++k) {
      const std::vector<double> old = share;
      parallel_for(x_.size(), grain, [&](std::size_t v) {
        if (const auto [sum, count] = around(v, old); count > 0) share[v] = 0.5 * (old[v] + sum / count);
      });
    }
    const std::vector<Vec3> old(x_.begin(), x_.end());
    parallel_for(x_.size(), grain, [&](std::size_t v) {
      if (!(share[v] > 0)) return;
      if (const auto [sum, count] = around(v, old); count > 0) x_[v] += share[v] * (sum / count - old[v]);
    });
  }

  template <class Value>
  std::pair<Value, double> around(std::size_t v, const std::vector<Value>& of) const {
    Value sum{};
    for (std::size_t k = index(skin_.ring_start[v]); k < index(skin_.ring_start[v + 1]); ++k) sum += of[index(skin_.ring[k])];
    return {sum, static_cast<double>(skin_.ring_start[v + 1] - skin_.ring_start[v])};
  }

  const ImplicitSkin& skin_;
  const PosedFields fields_;
  std::span<Vec3> x_;
  std::vector<char> touches_;  // per vertex: it touched other skin
  std::vector<double> relax_;  // per vertex: mu of the tangential relaxation
};

}  // namespace

void project_skin(const ImplicitSkin& skin, std::span<const Affine> bones, std::span<Vec3> positions) {
  Projection(skin, bones, positions).run();
}

}  // namespace sinew
