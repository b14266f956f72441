/* ---- reading of little-endian numbers on any machine ---- */

static uint32_t get_u16(const unsigned char* p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8; }
static uint32_t get_u32(const unsigned char* p) { return get_u16(p) | get_u16(p + 2) << 16; }
static uint64_t get_u64(const unsigned char* p) { return (uint64_t)get_u32(p) | (uint64_t)get_u32(p + 4) << 32; }
static float get_f32(const unsigned char* p) {
  const uint32_t bits = get_u32(p);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static void put_u32(unsigned char* p, uint32_t value) {
  int i;
  for (i = 0; i < 4; ++i) p[i] = (unsigned char)(value >> 8 * i);
}
static void put_f32(unsigned char* p, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_u32(p, bits);
}

/* Checksum: FNV-1a. */
static const uint64_t checksum_seed = 14695981039346656037u;
static uint64_t checksum_of(const unsigned char* bytes, size_t count, uint64_t hash) {
  size_t i;
  for (i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

/* False also for numbers that are not finite. */
static int is_within(float value, float largest) { return value >= -largest && value <= largest; }
static int are_within(const float* values, size_t count, float largest) {
  size_t i;
  for (i = 0; i < count; ++i)
    if (!is_within(values[i], largest)) return 0;
  return 1;
}
static int are_in_file_within(const unsigned char* values, size_t count, float largest) {
  size_t i;
  for (i = 0; i < count; ++i)
    if (!is_within(get_f32(values + 4 * i), largest)) return 0;
  return 1;
}
