#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <mutex>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/dynamics/mujoco_model.h"
#include "sinew/dynamics/rigid_body_engine.h"

namespace sinew {
namespace {

// Left alone, the library ends the program where it fails, and writes warnings to a file in the working folder.
void throw_engine_error(const char* message) {
  throw simulation_error(std::string("The engine for rigid bodies failed: ") + message + ".");
}
void no_warning(const char*) {}
void set_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    mju_user_error = throw_engine_error;
    mju_user_warning = no_warning;
  });
}

struct DeleteModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct DeleteData {
  void operator()(mjData* data) const { mj_deleteData(data); }
};

// A file system in memory with one file, for the reader of models.
class ModelFile {
 public:
  explicit ModelFile(const std::string& text) : files_(std::make_unique<mjVFS>()) {
    mj_defaultVFS(files_.get());
    if (mj_makeEmptyFileVFS(files_.get(), name, static_cast<int>(text.size())) != 0)
      throw simulation_error("The engine for rigid bodies has no room for a model of " + std::to_string(text.size()) +
                             " bytes.");
    std::memcpy(files_->filedata[mj_findFileVFS(files_.get(), name)], text.data(), text.size());
  }
  ~ModelFile() { mj_deleteVFS(files_.get()); }
  ModelFile(const ModelFile&) = delete;
  ModelFile& operator=(const ModelFile&) = delete;

  mjModel* load() const {
    std::array<char, 500> reason{};
    mjModel* model = mj_loadXML(name, files_.get(), reason.data(), static_cast<int>(reason.size()));
    if (model == nullptr)
      throw simulation_error(std::string("The engine for rigid bodies refuses the body: ") + reason.data());
    return model;
  }

 private:
  static constexpr const char* name = "body.xml";
  std::unique_ptr<mjVFS> files_;
};

void put(const Vec3& v, mjtNum* to) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}
// MuJoCo's quaternions begin with w.
void put(const Quat& q, mjtNum* to) {
  to[0] = q.w;
  to[1] = q.x;
  to[2] = q.y;
  to[3] = q.z;
}
Vec3 vector_at(const mjtNum* from) { return {from[0], from[1], from[2]}; }
Quat quaternion_at(const mjtNum* from) { return {from[1], from[2], from[3], from[0]}; }

}  // namespace

struct RigidBodyEngine::Implementation {
  const ArticulatedBody* body;
  bool held, planar;
  std::size_t links;
  std::unique_ptr<mjModel, DeleteModel> model;
  std::unique_ptr<mjData, DeleteData> data;
  BodyState state;
  PlacedJoints placed;

  // Where a link's numbers begin.
  std::size_t position_of(std::size_t link) const { return held ? 4 * link : link == 0 ? 0 : 4 * link + 3; }
  std::size_t velocity_of(std::size_t link) const { return held ? 3 * link : link == 0 ? 0 : 3 * link + 3; }
  // A planar body's angles stand behind y and z, among positions and velocities alike.
  std::size_t angle_of(std::size_t link) const { return link + 2; }
  std::size_t ball_position(int ball) const { return position_of(links) + 7 * index(ball); }
  std::size_t ball_velocity(int ball) const { return velocity_of(links) + 6 * index(ball); }

  void read_planar_state() {
    state.pose.root = {0, data->qpos[0], data->qpos[1]};
    state.root_velocity = {0, data->qvel[0], data->qvel[1]};
    for (std::size_t k = 0; k < links; ++k) {
      const double half = 0.5 * data->qpos[angle_of(k)];
      state.pose.local[k] = {std::sin(half), 0, 0, std::cos(half)};
      state.spin[k] = {data->qvel[angle_of(k)], 0, 0};
    }
    place_joints(body->tree, state.pose, placed);
  }

