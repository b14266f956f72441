// Flesh as the surface alone (Shi, Zhou, Tong, Desbrun, Bao and Guo 2008) on the GPU: bone matrices go in, vertices and
// normals come out. One step of any number of bodies, of the same model or of several, is one dispatch. The text of the
// method, with the meaning of every number, is docs/surface_dynamics.md; how an engine drives this shader is docs/gpu.md.
// Nothing here asks for more than Vulkan 1.0:
//     glslangValidator -V --target-env vulkan1.0 dynamic_skinning.comp -o dynamic_skinning.spv
//
// Specialisation constants:
//   0  threads in a workgroup, a multiple of 32 (128)
//   1  entry: 0 step, 1 show, 2 reset, 3 poke, 4 rebase
//
// Storage buffers, set 0 (std430; `quad` is 16 bytes, `word` 4):
//   0  groups    2 words per workgroup: its body; the first vertex (show: output vertex) that its threads serve
//   1  bodies    64 bytes per body: struct Body
//   2  models    the cooked models, one after another, each from a multiple of 16 bytes: see "A model" below
//   3  poses     3 quads per bone: the rows of the matrix, 3x4, that takes rest space to world space, metres
//   4  motions   10 quads per body: acceleration and air (x, y, z in m/s^2, k in 1/s); wind (x, y, z in m/s, unused);
//                show and poke: coordinates of its low-frequency modes, metres, times their shapes' scales, then
//                times their turns'
//   5  before    state at t
//   6  after     state at t + h: the same layout; the two are exchanged after every step. Reset, poke and rebase
//                change it in place
//   7  positions show: 3 floats per output vertex, metres
//   8  normals   show: 3 floats per output vertex, unit
//
// Push constants: struct Call.
//
// The state of a body of n vertices is three planes of n quads: (x_i, r_x), (v_i, r_y), (g_i, r_z) where x is the
// position, v the velocity, g the goal, world space, metres and seconds, and r holds the rotation of the neighbourhood,
// the unit quaternion q with w >= 0, as q.xyz / (1 + q.w). 48 bytes are read and 48 written per vertex and step; what
// else a thread reads is its model, which bodies share in the cache, and its neighbours, which lie near in memory where
// the model's vertices are ordered so.
//
// A model of n vertices, written by pack_surface_model (sinew/gpu/surface_gpu_model.h):
//   at `vertices` (counted in quads)
//     n quads  rest position, 3 floats; parameters alpha, beta, gamma, lambda as bytes c, the first lowest:
//              alpha, beta, gamma = (c / 255)^2, lambda = 0.5 (c / 255)^2. Symplectic Euler is stable where
//              alpha + 2 beta + gamma + 2 (2 lambda + delta) <= 4, which whoever writes them sees to
//     n quads  four bones, 16 bits each, the strongest first and lowest; their weights as 16-bit fractions of 65535,
//              sum 65535, zeros last; all are zero for a vertex that stands at rest
//   at `attributes` (all the following counted in words)
//     n words  delta as a byte, (c / 255)^2; number of spokes, 8 bits; number of neighbours, 16 bits
//     n words  rest normal, octahedral, two signed 16-bit fractions
//     n words  how strongly its frame draws the rotation of its neighbourhood, a float, m^2
//     where restoration has a shape, a symmetric matrix of trace 3:
//     n words  its entries xx and yy, unsigned 16-bit fractions of 3
//     n words  xy and xz, n words  yz and nothing: signed 16-bit fractions of 1.5
//     where what is shown has bounds:
//     n words  1 / range^2, floats, 1/m^2
//   at `modes`, for each of its low-frequency modes
//     n words  x and y of its shape, n words  z and nothing: signed 16-bit fractions
//     n words  x and y, n words  z and nothing: of how it turns the surface around a vertex
//   at `slices`
//     2 words per 32 vertices: where, counted from `slices`, the lists of their neighbours and of their spokes begin.
//     Lists of 32 vertices are interleaved, so that 32 threads read 32 words in a row: entry k of vertex i is word
//     32 k + i mod 32. A neighbour is one word, its vertex. A spoke is two entries: segment (16 bits) with its weight
//     as a fraction of 65535 above it; rest length, a float.
//   at `segments`
//     8 words per segment: head at rest, bone; tail at rest, unused
//   at `sources`
//     1 word per output vertex, in the order of the file: its vertex, or 0xffffffff, where there is none: nothing is
//     written
#version 450

