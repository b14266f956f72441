/* ---- the file ---- */

enum { header_bytes = 96, bone_bytes = 52, segment_bytes = 28, part_bytes = 8, most_influences = 4 };
enum { mode_bytes = 16, drive_bytes = 48 };
enum {
  most_vertices = SINEW_MOST_VERTICES,
  most_bones = SINEW_MOST_BONES,
  most_segments = SINEW_MOST_SEGMENTS,
  most_spokes = SINEW_MOST_SPOKES
};
static const float largest_rest = (float)SINEW_LARGEST_REST, largest_scale = (float)SINEW_LARGEST_SCALE;
static const float shortest_step = (float)SINEW_SHORTEST_STEP, longest_step = (float)SINEW_LONGEST_STEP,
                   shortest_reach = (float)SINEW_SHORTEST_REACH;
static const float lowest_frequency = (float)SINEW_LOWEST_FREQUENCY,
                   highest_swings_a_step = (float)SINEW_HIGHEST_SWINGS_A_STEP,
                   largest_coupling = (float)SINEW_LARGEST_COUPLING;
static const float most_stiff = (float)SINEW_MOST_STIFF;

typedef struct file_view {
  uint32_t rest_reference, has_shape, has_range, bones, segments, vertices, parts, neighbours, spokes, part_vertices,
      name_bytes, modes;
  float step, reach, height, coupling;
  uint64_t checksum;
  const unsigned char *bone, *segment, *part, *order, *place, *rest, *normal, *influence_bone, *influence_weight, *code,
      *shape, *range, *neighbour_count, *neighbour, *spoke_count, *spoke_segment, *spoke_weight, *part_place, *name,
      *mode, *drive, *mode_shape;
} file_view;

static uint64_t take_section(const unsigned char* file, uint64_t begin, uint64_t bytes, const unsigned char** section,
                             uint64_t file_bytes) {
  *section = begin + bytes <= file_bytes ? file + begin : NULL;
  return (begin + bytes + 3) & ~(uint64_t)3;
}