  void write_planar_state(const BodyState& from) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      data->qpos[axis] = from.pose.root[axis + 1];
      data->qvel[axis] = from.root_velocity[axis + 1];
    }
    for (std::size_t k = 0; k < links; ++k) {
      data->qpos[angle_of(k)] = 2 * std::atan2(from.pose.local[k].x, from.pose.local[k].w);
      data->qvel[angle_of(k)] = from.spin[k].x;
    }
  }

  void read_state() {
    if (planar) return read_planar_state();
    for (std::size_t k = 0; k < links; ++k) {
      const mjtNum* position = data->qpos + position_of(k);
      const mjtNum* velocity = data->qvel + velocity_of(k);
      const bool is_free = k == 0 && !held;
      if (is_free) {
        state.pose.root = vector_at(position);
        state.root_velocity = vector_at(velocity);
      }
      state.pose.local[k] = normalized(quaternion_at(position + (is_free ? 3 : 0)));
      state.spin[k] = vector_at(velocity + (is_free ? 3 : 0));
    }
    place_joints(body->tree, state.pose, placed);
  }

  void set_inertia(std::span<const double> added) {
    if (planar) {
      for (std::size_t k = 0; k < links; ++k) model->dof_armature[angle_of(k)] = k == 0 ? 0 : added[k];
      return;
    }
    for (std::size_t k = 0; k < links; ++k) {
      mjtNum* armature = model->dof_armature + velocity_of(k) + (k == 0 && !held ? 3 : 0);
      for (int axis = 0; axis < 3; ++axis) armature[axis] = k == 0 && !held ? 0 : added[k];
    }
  }
};

RigidBodyEngine::RigidBodyEngine(const ArticulatedBody& body, const EngineOptions& options,
                                 std::span<const EngineBall> balls)
    : implementation_(std::make_unique<Implementation>()) {
  check_articulated_body(body);
  if (options.planar && (options.root_is_held || !balls.empty()))
    throw usage_error("A planar body has no held root, and no balls.");
  set_handlers();
  Implementation& own = *implementation_;
  own.body = &body;
  own.held = options.root_is_held;
  own.planar = options.planar;
  own.links = body.size();
  own.model.reset(ModelFile(mujoco_model(body, options, balls)).load());
  own.data.reset(mj_makeData(own.model.get()));
  if (!own.data) throw simulation_error("The engine for rigid bodies has no memory for the body.");
  own.state.pose.local.resize(body.size());
  own.state.spin.resize(body.size());
  if (!options.inertia_added.empty()) set_inertia_added(options.inertia_added);
  own.read_state();
}

RigidBodyEngine::~RigidBodyEngine() = default;
RigidBodyEngine::RigidBodyEngine(RigidBodyEngine&&) noexcept = default;

void RigidBodyEngine::set_inertia_added(std::span<const double> inertia) {
  implementation_->set_inertia(inertia);
  // The regularization of contacts is derived from inverse inertias at rest.
  Implementation& own = *implementation_;
  std::unique_ptr<mjData, DeleteData> scratch(mj_makeData(own.model.get()));
  mj_setConst(own.model.get(), scratch.get());
}

void RigidBodyEngine::set_touching(std::size_t pair, bool touches) {
  constexpr double never = -1e6;  // depth from which on a pair touches, metres
  implementation_->model->pair_margin[pair] = touches ? 0 : never;
}

void RigidBodyEngine::set_state(const BodyState& state) {
  Implementation& own = *implementation_;
  if (own.planar) {
    own.write_planar_state(state);
    return own.read_state();
  }
  for (std::size_t k = 0; k < own.links; ++k) {
    const bool is_free = k == 0 && !own.held;
    mjtNum* position = own.data->qpos + own.position_of(k);
    mjtNum* velocity = own.data->qvel + own.velocity_of(k);
    if (is_free) {
      put(state.pose.root, position);
      put(state.root_velocity, velocity);
    }
    put(state.pose.local[k], position + (is_free ? 3 : 0));
    put(state.spin[k], velocity + (is_free ? 3 : 0));
  }
  if (own.held) own.state.pose.root = {};
  own.read_state();
}