layout(local_size_x = 128, local_size_x_id = 0) in;
layout(constant_id = 1) const uint entry = 0u;

const uint step_entry = 0u, show_entry = 1u, reset_entry = 2u, poke_entry = 3u, rebase_entry = 4u;
const uint rest_reference = 1u, shaped_restoration = 2u, ranged = 4u;  // bits of Body::flags
const uint no_vertex = 0xffffffffu;

struct Body {
  uint state;         // first quad of its state
  uint vertex_count;
  uint bones;         // its first bone in a pose
  uint flags;         // bit 0: neighbours and spokes keep the shape at rest, not the goal's; bit 1: restoration has one;
                      // bit 2: what is shown of offsets from the goal has bounds
  uint vertices, attributes, slices, segments, sources;  // of its model
  uint output_count;  // output vertices
  uint output_first;  // its first one in the output buffers
  float step;         // h, seconds
  float reach;        // metres: the farthest from its goal that a vertex may be
  uint modes;         // of its model
  uint mode_count;    // at most 16
  float shortest_spoke;  // metres: a shorter one has no direction
};

layout(std430, set = 0, binding = 0) restrict readonly buffer Groups { uvec2 groups[]; };
layout(std430, set = 0, binding = 1) restrict readonly buffer Bodies { Body bodies[]; };
layout(std430, set = 0, binding = 2) readonly buffer ModelWords { uint words[]; };
layout(std430, set = 0, binding = 2) readonly buffer ModelQuads { uvec4 quads[]; };
layout(std430, set = 0, binding = 3) restrict readonly buffer Poses { vec4 poses[]; };
layout(std430, set = 0, binding = 4) restrict readonly buffer Motions { vec4 motions[]; };
layout(std430, set = 0, binding = 5) restrict readonly buffer Before { vec4 before[]; };
layout(std430, set = 0, binding = 6) restrict buffer After { vec4 after[]; };
layout(std430, set = 0, binding = 7) restrict writeonly buffer Positions { float positions[]; };
layout(std430, set = 0, binding = 8) restrict writeonly buffer Normals { float normals[]; };

layout(push_constant) uniform Call {
  uint first_group;   // groups [first_group, first_group + group_count) are served; dispatch at least as many
  uint group_count;
  uint pose;          // first bone of the pose at t; show: of the pose to be seen
  uint next_pose;     // first bone of the pose at t + h
  float fraction;     // show: how far the moment to be seen is from `before` to `after`, 0 to 1
  float unused_0, unused_1, unused_2;
  vec4 sphere;        // poke: centre and radius, metres
  vec4 vector;        // poke: m/s that a vertex at the centre is given; rebase: metres that the origin moves; unused
} call;

// ---- Reading -------------------------------------------------------------------------------------------------------

struct Vertex {
  vec3 position, velocity, goal;
  vec4 rotation;  // unit quaternion
};

vec4 quaternion_of(vec3 r) {
  float s = dot(r, r);
  return vec4(2.0 * r, 1.0 - s) / (1.0 + s);
}

vec3 packed_quaternion(vec4 q) {
  return (q.w < 0.0 ? -q.xyz : q.xyz) / (1.0 + abs(q.w));
}

// The rows of the blended matrix of a vertex (linear blend skinning).
struct Blend {
  vec4 x, y, z;
};

