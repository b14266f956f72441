/* ---- facts about a model ---- */

const char* sinew_sentence(sinew_status status) {
  switch (status) {
    case SINEW_OK:
      return "all is well";
    case SINEW_BAD_ARGUMENT:
      return "a pointer is null that must not be, or an index or size is out of range";
    case SINEW_NOT_FINITE:
      return "a number is not finite or too large; check the matrices of bones and their units";
    case SINEW_NO_ALIGNMENT:
      return "memory must be aligned to SINEW_ALIGNMENT bytes";
    case SINEW_TOO_LITTLE_MEMORY:
      return "the memory is smaller than what is needed; ask for the size first";
    case SINEW_TOO_MANY_HELD:
      return "too many vertices are held; release one first";
    case SINEW_NOT_RESET:
      return "the body has no pose yet; reset it first";
    case SINEW_NO_SUCH_SIMD:
      return "this machine or build does not have that kind of vector registers";
    case SINEW_NOT_A_MODEL:
      return "the file is not a Sinew surface model; make one with `sinew fit`";
    case SINEW_OTHER_VERSION:
      return "the file has another version than this run-time; write it anew with `sinew fit`";
    case SINEW_TRUNCATED:
      return "the file is shorter or longer than it says; copy it again";
    case SINEW_DAMAGED:
      return "the file is damaged: its checksum does not hold; copy it again";
    case SINEW_BAD_COUNT:
      return "something in the file is too many, too few, or does not add up; write it anew";
    case SINEW_BAD_INDEX:
      return "an index in the file points outside what it has; write it anew";
    case SINEW_BAD_NUMBER:
      return "a number in the file is not finite or out of its range; write it anew";
    case SINEW_BAD_WEIGHTS:
      return "weights of a vertex in the file do not add up to one; write it anew";
    case SINEW_BAD_NAME:
      return "a name in the file lies outside its names or has a zero in it; write it anew";
    case SINEW_OTHER_MODEL:
      return "the saved state belongs to another model, or is damaged";
  }
  return "no such status";
}

void sinew_model_get_facts(const sinew_model* model, sinew_model_facts* facts) {
  if (!model || !facts) return;
  facts->vertices = model->vertices;
  facts->bones = model->bones;
  facts->segments = model->segments;
  facts->parts = model->parts;
  facts->step = model->step;
  facts->reach = model->reach;
  facts->height = model->height;
  facts->modes = model->modes;
  facts->reference = model->rest_reference ? SINEW_REFERENCE_REST : SINEW_REFERENCE_RIG;
}

const char* sinew_model_bone_name(const sinew_model* model, uint32_t bone) {
  return model && bone < model->bones ? model->names + model->bone_name[bone] : NULL;
}

sinew_status sinew_model_rest_to_joint(const sinew_model* model, uint32_t bone, float rest_to_joint[12]) {
  if (!model || !rest_to_joint || bone >= model->bones) return SINEW_BAD_ARGUMENT;
  memcpy(rest_to_joint, model->rest_to_joint + (size_t)12 * bone, 12 * sizeof(float));
  return SINEW_OK;
}

const char* sinew_model_part_name(const sinew_model* model, uint32_t part) {
  return model && part < model->parts ? model->names + model->part_name[part] : NULL;
}

uint32_t sinew_model_part_vertices(const sinew_model* model, uint32_t part) {
  return model && part < model->parts ? model->part_begin[part + 1] - model->part_begin[part] : 0;
}

uint32_t sinew_model_vertex_of(const sinew_model* model, uint32_t part, uint32_t vertex) {
  uint32_t place;
  if (vertex >= sinew_model_part_vertices(model, part)) return SINEW_ALL_VERTICES;
  place = model->part_places[model->part_begin[part] + vertex];
  return place == SINEW_ALL_VERTICES ? place : model->order[place];
}

const uint32_t* sinew_model_order(const sinew_model* model) { return model ? model->order : NULL; }

sinew_status sinew_model_parameters(const sinew_model* model, uint32_t vertex, float parameters[SINEW_PARAMETERS]) {
  uint8_t codes[SINEW_PARAMETERS];
  block_view block;
  uint32_t place, k;
  if (!model || !parameters || vertex >= model->vertices) return SINEW_BAD_ARGUMENT;
  place = model->place[vertex];
  find_block(model, place / block_size, &block);
  for (k = 0; k < SINEW_PARAMETERS; ++k) codes[k] = block.head->codes[k][place % block_size];
  decode(codes, parameters);
  return SINEW_OK;
}

sinew_status sinew_model_restoration(const sinew_model* model, uint32_t vertex, float shape[6]) {
  block_view block;
  uint32_t place, k;
  if (!model || !shape || vertex >= model->vertices) return SINEW_BAD_ARGUMENT;
  place = model->place[vertex];
  find_block(model, place / block_size, &block);
  for (k = 0; k < shape_numbers; ++k)
    shape[k] = model->has_shape ? block.shape[block_size * k + place % block_size] : (float)(k < 3);
  return SINEW_OK;
}

float sinew_model_range(const sinew_model* model, uint32_t vertex) {
  block_view block;
  float share;
  if (!model || vertex >= model->vertices) return 0.0f;
  if (!model->has_range) return HUGE_VALF;
  find_block(model, model->place[vertex] / block_size, &block);
  share = (float)block.head->range[model->place[vertex] % block_size] * (1.0f / 255.0f);
  return model->reach * share * share;
}

sinew_status sinew_model_rest(const sinew_model* model, uint32_t vertex, float position[3]) {
  block_view block;
  uint32_t place, k;
  if (!model || !position || vertex >= model->vertices) return SINEW_BAD_ARGUMENT;
  place = model->place[vertex];
  find_block(model, place / block_size, &block);
  for (k = 0; k < 3; ++k) position[k] = block.rest[block_size * k + place % block_size];
  return SINEW_OK;
}

sinew_status sinew_bones_from_joints(const sinew_model* model, const float* joints, float metres_per_unit,
                                     float* bones) {
  uint32_t b, row, column, k;
  if (!model || (!joints && model->bones) || (!bones && model->bones)) return SINEW_BAD_ARGUMENT;
  if (!is_within(metres_per_unit, SINEW_LARGEST)) return SINEW_NOT_FINITE;
  for (b = 0; b < model->bones; ++b) {
    const float *joint = joints + (size_t)16 * b, *rest_to_joint = model->rest_to_joint + (size_t)12 * b;
    float* bone = bones + (size_t)12 * b;
    for (row = 0; row < 3; ++row)
      for (column = 0; column < 4; ++column) {
        double sum = column == 3 ? joint[12 + row] : 0;
        for (k = 0; k < 3; ++k) sum += (double)joint[4 * k + row] * rest_to_joint[4 * k + column];
        bone[4 * row + column] = (float)(metres_per_unit * sum);
      }
  }
  return SINEW_OK;
}
