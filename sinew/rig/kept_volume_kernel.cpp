// add_volumes() and move_along(), dispatched at run time.
#include "sinew/rig/kept_volume_kernel.h"

#include <algorithm>

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/rig/kept_volume_kernel.cpp"
#include <hwy/foreach_target.h>

#include "sinew/linalg/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::kept_volume_kernel {
namespace HWY_NAMESPACE {

using namespace sinew::lanes::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

using Real = Pack<double, 8>;
constexpr size_t group = VolumeGroups::group;

// Eight places, of which the first `here` exist: those beyond the last vertex are at the origin, in `room`.
const double* eight(const double* first, size_t here, double* room) {
  if (here >= group) return first;
  for (size_t k = 0; k < 3 * group; ++k) room[k] = k < 3 * here ? first[k] : 0;
  return room;
}

HWY_INLINE Vector3<Real> load(const double* from) {
  Vector3<Real> x;
  hn::LoadInterleaved3(Real::Tag(), from, x.x.v, x.y.v, x.z.v);
  return x;
}

#if HWY_MAX_BYTES >= 32
// Places of four points, one load each: gathers of single numbers take several times as long on some processors.
HWY_INLINE Vector3<Pack<double, 4>> four_places(const double* HWY_RESTRICT x, const int* HWY_RESTRICT at) {
  const hn::FixedTag<double, 4> tag;
  const auto place = [&](size_t k) HWY_ATTR { return hn::MaskedLoad(hn::FirstN(tag, 3), tag, x + 3 * at[k]); };
  const auto a = place(0), b = place(1), c = place(2), d = place(3);
  const auto xz_first = hn::InterleaveLower(tag, a, b), xz_last = hn::InterleaveLower(tag, c, d);
  return {hn::ConcatLowerLower(tag, xz_last, xz_first),
          hn::ConcatLowerLower(tag, hn::InterleaveUpper(tag, c, d), hn::InterleaveUpper(tag, a, b)),
          hn::ConcatUpperUpper(tag, xz_last, xz_first)};
}
#endif

// Places of as many points as fit a register.
HWY_INLINE Vector3<Real> places_of(const double* HWY_RESTRICT x, const int* HWY_RESTRICT at) {
#if HWY_MAX_BYTES == 32
  const auto places = four_places(x, at);
  return {places.x.v, places.y.v, places.z.v};
#elif HWY_MAX_BYTES > 32
  const auto first = four_places(x, at), last = four_places(x, at + 4);
  const Real::Tag tag;
  return {hn::Combine(tag, last.x.v, first.x.v), hn::Combine(tag, last.y.v, first.y.v),
          hn::Combine(tag, last.z.v, first.z.v)};
#else
  const Indices<Real> from = load_indices<Real>(at, 3);
  return {gather<Real>(x, from), gather<Real>(x + 1, from), gather<Real>(x + 2, from)};
#endif
}

// Six times the gradient.
HWY_INLINE Vector3<Real> around(const double* HWY_RESTRICT x, const int* HWY_RESTRICT ring, size_t stops,
                                const Vector3<Real>& place) {
  Vector3<Real> sum{Real::zero(), Real::zero(), Real::zero()}, from = sum;
  for (size_t k = 0; k < stops; ++k) {
    const Vector3<Real> to = places_of(x, ring + group * k) - place;
    sum = sum + cross(from, to);
    from = to;
  }
  return sum;
}

// A group's constraints, and eight shares of each.
struct Entries {
  const int* constraint;
  const double* share;
  size_t count;
};

Entries entries_of(const VolumeGroups& groups, size_t g) {
  const size_t start = static_cast<size_t>(groups.start[g]), end = static_cast<size_t>(groups.start[g + 1]);
  return {groups.constraint.data() + start, groups.share.data() + group * start, end - start};
}

// Sums of groups that take part in the same constraints, lane by lane: of volumes, then of their rates.
class Sums {
 public:
  Sums(VolumeSums& to, size_t most) : to_(to), lanes_(group * (most + most * (most + 1) / 2)) {}

  void begin(const Entries& on) {
    if (on.count == on_.count && std::equal(on.constraint, on.constraint + on.count, on_.constraint)) return;
    end();
    on_ = on;
  }
  double* of_volumes() { return lanes_.data(); }
  double* of_rates() { return lanes_.data() + group * on_.count; }

  void end() {
    const size_t constraints = to_.volume.size();
    double* from = lanes_.data();
    const auto next = [&] {
      double sum = 0;
      for (size_t lane = 0; lane < group; ++lane) sum += from[lane], from[lane] = 0;
      from += group;
      return sum;
    };
    for (size_t i = 0; i < on_.count; ++i) to_.volume[static_cast<size_t>(on_.constraint[i])] += next();
    for (size_t i = 0; i < on_.count; ++i)
      for (size_t j = i; j < on_.count; ++j)
        to_.rates[static_cast<size_t>(on_.constraint[i]) * constraints + static_cast<size_t>(on_.constraint[j])] +=
            next();
    on_ = {};
  }