Blend blend(Body body, uint vertex, uint pose) {
  uvec4 skin = quads[body.vertices + body.vertex_count + vertex];
  vec4 weights = vec4(unpackUnorm2x16(skin.z), unpackUnorm2x16(skin.w));
  uvec4 bones = uvec4(skin.x & 0xffffu, skin.x >> 16, skin.y & 0xffffu, skin.y >> 16);
  if (skin.z == 0u && skin.w == 0u)
    return Blend(vec4(1.0, 0.0, 0.0, 0.0), vec4(0.0, 1.0, 0.0, 0.0), vec4(0.0, 0.0, 1.0, 0.0));
  Blend sum = Blend(vec4(0.0), vec4(0.0), vec4(0.0));
  for (int k = 0; k < 4; ++k) {
    if (weights[k] == 0.0) break;  // weights fall
    uint row = 3u * (pose + body.bones + bones[k]);
    sum.x += weights[k] * poses[row];
    sum.y += weights[k] * poses[row + 1u];
    sum.z += weights[k] * poses[row + 2u];
  }
  return sum;
}

vec3 transform(Blend m, vec3 p) {
  vec4 q = vec4(p, 1.0);
  return vec3(dot(m.x, q), dot(m.y, q), dot(m.z, q));
}

mat3 linear_part(Blend m) {
  return transpose(mat3(m.x.xyz, m.y.xyz, m.z.xyz));
}

vec3 rest_position(Body body, uint vertex) {
  return uintBitsToFloat(quads[body.vertices + vertex].xyz);
}

// What low-frequency modes add to a vertex at rest (`plane` 0), and how they turn the surface around it (2).
vec3 sum_of_modes(Body body, uint body_index, uint vertex, uint plane) {
  vec3 sum = vec3(0.0);
  for (uint k = 0u; k < body.mode_count; ++k) {
    uint word = body.modes + (4u * k + plane) * body.vertex_count + vertex;
    vec3 numbers = vec3(unpackSnorm2x16(words[word]), unpackSnorm2x16(words[word + body.vertex_count]).x);
    sum += motions[10u * body_index + 2u + 2u * plane + k / 4u][k % 4u] * numbers;
  }
  return sum;
}

// ---- Rotations -----------------------------------------------------------------------------------------------------

mat3 matrix_of(vec4 q) {
  vec3 t = 2.0 * q.xyz;
  vec3 d = q.xyz * t, w = q.w * t;
  float xy = q.x * t.y, xz = q.x * t.z, yz = q.y * t.z;
  return mat3(1.0 - d.y - d.z, xy + w.z, xz - w.y,
              xy - w.z, 1.0 - d.x - d.z, yz + w.x,
              xz + w.y, yz - w.x, 1.0 - d.x - d.y);
}

vec4 product(vec4 a, vec4 b) {
  return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

float max_abs(vec3 v) {
  return max(max(abs(v.x), abs(v.y)), abs(v.z));
}

// Zero stays zero. Also where the squares of its entries are no floats any more.
mat3 of_norm_one(mat3 a) {
  float largest = max(max(max_abs(a[0]), max_abs(a[1])), max_abs(a[2]));
  if (!(largest > 0.0)) return a;
  a /= largest;
  return a / sqrt(dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]));
}

vec3 axial(mat3 m) {
  return vec3(m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]);
}

// The largest eigenvalue of Horn's matrix of a matrix of norm one: Newton's method from above, on its characteristic
// polynomial.
float largest_eigenvalue(mat3 m) {
  vec3 c0 = cross(m[1], m[2]), c1 = cross(m[2], m[0]), c2 = cross(m[0], m[1]);
  float determinants = 8.0 * dot(m[0], c0), constant = 1.0 - 4.0 * (dot(c0, c0) + dot(c1, c1) + dot(c2, c2));
  float z = 1.7320509;
  for (int i = 0; i < 16; ++i) {
    float value = z * (z * (z * z - 2.0) - determinants) + constant;
    float change = value / max(4.0 * z * (z * z - 1.0) - determinants, 1e-5);
    z -= change;
    if (!(change > 1e-6)) break;
  }
  return z;
}

