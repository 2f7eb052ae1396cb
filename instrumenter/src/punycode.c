/* Punycode (RFC 3492) as Rust symbols use it: ASCII characters first, the others as insertions. */
#include "demangle.h"

enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700, FIRST_BIAS = 72, FIRST_CODE = 128 };

/* No identifier is longer than this; a longer one is shown encoded. */
#define LENGTH_LIMIT 256u

static uint32_t adapt(uint32_t delta, uint32_t length, bool first) {
  uint32_t k = 0;
  delta /= first ? DAMP : 2;
  delta += delta / length;
  for (; delta > ((BASE - T_MIN) * T_MAX) / 2; k += BASE)
    delta /= BASE - T_MIN;
  return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static bool digit_value(uint8_t c, uint32_t *value) {
  bool letter = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
  *value = letter ? (uint32_t)(c - 'a') : (uint32_t)(c - '0' + 26);
  return letter || digit;
}

/* One variable-length integer of the deltas. */
static bool take_delta(wt_slice *text, uint32_t bias, uint32_t *delta) {
  uint64_t result = 0, weight = 1;
  for (uint32_t k = BASE;; k += BASE) {
    uint32_t digit;
    if (text->size == 0 || !digit_value(text->data[0], &digit))
      return false;
    *text = (wt_slice){text->data + 1, text->size - 1};
    uint32_t threshold = k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
    result += digit * weight;
    if (result > UINT32_MAX)
      return false;
    *delta = (uint32_t)result;
    if (digit < threshold)
      return true;
    weight *= BASE - threshold;
    if (weight > UINT32_MAX)
      return false;
  }
}

static void insert(uint32_t *codes, uint32_t length, uint32_t at, uint32_t code) {
  for (uint32_t i = length; i > at; i--)
    codes[i] = codes[i - 1];
  codes[at] = code;
}

static bool decode(wt_slice deltas, uint32_t *codes, uint32_t *length) {
  uint64_t code = FIRST_CODE;
  uint32_t bias = FIRST_BIAS, place = 0, delta;
  for (bool first = true; deltas.size; first = false) {
    if (*length >= LENGTH_LIMIT || !take_delta(&deltas, bias, &delta))
      return false;
    uint64_t position = (uint64_t)place + delta;
    uint32_t after = ++*length;
    code += position / after;
    place = (uint32_t)(position % after);
    if (code > 0x10ffff)
      return false;
    insert(codes, after - 1, place++, (uint32_t)code);
    bias = adapt(delta, after, first);
  }
  return true;
}

bool wt_punycode(wt_scratch *out, wt_slice basic, wt_slice deltas) {
  uint32_t codes[LENGTH_LIMIT + 1], length = 0;
  if (basic.size > LENGTH_LIMIT)
    return false;
  for (; length < basic.size; length++)
    codes[length] = basic.data[length];
  if (!decode(deltas, codes, &length))
    return false;
  for (uint32_t i = 0; i < length; i++)
    if (!wt_scratch_unicode(out, codes[i]))
      return false;
  return true;
}
