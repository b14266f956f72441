#include "sinew/contact/balls_in_contact.h"

#include "sinew/base/threads/scratch.h"

namespace sinew {
namespace {

constexpr double towards_ball = -1;  // normals point from the ball to the flesh

}  // namespace

void BallsInContact::begin(std::span<const FallingBall> balls, std::size_t obstacles, double response) {
  balls_.assign(balls.begin(), balls.end());
  pushes_.assign(balls.size(), {});
  if (empty()) return;
  response_ = response;
  inverse_mass_.assign(obstacles, 0.0);
  displacement_.assign(obstacles, {});
  velocity_.assign(obstacles, {});
  for (const FallingBall& ball : balls) {
    inverse_mass_[ball.collider] = 1 / ball.mass;
    velocity_[ball.collider] = ball.velocity;
  }
}

void BallsInContact::take_forces(const ContactSet& contacts, std::span<const double> force) {
  if (empty()) return;
  for (const FallingBall& ball : balls_) displacement_[ball.collider] = {};
  for (std::size_t c = 0; c < force.size(); ++c)
    if (const std::size_t o = contacts[c].obstacle; is_ball(o))
      displacement_[o] += towards_ball * response_ * inverse_mass_[o] * force[c] * contacts[c].normal;
  for (std::size_t b = 0; b < balls_.size(); ++b) pushes_[b].displacement = displacement_[balls_[b].collider];
}

void BallsInContact::add_compliance(const ContactSet& contacts, std::span<const double> force, double factor,
                                    std::span<double> along_normals) const {
  if (empty()) return;
  ScratchVector<Vec3> sum(inverse_mass_.size());
  for (std::size_t c = 0; c < force.size(); ++c) sum[contacts[c].obstacle] += force[c] * contacts[c].normal;
  for (std::size_t c = 0; c < along_normals.size(); ++c) {
    const std::size_t o = contacts[c].obstacle;
    along_normals[c] += factor * response_ * inverse_mass_[o] * dot(contacts[c].normal, sum[o]);
  }
}

void BallsInContact::add_to_matrix(const ContactSet& contacts, double factor, std::span<double> matrix) const {
  if (empty()) return;
  const std::size_t n = contacts.size();
  for (std::size_t c = 0; c < n; ++c) {
    const std::size_t o = contacts[c].obstacle;
    if (!is_ball(o)) continue;
    for (std::size_t d = 0; d < n; ++d)
      if (contacts[d].obstacle == o)
        matrix[c * n + d] += factor * response_ * inverse_mass_[o] * dot(contacts[c].normal, contacts[d].normal);
  }
}

void BallsInContact::take_impulses(const ContactSet& contacts, std::span<const std::size_t> which,
                                   std::span<const double> impulse) {
  if (empty()) return;
  ScratchVector<Vec3> sum(inverse_mass_.size());
  for (std::size_t i = 0; i < which.size(); ++i)
    sum[contacts[which[i]].obstacle] += towards_ball * impulse[i] * contacts[which[i]].normal;
  for (std::size_t b = 0; b < balls_.size(); ++b) {
    const std::size_t o = balls_[b].collider;
    pushes_[b].impulse = sum[o];
    velocity_[o] = balls_[b].velocity + inverse_mass_[o] * sum[o];
  }
}

void BallsInContact::add_mobility(const ContactSet& contacts, std::span<const std::size_t> which,
                                  std::span<const double> impulse, std::span<double> along_normals) const {
  if (empty()) return;
  ScratchVector<Vec3> sum(inverse_mass_.size());
  for (std::size_t i = 0; i < which.size(); ++i)
    sum[contacts[which[i]].obstacle] += impulse[i] * contacts[which[i]].normal;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const Contact& contact = contacts[which[i]];
    along_normals[i] += inverse_mass_[contact.obstacle] * dot(contact.normal, sum[contact.obstacle]);
  }
}

}  // namespace sinew
