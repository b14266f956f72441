/* ---- how it runs ---- */

sinew_status sinew_body_use_threads(sinew_body* body, const sinew_threads* threads) {
  if (!body || (threads && !threads->run)) return SINEW_BAD_ARGUMENT;
  if (threads)
    body->threads = *threads;
  else
    memset(&body->threads, 0, sizeof body->threads);
  return SINEW_OK;
}

sinew_status sinew_body_use_simd(sinew_body* body, sinew_simd level) {
  if (!body) return SINEW_BAD_ARGUMENT;
  if (!sinew_simd_works(level)) return SINEW_NO_SUCH_SIMD;
  body->simd = level;
  return SINEW_OK;
}

sinew_status sinew_body_use_skinning(sinew_body* body, sinew_skinning skinning) {
  if (!body || (skinning != SINEW_LINEAR && skinning != SINEW_DUAL_QUATERNIONS)) return SINEW_BAD_ARGUMENT;
  if (skinning != body->skinning) body->is_reset = 0;
  body->skinning = skinning;
  return SINEW_OK;
}
