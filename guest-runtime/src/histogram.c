/* Histograms by sign and binary exponent; the buckets are told in wtr_abi.h. */
#include "state.h"

enum { ZERO = 0, NAN_BUCKET = 1, POSITIVE = 2, NEGATIVE = 130, EXPONENT_BIAS = 64, EXPONENT_LAST = 127 };

static void count_in(uint32_t histogram, uint32_t bucket) {
  wtr_state *state = WTR_STATE;
  if (wtr_is_nowhere(state->position) || histogram >= state->hist_count)
    return;
  WTR_AT(uint64_t, state->hist_base)[histogram * WTR_HISTOGRAM_BUCKETS + bucket]++;
}

/* A signed integer. */
void WTR_EXPORT(count)(uint32_t histogram, uint64_t value) {
  int negative = (int64_t)value < 0;
  uint64_t magnitude = negative ? 0 - value : value;
  uint32_t bucket = ZERO;
  if (magnitude)
    bucket = (negative ? NEGATIVE : POSITIVE) + EXPONENT_BIAS + 63 - (uint32_t)__builtin_clzll(magnitude);
  count_in(histogram, bucket);
}

/* A double; floats are widened by the probe. The exponent field of IEEE 754 is the bucket, limited at both ends. */
void WTR_EXPORT(count_float)(uint32_t histogram, double value) {
  if (value != value || value == 0.0) {
    count_in(histogram, value == 0.0 ? ZERO : NAN_BUCKET);
    return;
  }
  union {
    double value;
    uint64_t bits;
  } view = {value};
  int32_t exponent = (int32_t)(view.bits >> 52 & 0x7ff) - 1023 + EXPONENT_BIAS;
  uint32_t limited = exponent < 0 ? 0 : exponent > EXPONENT_LAST ? EXPONENT_LAST : (uint32_t)exponent;
  count_in(histogram, (view.bits >> 63 ? NEGATIVE : POSITIVE) + limited);
}