const BodyState& RigidBodyEngine::state() const { return implementation_->state; }

void RigidBodyEngine::place_ball(int ball, const Vec3& place, const Vec3& velocity) {
  Implementation& own = *implementation_;
  mjtNum* position = own.data->qpos + own.ball_position(ball);
  mjtNum* speed = own.data->qvel + own.ball_velocity(ball);
  put(place, position);
  put(Quat{}, position + 3);
  put(velocity, speed);
  put(Vec3{}, speed + 3);
}

Vec3 RigidBodyEngine::ball_place(int ball) const {
  return vector_at(implementation_->data->qpos + implementation_->ball_position(ball));
}

void RigidBodyEngine::step(std::span<const Vec3> torque, std::span<const LinkForce> forces) {
  Implementation& own = *implementation_;
  mjData& data = *own.data;
  for (std::size_t k = 0; k < own.links; ++k)
    if (own.planar)
      data.qfrc_applied[own.angle_of(k)] = torque[k].x;
    else
      put(torque[k], data.qfrc_applied + own.velocity_of(k) + (k == 0 && !own.held ? 3 : 0));
  std::fill(data.xfrc_applied, data.xfrc_applied + 6 * own.model->nbody, 0.0);
  for (const LinkForce& each : forces) {
    const Vec3 centre = own.placed(each.link, own.body->tree.mass_centre[index(each.link)]);
    const Vec3 turning = cross(each.place - centre, each.force);
    mjtNum* applied = data.xfrc_applied + 6 * (each.link + 1);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      applied[axis] += each.force[axis];
      applied[3 + axis] += turning[axis];
    }
  }
  mj_step(own.model.get(), &data);
  for (const int kind : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC})
    if (data.warning[kind].number > 0)
      throw simulation_error(
          "The rigid links went out of bounds; use smaller pushes, or less stiffness with --strength.");
  own.read_state();
}

// Both leave what the next step starts from as it is.
double RigidBodyEngine::energy() {
  Implementation& own = *implementation_;
  mj_fwdPosition(own.model.get(), own.data.get());
  mj_fwdVelocity(own.model.get(), own.data.get());
  // Energies are found on request alone, which spares every step a fiftieth of its time.
  own.model->opt.enableflags |= mjENBL_ENERGY;
  mj_energyPos(own.model.get(), own.data.get());
  mj_energyVel(own.model.get(), own.data.get());
  own.model->opt.enableflags &= ~mjENBL_ENERGY;
  return own.data->energy[0] + own.data->energy[1];
}

BodyMomentum RigidBodyEngine::momentum() {
  Implementation& own = *implementation_;
  mj_fwdPosition(own.model.get(), own.data.get());
  mj_fwdVelocity(own.model.get(), own.data.get());
  mj_subtreeVel(own.model.get(), own.data.get());
  const double mass = total_mass(*own.body);
  return {vector_at(own.data->subtree_linvel + 3) * mass, vector_at(own.data->subtree_angmom + 3)};
}

std::vector<Vec3> RigidBodyEngine::ground_forces() const {
  const Implementation& own = *implementation_;
  std::vector<Vec3> forces(own.links);
  const int ground = mj_name2id(own.model.get(), mjOBJ_GEOM, "ground");
  for (int c = 0; c < own.data->ncon; ++c) {
    const mjContact& contact = own.data->contact[c];
    if (contact.geom1 != ground && contact.geom2 != ground) continue;
    const int other = contact.geom1 == ground ? contact.geom2 : contact.geom1;
    const int link = own.model->geom_bodyid[other] - 1;
    if (link < 0 || index(link) >= own.links) continue;
    mjtNum force[6], world[3];
    mj_contactForce(own.model.get(), own.data.get(), c, force);
    mju_rotVecMatT(world, force, contact.frame);
    // The frame's first axis points from the first geometry to the second.
    forces[index(link)] += vector_at(world) * (contact.geom1 == ground ? 1.0 : -1.0);
  }
  return forces;
}

}  // namespace sinew