// The quaternion (u, 1) by which to turn: (2 K + d) u = b, symmetric, with its diagonal and what is off it, negated.
// `safe`: its determinant, 0 where it is not safely positive definite.
vec3 solved_turn(vec3 k, vec3 off, vec3 b, out float safe) {
  float c00 = k.y * k.z - off.z * off.z, c01 = off.x * k.z + off.y * off.z, c02 = off.y * k.y + off.x * off.z;
  float c11 = k.x * k.z - off.y * off.y, c12 = off.z * k.x + off.x * off.y, c22 = k.x * k.y - off.x * off.x;
  float determinant = k.x * c00 - off.x * c01 - off.y * c02;
  safe = min(min(k.x, c22), determinant) > 1e-5 ? determinant : 0.0;
  return vec3(dot(vec3(c00, c01, c02), b), dot(vec3(c01, c11, c12), b), dot(vec3(c02, c12, c22), b)) /
         max(determinant, 1e-5);
}

// The rotation nearest to A, from any `q`, soonest from a near one: (u, 1) is the eigenvector of the largest eigenvalue
// of Horn's matrix in the frame of q, with M = R^T A, K = tr(S) I - S, S = sym(M), b = axial(M), and d = b . u, which
// begins as what it is for a turn about the stiffest axis and is improved by Rayleigh's quotient, or, where R is far,
// comes from the eigenvalue itself. docs/surface_dynamics.md
vec4 closest_rotation(mat3 a, vec4 q) {
  if (a == mat3(0.0)) return vec4(0.0, 0.0, 0.0, 1.0);
  a = of_norm_one(a);
  for (int turns = 0; turns < 6; ++turns) {
    mat3 m = transpose(matrix_of(q)) * a;
    vec3 k = 2.0 * vec3(m[1][1] + m[2][2], m[0][0] + m[2][2], m[0][0] + m[1][1]);
    vec3 off = vec3(m[1][0] + m[0][1], m[2][0] + m[0][2], m[2][1] + m[1][2]);
    vec3 b = axial(m);
    float trace = 0.25 * (k.x + k.y + k.z), d = dot(b, b) / max(2.0 * trace, 1.0), safe;
    vec3 u = solved_turn(k + d, off, b, safe);
    // What d is still to change turns u by no more than 8 |change| |u| / determinant; another solution squares it. A
    // large turn of floats is no exact one: once more from there.
    float squared = dot(u, u), next = (dot(b, u) + d * squared) / (1.0 + squared);
    float missing = abs(next - d) * sqrt(squared);
    bool is_far = !(safe > 0.0 && squared < 0.1 && missing <= 3e-5 * safe);
    if (is_far || missing > 1e-7 * safe)
      u = solved_turn(k + (is_far ? largest_eigenvalue(m) - trace : next), off, b, safe);
    q = normalize(product(q, vec4(u, 1.0)));
    if (!is_far) break;
    if (!(safe > 0.0)) q = normalize(product(q, vec4(0.3, 0.5, 0.7, 1.0)));  // half a turn away: from elsewhere
  }
  return q;
}

vec4 rotation_of(mat3 a) {
  return closest_rotation(a, vec4(0.0, 0.0, 0.0, 1.0));
}

// The same as a matrix, of a bone. Where the columns are orthogonal, as they nearly always are, they have its axes.
mat3 bone_rotation(mat3 a) {
  vec3 squares = vec3(dot(a[0], a[0]), dot(a[1], a[1]), dot(a[2], a[2]));
  vec3 skews = vec3(dot(a[1], a[2]), dot(a[0], a[2]), dot(a[0], a[1]));
  vec3 limits = 1e-12 * squares.yxx * squares.zzy;
  bool straight = all(lessThanEqual(skews * skews, limits)) && squares.x > 1e-24 && squares.y > 1e-24 &&
                  determinant(a) > 0.0;
  if (!straight) return matrix_of(rotation_of(a));
  vec3 x = a[0] * inversesqrt(squares.x), y = a[1] * inversesqrt(squares.y);
  return mat3(x, y, cross(x, y));
}

// ---- The step ------------------------------------------------------------------------------------------------------

bool keeps_rest(Body body) {
  return (body.flags & rest_reference) != 0u;
}

struct Segment {
  vec3 head, tail;
  float stretch;  // of its bone's cross-section
};

