/* snprintf for what the core and the C++ demangler write, in the place of libc's, whose arithmetic for decimal fractions would
   be a twentieth of this build. Of floats only %a is known, which the demangler has for constants in template arguments. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct output {
  char *text;
  size_t size;
  size_t used; /* may be more than `size` */
} output;

typedef struct conversion {
  size_t width;
  size_t precision;
  char length; /* 'l' is long long, 'z', 'L'; 0 is none */
} conversion;

static void put(output *out, char character) {
  if (out->used < out->size)
    out->text[out->used] = character;
  out->used++;
}

static void put_text(output *out, const char *text, size_t size, size_t width) {
  for (; width > size; width--)
    put(out, ' ');
  for (size_t i = 0; i < size; i++)
    put(out, text[i]);
}

static void put_number(output *out, uint64_t value, size_t width) {
  char digits[20];
  size_t at = sizeof digits;
  do
    digits[--at] = (char)('0' + value % 10);
  while (value /= 10);
  put_text(out, digits + at, sizeof digits - at, width);
}

/* ---- floats ---- */

/* IEEE 754: the bits of the fraction behind "1.", from the top of `high` on. */
typedef struct binary {
  uint64_t high;
  uint64_t low;
  int exponent;
  int bias;
  bool negative;
} binary;

static void shift_left(binary *b, unsigned bits) {
  b->high = b->high << bits | b->low >> (64 - bits);
  b->low <<= bits;
}

static binary of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (binary){bits << 12, 0, (int)(bits >> 52 & 0x7ff), 0x3ff, bits >> 63};
}

static binary of_long_double(long double value) {
  uint64_t bits[2];
  _Static_assert(sizeof value == sizeof bits, "the 128 bits of IEEE 754");
  memcpy(bits, &value, sizeof bits);
  binary b = {bits[1], bits[0], (int)(bits[1] >> 48 & 0x7fff), 0x3fff, bits[1] >> 63};
  shift_left(&b, 16);
  return b;
}

static bool is_zero(const binary *b) { return !b->exponent && !b->high && !b->low; }

/* The smallest numbers have "0." before the fraction and the exponent 1. */
static void normalise(binary *b) {
  for (b->exponent = 1; !(b->high >> 63); b->exponent--)
    shift_left(b, 1);
  shift_left(b, 1);
  b->exponent--;
}

static void put_finite(output *out, binary b) {
  bool zero = is_zero(&b);
  if (!b.exponent && !zero)
    normalise(&b);
  put_text(out, zero ? "0x0" : "0x1", 3, 0);
  if (b.high || b.low)
    put(out, '.');
  for (; b.high || b.low; shift_left(&b, 4))
    put(out, "0123456789abcdef"[b.high >> 60]);
  int exponent = zero ? 0 : b.exponent - b.bias;
  put(out, 'p');
  put(out, exponent < 0 ? '-' : '+');
  put_number(out, (uint64_t)(exponent < 0 ? -exponent : exponent), 0);
}

static void put_binary(output *out, binary b) {
  if (b.negative)
    put(out, '-');
  if (b.exponent <= 2 * b.bias)
    put_finite(out, b);
  else
    put_text(out, b.high || b.low ? "nan" : "inf", 3, 0);
}

/* ---- formats ---- */

static uint64_t unsigned_argument(char length, va_list *arguments) {
  if (length == 'l')
    return va_arg(*arguments, unsigned long long);
  return length == 'z' ? va_arg(*arguments, size_t) : va_arg(*arguments, unsigned);
}

static size_t length_of(const char *text, size_t most) {
  size_t length = 0;
  while (length < most && text[length])
    length++;
  return length;
}

static void put_argument(output *out, char type, const conversion *as, va_list *arguments) {
  if (type == 's') {
    const char *text = va_arg(*arguments, const char *);
    put_text(out, text, length_of(text, as->precision), as->width);
  } else if (type == 'u')
    put_number(out, unsigned_argument(as->length, arguments), as->width);
  else if (type == 'a' && as->length == 'L')
    put_binary(out, of_long_double(va_arg(*arguments, long double)));
  else if (type == 'a')
    put_binary(out, of_double(va_arg(*arguments, double)));
  else if (type == '%')
    put(out, '%');
  else
    __builtin_trap(); /* nothing here is written so */
}

/* Behind the percent sign; returns what is behind the conversion. */
static const char *convert(output *out, const char *at, va_list *arguments) {
  conversion as = {0, SIZE_MAX, 0};
  for (; *at >= '0' && *at <= '9'; at++)
    as.width = as.width * 10 + (size_t)(*at - '0');
  if (at[0] == '.' && at[1] == '*') {
    as.precision = (size_t)va_arg(*arguments, int);
    at += 2;
  }
  for (; *at == 'l' || *at == 'z' || *at == 'L'; at++)
    as.length = *at;
  put_argument(out, *at, &as, arguments);
  return at + 1;
}

int vsnprintf(char *restrict text, size_t size, const char *restrict format, va_list arguments) {
  output out = {text, size, 0};
  va_list rest; /* a parameter may be a pointer already, a copy is none */
  va_copy(rest, arguments);
  while (*format)
    if (*format == '%')
      format = convert(&out, format + 1, &rest);
    else
      put(&out, *format++);
  va_end(rest);
  if (size)
    text[out.used < size ? out.used : size - 1] = '\0';
  return (int)out.used;
}

int snprintf(char *restrict text, size_t size, const char *restrict format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int used = vsnprintf(text, size, format, arguments);
  va_end(arguments);
  return used;
}