 private:
  VolumeSums& to_;
  std::vector<double> lanes_;
  Entries on_{};
};

HWY_INLINE void add_lanes(const Entries& on, const char* whole, size_t lane, Real in_piece, Real in_part, Real rate,
                          double* HWY_RESTRICT volumes, double* HWY_RESTRICT rates) {
  const auto add = [](double* to, Real a, Real b) HWY_ATTR { mul_add(a, b, Real::load(to)).store(to); };
  for (size_t i = 0; i < on.count; ++i, volumes += group) {
    const Real share = Real::load(on.share + group * i + lane);
    add(volumes, share, whole[on.constraint[i]] ? in_piece : in_part);
    const Real weighted = rate * share;
    for (size_t j = i; j < on.count; ++j, rates += group) add(rates, weighted, Real::load(on.share + group * j + lane));
  }
}

void add(const VolumeGroups& groups, size_t begin, size_t end, const char* whole, const VolumePose& pose,
         VolumeSums& sums, double* gradient) {
  const size_t points = pose.positions.size();
  const double *x = &pose.positions.data()->x, *spine = &pose.spine.data()->x;
  const Vector3<Real> origin{Real(pose.origin.x), Real(pose.origin.y), Real(pose.origin.z)};
  size_t most = 0;
  for (size_t g = begin; g < end; ++g) most = std::max(most, entries_of(groups, g).count);
  Sums into(sums, most);
  for (size_t g = begin; g < end; ++g) {
    const Entries on = entries_of(groups, g);
    if (on.count == 0) continue;
    into.begin(on);
    const size_t here = std::min(points - group * g, group);
    double room[2][3 * group];
    const double *places = eight(x + 3 * group * g, here, room[0]),
                 *bones = eight(spine + 3 * group * g, here, room[1]);
    const size_t ring = static_cast<size_t>(groups.ring_start[g]);
    const size_t stops = static_cast<size_t>(groups.ring_start[g + 1]) - ring;
    for (size_t lane = 0; lane < group; lane += Real::lanes) {
      const Vector3<Real> place = load(places + 3 * lane);
      const Vector3<Real> slope = Real(1.0 / 6) * around(x, groups.ring.data() + group * ring + lane, stops, place);
      double* to = gradient + 3 * group * g + lane;
      slope.x.store(to), slope.y.store(to + group), slope.z.store(to + 2 * group);
      const Real rate = Real::load(groups.give.data() + group * g + lane) * dot(slope, slope);
      add_lanes(on, whole, lane, Real(1.0 / 3) * dot(place - origin, slope),
                Real(0.5) * dot(place - load(bones + 3 * lane), slope), rate, into.of_volumes() + lane,
                into.of_rates() + lane);
    }
  }
  into.end();
}

void move(const VolumeGroups& groups, size_t begin, size_t end, size_t points, const double* gradient,
          const double* asked, double* x) {
  for (size_t g = begin; g < end; ++g) {
    const Entries on = entries_of(groups, g);
    if (on.count == 0) continue;
    const size_t here = std::min(points - group * g, group);
    double room[3 * group];
    double* places = eight(x + 3 * group * g, here, room) == room ? room : x + 3 * group * g;
    for (size_t lane = 0; lane < group; lane += Real::lanes) {
      Real sum = Real::zero();
      for (size_t i = 0; i < on.count; ++i)
        sum = mul_add(Real::load(on.share + group * i + lane), Real(asked[on.constraint[i]]), sum);
      const double* slope = gradient + 3 * group * g + lane;
      const Vector3<Real> moved =
          (Real::load(groups.give.data() + group * g + lane) * sum) *
          Vector3<Real>{Real::load(slope), Real::load(slope + group), Real::load(slope + 2 * group)};
      const Real length = square_root(dot(moved, moved)), reach = Real::load(groups.reach.data() + group * g + lane);
      const Vector3<Real> to = mul_add(select(length > reach, reach / length, Real(1)), moved, load(places + 3 * lane));
      hn::StoreInterleaved3(to.x.v, to.y.v, to.z.v, Real::Tag(), places + 3 * lane);
    }
    for (size_t k = 0; here < group && k < 3 * here; ++k) x[3 * group * g + k] = room[k];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::kept_volume_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
namespace kept_volume_kernel {
HWY_EXPORT(add);
HWY_EXPORT(move);
}  // namespace kept_volume_kernel

void add_volumes(const VolumeGroups& groups, std::size_t begin, std::size_t end, std::span<const char> whole,
                 const VolumePose& pose, VolumeSums& sums, std::span<double> gradient) {
  using namespace kept_volume_kernel;
  HWY_DYNAMIC_DISPATCH(add)(groups, begin, end, whole.data(), pose, sums, gradient.data());
}

void move_along(const VolumeGroups& groups, std::size_t begin, std::size_t end, std::span<const double> gradient,
                std::span<const double> asked, std::span<Vec3> positions) {
  using namespace kept_volume_kernel;
  HWY_DYNAMIC_DISPATCH(move)
  (groups, begin, end, positions.size(), gradient.data(), asked.data(), &positions.data()->x);
}

}  // namespace sinew
#endif