Segment posed_segment(Body body, uint segment, uint pose) {
  uint word = body.segments + 8u * segment;
  vec3 head = uintBitsToFloat(uvec3(words[word], words[word + 1u], words[word + 2u]));
  vec3 tail = uintBitsToFloat(uvec3(words[word + 4u], words[word + 5u], words[word + 6u]));
  uint row = 3u * (pose + body.bones + words[word + 3u]);
  Blend bone = Blend(poses[row], poses[row + 1u], poses[row + 2u]);
  Segment posed = Segment(transform(bone, head), transform(bone, tail), 1.0);
  if (keeps_rest(body)) {
    float volume = abs(determinant(linear_part(bone)));
    float along = distance(tail, head), posed_along = distance(posed.tail, posed.head);
    bool has_length = along > 0.0 && posed_along > 0.0;
    posed.stretch = min(has_length ? sqrt(volume * along / posed_along) : pow(volume, 1.0 / 3.0), 1000.0);
  }
  return posed;
}

// From the nearest point of the segment.
vec3 from_segment(Segment segment, vec3 point) {
  vec3 axis = segment.tail - segment.head, d = point - segment.head;
  float squared = dot(axis, axis);
  float s = squared > 0.0 ? clamp(dot(d, axis) / squared, 0.0, 1.0) : 0.0;
  return d - s * axis;
}

// Equation 8.
vec3 spoke_term(Body body, uint first, uint count, uint lane, vec3 position, vec3 goal) {
  vec3 sum = vec3(0.0);
  for (uint k = 0u; k < count; ++k) {
    uint word = first + 64u * k + lane;
    uint spoke = words[word];
    Segment segment = posed_segment(body, spoke & 0xffffu, call.pose);
    vec3 d = from_segment(segment, position);
    float kept = keeps_rest(body) ? uintBitsToFloat(words[word + 32u]) * segment.stretch
                                                  : length(from_segment(segment, goal));
    sum += (float(spoke >> 16) / 65535.0) * (kept / max(length(d), body.shortest_spoke) * d - d);
  }
  return sum;
}

float square(float x) {
  return x * x;
}

struct Strengths {
  float alpha, beta, gamma, lambda, delta;
};

// From their bytes.
Strengths strengths_of(uint bytes, uint counts) {
  vec4 p = unpackUnorm4x8(bytes);
  p *= p;
  return Strengths(p.x, p.y, p.z, 0.5 * p.w, square(float(counts & 0xffu) / 255.0));
}

void write(Body body, uint vertex, Vertex state) {
  vec3 r = packed_quaternion(state.rotation);
  uint n = body.vertex_count;
  after[body.state + vertex] = vec4(state.position, r.x);
  after[body.state + n + vertex] = vec4(state.velocity, r.y);
  after[body.state + 2u * n + vertex] = vec4(state.goal, r.z);
}

// How a vertex's strongest bone has turned. Nobody asks where flesh keeps the goal's shape and restores it alike in all
// directions.
mat3 strongest_bone(Body body, uint vertex) {
  if (body.flags == 0u) return mat3(1.0);
  uvec4 skin = quads[body.vertices + body.vertex_count + vertex];
  if (skin.z == 0u && skin.w == 0u) return mat3(1.0);
  uint row = 3u * (call.pose + body.bones + (skin.x & 0xffffu));
  return bone_rotation(linear_part(Blend(poses[row], poses[row + 1u], poses[row + 2u])));
}

// The pull towards the goal, or, where it differs between directions, S of it, turned with the strongest bone.
vec3 restoration(Body body, uint vertex, mat3 turn, vec3 towards_goal) {
  if ((body.flags & shaped_restoration) == 0u) return towards_goal;
  uint n = body.vertex_count, word = body.attributes + 3u * n + vertex;
  vec2 diagonal = 3.0 * unpackUnorm2x16(words[word]);
  vec2 beside = 1.5 * unpackSnorm2x16(words[word + n]);
  float yz = 1.5 * unpackSnorm2x16(words[word + 2u * n]).x;
  mat3 shape = mat3(diagonal.x, beside.x, beside.y,
                    beside.x, diagonal.y, yz,
                    beside.y, yz, 3.0 - diagonal.x - diagonal.y);
  return turn * (shape * (towards_goal * turn));
}