static sinew_status read_header(const unsigned char* file, size_t bytes, file_view* view) {
  static const unsigned char magic[8] = {'S', 'I', 'N', 'E', 'W', 'S', 'R', 'F'};
  uint64_t at = header_bytes;
  uint32_t i, version, flags;
  if (bytes < 16 || memcmp(file, magic, sizeof magic) != 0) return SINEW_NOT_A_MODEL;
  version = get_u32(file + 8);
  if (version != SINEW_FILE_VERSION && version != SINEW_FILE_VERSION_WITHOUT_RANGES) return SINEW_OTHER_VERSION;
  if (bytes < header_bytes || get_u64(file + 16) != bytes) return SINEW_TRUNCATED;
  view->checksum = get_u64(file + 24);
  if (checksum_of(file + 32, bytes - 32, checksum_of(file, 24, checksum_seed)) != view->checksum) return SINEW_DAMAGED;
  flags = get_u32(file + 12);
  view->rest_reference = flags & 1;
  view->has_shape = flags >> 1 & 1;
  view->has_range = flags >> 3 & 1;
  if (flags > 15 || view->has_range != (version == SINEW_FILE_VERSION)) return SINEW_BAD_NUMBER;
  view->step = get_f32(file + 32);
  view->reach = get_f32(file + 36);
  view->height = get_f32(file + 40);
  if (!(view->step >= shortest_step && view->step <= longest_step)) return SINEW_BAD_NUMBER;
  if (!(view->reach >= shortest_reach && view->reach <= largest_rest)) return SINEW_BAD_NUMBER;
  if (!(view->height > 0 && view->height <= largest_rest)) return SINEW_BAD_NUMBER;
  view->bones = get_u32(file + 48);
  view->segments = get_u32(file + 52);
  view->vertices = get_u32(file + 56);
  view->parts = get_u32(file + 60);
  view->neighbours = get_u32(file + 64);
  view->spokes = get_u32(file + 68);
  view->part_vertices = get_u32(file + 72);
  view->name_bytes = get_u32(file + 76);
  view->modes = get_u32(file + 80);
  view->coupling = get_f32(file + 84);
  if (view->modes > SINEW_MOST_MODES || (view->modes > 0) != (flags >> 2 & 1)) return SINEW_BAD_COUNT;
  if (!(view->coupling >= 0 && view->coupling <= (view->modes > 0 ? largest_coupling : 0))) return SINEW_BAD_NUMBER;
  for (i = 88; i < header_bytes; i += 4)
    if (get_u32(file + i) != 0) return SINEW_BAD_NUMBER;
  if (get_u32(file + 44) != 0) return SINEW_BAD_NUMBER;
  if (view->vertices < 1 || view->vertices > most_vertices || view->bones > most_bones ||
      view->segments > most_segments)
    return SINEW_BAD_COUNT;
#define SINEW_SECTION(name, count, each) at = take_section(file, at, (uint64_t)(count) * (each), &view->name, bytes)
  SINEW_SECTION(bone, view->bones, bone_bytes);
  SINEW_SECTION(segment, view->segments, segment_bytes);
  SINEW_SECTION(part, view->parts, part_bytes);
  SINEW_SECTION(order, view->vertices, 4);
  SINEW_SECTION(place, view->vertices, 4);
  SINEW_SECTION(rest, view->vertices, 12);
  SINEW_SECTION(normal, view->vertices, 6);
  SINEW_SECTION(influence_bone, view->vertices, 2 * most_influences);
  SINEW_SECTION(influence_weight, view->vertices, 2 * most_influences);
  SINEW_SECTION(code, view->vertices, SINEW_PARAMETERS);
  SINEW_SECTION(shape, view->has_shape ? view->vertices : 0, shape_numbers);
  SINEW_SECTION(range, view->has_range ? view->vertices : 0, 1);
  SINEW_SECTION(mode, view->modes, mode_bytes);
  SINEW_SECTION(drive, (uint64_t)view->modes * view->bones, drive_bytes);
  SINEW_SECTION(mode_shape, view->vertices, (uint64_t)6 * view->modes);
  SINEW_SECTION(neighbour_count, view->vertices, 2);
  SINEW_SECTION(neighbour, view->neighbours, 4);
  SINEW_SECTION(spoke_count, view->vertices, 2);
  SINEW_SECTION(spoke_segment, view->spokes, 2);
  SINEW_SECTION(spoke_weight, view->spokes, 2);
  SINEW_SECTION(part_place, view->part_vertices, 4);
  SINEW_SECTION(name, view->name_bytes, 1);
#undef SINEW_SECTION
  return at == bytes ? SINEW_OK : SINEW_TRUNCATED;
}

static sinew_status check_name(const file_view* view, uint32_t length, uint64_t* used) {
  if (*used + length > view->name_bytes) return SINEW_BAD_NAME;
  if (length > 0 && memchr(view->name + *used, 0, length)) return SINEW_BAD_NAME;
  *used += length;
  return SINEW_OK;
}

static sinew_status check_skeleton_and_parts(const file_view* view) {
  uint64_t names = 0, part_vertices = 0;
  uint32_t i;
  for (i = 0; i < view->bones; ++i) {
    const unsigned char* bone = view->bone + (size_t)bone_bytes * i;
    if (!are_in_file_within(bone, 12, SINEW_LARGEST)) return SINEW_BAD_NUMBER;
    if (check_name(view, get_u32(bone + 48), &names)) return SINEW_BAD_NAME;
  }
  for (i = 0; i < view->segments; ++i) {
    const unsigned char* segment = view->segment + (size_t)segment_bytes * i;
    if (get_u32(segment) >= view->bones) return SINEW_BAD_INDEX;
    if (!are_in_file_within(segment + 4, 6, largest_rest)) return SINEW_BAD_NUMBER;
  }
  for (i = 0; i < view->parts; ++i) {
    const unsigned char* part = view->part + (size_t)part_bytes * i;
    part_vertices += get_u32(part);
    if (check_name(view, get_u32(part + 4), &names)) return SINEW_BAD_NAME;
  }
  if (names != view->name_bytes) return SINEW_BAD_NAME;
  if (part_vertices != view->part_vertices) return SINEW_BAD_COUNT;
  for (i = 0; i < view->part_vertices; ++i) {
    const uint32_t place = get_u32(view->part_place + (size_t)4 * i);
    if (place >= view->vertices && place != SINEW_ALL_VERTICES) return SINEW_BAD_INDEX;
  }
  return SINEW_OK;
}

