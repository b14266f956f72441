// add_volumes(), move_along() and add_pieces(), dispatched at run time.
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
  const auto place = [&](size_t k) HWY_ATTR { return hn::MaskedLoad(hn::FirstN(tag, 3), tag, x + at[k]); };
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
  const Indices<Real> from = load_indices<Real>(at);
  return {gather<Real>(x, from), gather<Real>(x + 1, from), gather<Real>(x + 2, from)};
#endif
}

// Six times the gradient: two edges of a walk at a time, which share a stop.
HWY_INLINE Vector3<Real> around(const double* HWY_RESTRICT x, const int* HWY_RESTRICT ring, size_t stops,
                                const Vector3<Real>& place) {
  Vector3<Real> sum{Real::zero(), Real::zero(), Real::zero()};
  if (stops == 0) return sum;
  const Vector3<Real> last = places_of(x, ring + group * (stops - 1));
  Vector3<Real> before = last;
  for (size_t k = 0; k + 2 < stops; k += 2) {
    const Vector3<Real> after = places_of(x, ring + group * (k + 1));
    sum = sum + cross(places_of(x, ring + group * k) - place, after - before);
    before = after;
  }
  return sum + cross(places_of(x, ring + group * (stops - 2)) - place, last - before);
}

// A group's constraints, and eight shares of each.
struct Entries {
  const int* constraint;
  const double* share;
  size_t count;
};

HWY_INLINE Entries entries_of(const VolumeGroups& groups, size_t g) {
  const size_t start = static_cast<size_t>(groups.start[g]), end = static_cast<size_t>(groups.start[g + 1]);
  return {groups.constraint.data() + start, groups.share.data() + group * start, end - start};
}

bool same_constraints(const Entries& a, const Entries& b) {
  size_t same = a.count == b.count ? 0 : a.count + 1;
  while (same < a.count && a.constraint[same] == b.constraint[same]) ++same;
  return same == a.count;
}

// Sums of groups that take part in the same constraints, lane by lane: of volumes, then of their rates.
class Sums {
 public:
  Sums(VolumeSums& to, size_t most) : to_(to), lanes_(group * (most + most * (most + 1) / 2)) {}