void step_vertex(Body body, uint body_index, uint i) {
  uint n = body.vertex_count, x_plane = body.state, v_plane = x_plane + n, g_plane = v_plane + n;
  vec4 own_x = before[x_plane + i], own_v = before[v_plane + i], own_g = before[g_plane + i];
  vec3 x = own_x.xyz, v = own_v.xyz, g = own_g.xyz;
  vec4 q = quaternion_of(vec3(own_x.w, own_v.w, own_g.w));
  vec3 rest = rest_position(body, i);
  uint counts = words[body.attributes + i];
  Strengths strengths = strengths_of(quads[body.vertices + i].w, counts);
  uint neighbours = counts >> 16, spokes = (counts >> 8) & 0xffu, lane = i & 31u;
  uint slice = body.slices + 2u * (i >> 5);

  mat3 turn = strongest_bone(body, i);
  vec3 goal_term = restoration(body, i, turn, g - x);  // (4)
  // A is drawn a little to where the rig says that the shape stands.
  mat3 a = uintBitsToFloat(words[body.attributes + 2u * n + i]) * (keeps_rest(body) ? turn : mat3(1.0));
  vec3 neighbour_term = vec3(0.0), damping_term = vec3(0.0);
  if (neighbours > 0u) {
    uint list = body.slices + words[slice] + lane;
    vec3 offsets = vec3(0.0), edges = vec3(0.0), velocities = vec3(0.0);
    uint next = words[list];
    for (uint k = 0u; k < neighbours; ++k) {
      uint j = next;
      next = words[list + 32u * min(k + 1u, neighbours - 1u)];  // on its way while j's state is
      vec3 offset = before[x_plane + j].xyz - x;
      vec3 edge = keeps_rest(body) ? rest_position(body, j) - rest : before[g_plane + j].xyz - g;
      a += outerProduct(offset, edge);  // (5)
      offsets += offset;
      edges += edge;
      velocities += before[v_plane + j].xyz - v;
    }
    float share = 1.0 / float(neighbours);
    q = closest_rotation(a, q);
    neighbour_term = share * (offsets - matrix_of(q) * edges);  // (6), (7)
    damping_term = share * velocities;                          // (9)
  }
  vec3 volume_term = vec3(0.0);
  if (strengths.gamma > 0.0) volume_term = spoke_term(body, body.slices + words[slice + 1u], spokes, lane, x, g);

  vec3 next_goal = transform(blend(body, i, call.next_pose), rest);
  float h = body.step, per_step = 1.0 / h;
  vec4 pull = motions[10u * body_index];
  vec3 wind = motions[10u * body_index + 1u].xyz;
  vec3 goal_velocity = (next_goal - g) * per_step;
  v += per_step * (strengths.alpha * goal_term + strengths.beta * neighbour_term + strengths.gamma * volume_term)
     + strengths.lambda * damping_term + strengths.delta * (goal_velocity - v)
     + h * (pull.xyz + pull.w * (wind - v));  // (3), (10)
  x += h * v;                                 // (11)
  vec3 away = x - next_goal;
  float far = length(away);
  if (far > body.reach) {
    x = next_goal + (body.reach / far) * away;
    v = goal_velocity;
  }
  write(body, i, Vertex(x, v, next_goal, q));
}

// ---- Other entries -------------------------------------------------------------------------------------------------

// Onto the goal of `next_pose`, as fast as the goal came there from `pose` within a step: at rest where both are one.
void reset_vertex(Body body, uint i) {
  vec3 rest = rest_position(body, i);
  Blend pose = blend(body, i, call.next_pose);
  vec3 goal = transform(pose, rest), goal_before = transform(blend(body, i, call.pose), rest);
  vec4 rotation = vec4(0.0, 0.0, 0.0, 1.0);
  if (keeps_rest(body)) rotation = rotation_of(linear_part(pose));
  write(body, i, Vertex(goal, (goal - goal_before) / body.step, goal, rotation));
}

vec3 octahedral(uint word) {
  vec2 e = unpackSnorm2x16(word);
  vec3 n = vec3(e, 1.0 - abs(e.x) - abs(e.y));
  if (n.z < 0.0) n.xy = (1.0 - abs(n.yx)) * vec2(n.x < 0.0 ? -1.0 : 1.0, n.y < 0.0 ? -1.0 : 1.0);
  return normalize(n);
}