static sinew_status check_vertices(const file_view* view) {
  uint64_t neighbours = 0, spokes = 0;
  uint32_t v, k;
  if (!are_in_file_within(view->rest, (size_t)3 * view->vertices, largest_rest)) return SINEW_BAD_NUMBER;
  for (v = 0; v < view->vertices; ++v) {
    const unsigned char* normal = view->normal + (size_t)6 * v;
    const unsigned char *bone = view->influence_bone + (size_t)8 * v, *weight = view->influence_weight + (size_t)8 * v;
    const uint32_t neighbour_count = get_u16(view->neighbour_count + (size_t)2 * v);
    const uint32_t spoke_count = get_u16(view->spoke_count + (size_t)2 * v);
    const uint32_t model_vertex = get_u32(view->order + (size_t)4 * v);
    uint32_t sum = 0;
    /* Each table is checked against the other, so that no vertex occurs twice. */
    if (model_vertex >= view->vertices || get_u32(view->place + (size_t)4 * model_vertex) != v) return SINEW_BAD_INDEX;
    if (get_u16(normal) == 0 && get_u16(normal + 2) == 0 && get_u16(normal + 4) == 0) return SINEW_BAD_NUMBER;
    for (k = 0; k < most_influences; ++k) {
      const uint32_t w = get_u16(weight + 2 * k);
      if (w > 0 && get_u16(bone + 2 * k) >= view->bones) return SINEW_BAD_INDEX;
      sum += w;
    }
    if (sum != 0 && sum != weight_one) return SINEW_BAD_WEIGHTS;
    if (neighbours + neighbour_count > view->neighbours || spokes + spoke_count > view->spokes) return SINEW_BAD_COUNT;
    if (spoke_count > most_spokes) return SINEW_BAD_COUNT;
    for (k = 0; k < neighbour_count; ++k)
      if (get_u32(view->neighbour + 4 * (neighbours + k)) >= view->vertices) return SINEW_BAD_INDEX;
    for (sum = 0, k = 0; k < spoke_count; ++k) {
      if (get_u16(view->spoke_segment + 2 * (spokes + k)) >= view->segments) return SINEW_BAD_INDEX;
      sum += get_u16(view->spoke_weight + 2 * (spokes + k));
    }
    if (spoke_count > 0 && sum != weight_one) return SINEW_BAD_WEIGHTS;
    neighbours += neighbour_count;
    spokes += spoke_count;
  }
  return neighbours == view->neighbours && spokes == view->spokes ? SINEW_OK : SINEW_BAD_COUNT;
}

static sinew_status check_modes(const file_view* view) {
  uint32_t k;
  for (k = 0; k < view->modes; ++k) {
    const unsigned char* mode = view->mode + (size_t)mode_bytes * k;
    const float frequency = get_f32(mode), ratio = get_f32(mode + 4), scale = get_f32(mode + 8);
    if (!(frequency >= lowest_frequency && frequency * view->step <= highest_swings_a_step)) return SINEW_BAD_NUMBER;
    if (!(ratio >= 0 && ratio <= 1 && scale >= 0 && scale <= 1) || get_u32(mode + 12) != 0) return SINEW_BAD_NUMBER;
  }
  if (!are_in_file_within(view->drive, (size_t)12 * view->modes * view->bones, SINEW_LARGEST)) return SINEW_BAD_NUMBER;
  return SINEW_OK;
}

static sinew_status check_file(const void* file, size_t bytes, file_view* view) {
  sinew_status status = read_header((const unsigned char*)file, bytes, view);
  if (status == SINEW_OK) status = check_skeleton_and_parts(view);
  if (status == SINEW_OK) status = check_vertices(view);
  if (status == SINEW_OK) status = check_modes(view);
  return status;
}