  void begin(const Entries& on) {
    if (same_constraints(on, on_)) return;
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

// A few groups with the same constraints, and what they would add if all of their shares were 1.
struct Run {
  static constexpr size_t most = 4;
  size_t count = 0;
  double in_piece[most][group], in_part[most][group], rate[most][group];
};

// Adds the groups of a run, whose entries follow each other.
HWY_INLINE void add_run(const Run& run, const Entries& on, const char* whole, double* volumes, double* rates) {
  for (size_t lane = 0; lane < group; lane += Real::lanes) {
    double *volume = volumes + lane, *rate = rates + lane;
    for (size_t i = 0; i < on.count; ++i, volume += group) {
      const auto share = [&](size_t k, size_t c)
                             HWY_ATTR { return Real::load(on.share + group * (on.count * k + c) + lane); };
      const double* inside = whole[on.constraint[i]] ? run.in_piece[0] : run.in_part[0];
      Real weighted[Run::most], sum = Real::load(volume);
      for (size_t k = 0; k < Run::most; ++k) {
        if (k >= run.count) break;
        const Real own = share(k, i);
        weighted[k] = Real::load(run.rate[k] + lane) * own;
        sum = mul_add(own, Real::load(inside + group * k + lane), sum);
      }
      sum.store(volume);
      for (size_t j = i; j < on.count; ++j, rate += group) {
        Real with = Real::load(rate);
        for (size_t k = 0; k < Run::most; ++k) {
          if (k >= run.count) break;
          with = mul_add(weighted[k], share(k, j), with);
        }
        with.store(rate);
      }
    }
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
  Run run;
  for (size_t g = begin; g < end; ++g) {
    const Entries on = entries_of(groups, g);
    if (on.count == 0) continue;
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
      (Real(1.0 / 3) * dot(place - origin, slope)).store(run.in_piece[run.count] + lane);
      (Real(0.5) * dot(place - load(bones + 3 * lane), slope)).store(run.in_part[run.count] + lane);
      (Real::load(groups.give.data() + group * g + lane) * dot(slope, slope)).store(run.rate[run.count] + lane);
    }
    ++run.count;
    if (run.count < Run::most && g + 1 < end && same_constraints(on, entries_of(groups, g + 1))) continue;
    Entries first = on;
    first.share -= group * on.count * (run.count - 1);
    into.begin(first);
    add_run(run, first, whole, into.of_volumes(), into.of_rates());
    run.count = 0;
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
        if (const double by = asked[on.constraint[i]]; by != 0)
          sum = mul_add(Real::load(on.share + group * i + lane), Real(by), sum);
      const double* slope = gradient + 3 * group * g + lane;
      const Vector3<Real> moved =
          (Real::load(groups.give.data() + group * g + lane) * sum) *
          Vector3<Real>{Real::load(slope), Real::load(slope + group), Real::load(slope + 2 * group)};
      const Real square = dot(moved, moved), reach = Real::load(groups.reach.data() + group * g + lane);
      const auto far = square > reach * reach;
      Vector3<Real> place = load(places + 3 * lane);
      place =
          none(far, square) ? moved + place : mul_add(select(far, reach / square_root(square), Real(1)), moved, place);
      hn::StoreInterleaved3(place.x.v, place.y.v, place.z.v, Real::Tag(), places + 3 * lane);
    }
    for (size_t k = 0; here < group && k < 3 * here; ++k) x[3 * group * g + k] = room[k];
  }
}

// The sums of one constraint over consecutive groups, lane by lane.
struct PieceLanes {
  int constraint;  // -1: none
  Real volume, rate;
};

// Adds them to `sums`, and begins those of another constraint.
HWY_INLINE void change(PieceLanes& lanes, int constraint, double* sums) {
  if (lanes.constraint >= 0) {
    sums[2 * lanes.constraint] += sum(lanes.volume);
    sums[2 * lanes.constraint + 1] += sum(lanes.rate);
  }
  lanes = {constraint, Real::zero(), Real::zero()};
}

void add_piece(const VolumeGroups& groups, size_t begin, size_t end, const char* whole, const VolumePose& pose,
               const double* gradient, double* sums) {
  const double* x = &pose.positions.data()->x;
  const Vector3<Real> origin{Real(pose.origin.x), Real(pose.origin.y), Real(pose.origin.z)};
  PieceLanes lanes{-1, Real::zero(), Real::zero()};
  for (size_t g = begin; g < end; ++g) {
    const Entries on = entries_of(groups, g);
    if (on.count == 0) continue;
    double room[3 * group];
    const double* places = eight(x + 3 * group * g, std::min(pose.positions.size() - group * g, group), room);
    const size_t ring = static_cast<size_t>(groups.ring_start[g]);
    const size_t stops = static_cast<size_t>(groups.ring_start[g + 1]) - ring;
    for (size_t lane = 0; lane < group; lane += Real::lanes) {
      const Vector3<Real> place = load(places + 3 * lane);
      const Vector3<Real> slope = Real(1.0 / 6) * around(x, groups.ring.data() + group * ring + lane, stops, place);
      const double* before = gradient + 3 * group * g + lane;
      const Real volume = Real(1.0 / 3) * dot(place - origin, slope);
      const Real rate =
          Real::load(groups.give.data() + group * g + lane) *
          dot(slope, Vector3<Real>{Real::load(before), Real::load(before + group), Real::load(before + 2 * group)});
      for (size_t i = 0; i < on.count; ++i) {
        if (!whole[on.constraint[i]]) continue;
        if (on.constraint[i] != lanes.constraint) change(lanes, on.constraint[i], sums);
        const Real share = Real::load(on.share + group * i + lane);
        lanes.volume = mul_add(share, volume, lanes.volume);
        lanes.rate = mul_add(share, rate, lanes.rate);
      }
    }
  }
  change(lanes, -1, sums);
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::kept_volume_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
namespace kept_volume_kernel {
HWY_EXPORT(add);
HWY_EXPORT(move);
HWY_EXPORT(add_piece);
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

void add_pieces(const VolumeGroups& groups, std::size_t begin, std::size_t end, std::span<const char> whole,
                const VolumePose& pose, std::span<const double> gradient, std::span<double> sums) {
  using namespace kept_volume_kernel;
  HWY_DYNAMIC_DISPATCH(add_piece)(groups, begin, end, whole.data(), pose, gradient.data(), sums.data());
}

}  // namespace sinew
#endif