// By the cofactors of the matrix, which turn areas; a matrix without volume leaves it as it is.
vec3 turned_normal(mat3 m, vec3 normal) {
  vec3 n = normal.x * cross(m[1], m[2]) + normal.y * cross(m[2], m[0]) + normal.z * cross(m[0], m[1]);
  float squared = dot(n, n);
  return squared > 1e-24 ? n * inversesqrt(squared) : normal;
}

// Between two steps the offsets from the goal and the rotations are interpolated, and the goal is that of the moment.
void show_vertex(Body body, uint body_index, uint source) {
  uint i = words[body.sources + source];
  if (i == no_vertex) return;
  uint n = body.vertex_count, x_plane = body.state, v_plane = x_plane + n, g_plane = v_plane + n;
  vec4 x0 = before[x_plane + i], v0 = before[v_plane + i], g0 = before[g_plane + i];
  vec4 x1 = after[x_plane + i], v1 = after[v_plane + i], g1 = after[g_plane + i];
  Blend pose = blend(body, i, call.pose);
  vec3 offset = mix(x0.xyz - g0.xyz, x1.xyz - g1.xyz, call.fraction);
  if ((body.flags & ranged) != 0u) {
    uint plane = (body.flags & shaped_restoration) != 0u ? 6u : 3u;
    offset *= inversesqrt(1.0 + uintBitsToFloat(words[body.attributes + plane * n + i]) * dot(offset, offset));
  }
  vec3 position = transform(pose, rest_position(body, i) + sum_of_modes(body, body_index, i, 0u)) + offset;

  vec4 q0 = quaternion_of(vec3(x0.w, v0.w, g0.w)), q1 = quaternion_of(vec3(x1.w, v1.w, g1.w));
  vec4 q = normalize(mix(dot(q0, q1) < 0.0 ? -q0 : q0, q1, call.fraction));
  vec3 normal = octahedral(words[body.attributes + n + i]);
  if (body.mode_count > 0u) normal = normalize(normal + cross(sum_of_modes(body, body_index, i, 2u), normal));
  if (!keeps_rest(body)) normal = turned_normal(linear_part(pose), normal);
  normal = matrix_of(q) * normal;

  uint word = 3u * (body.output_first + source);
  for (int c = 0; c < 3; ++c) {
    positions[word + c] = position[c];
    normals[word + c] = normal[c];
  }
}

// Vertices within a sphere are given a velocity, all of it at the centre, none at the border.
void poke_vertex(Body body, uint body_index, uint i) {
  uint n = body.vertex_count;
  vec3 away = after[body.state + i].xyz - call.sphere.xyz;
  if (body.mode_count > 0u)
    away += linear_part(blend(body, i, call.pose)) * sum_of_modes(body, body_index, i, 0u);
  float inside = 1.0 - dot(away, away) / square(call.sphere.w);
  if (inside > 0.0) after[body.state + n + i].xyz += square(inside) * call.vector.xyz;
}

// The world's origin moves; velocities and rotations do not notice.
void rebase_vertex(Body body, uint i) {
  after[body.state + i].xyz -= call.vector.xyz;
  after[body.state + 2u * body.vertex_count + i].xyz -= call.vector.xyz;
}

void main() {
  uint workgroup = gl_WorkGroupID.x + gl_NumWorkGroups.x * gl_WorkGroupID.y;
  if (workgroup >= call.group_count) return;
  uvec2 group = groups[call.first_group + workgroup];
  Body body = bodies[group.x];
  uint i = group.y + gl_LocalInvocationID.x;
  if (entry == show_entry) {
    if (i < body.output_count) show_vertex(body, group.x, i);
    return;
  }
  if (i >= body.vertex_count) return;
  if (entry == step_entry) step_vertex(body, group.x, i);
  if (entry == reset_entry) reset_vertex(body, i);
  if (entry == poke_entry) poke_vertex(body, group.x, i);
  if (entry == rebase_entry) rebase_vertex(body, i);
}
