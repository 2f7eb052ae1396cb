/* zlib's streams over whole buffers. */
#include "gzip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
  GZIP_WINDOW = 15 + 16, /* zlib: the largest window, in a gzip wrapper */
  MEMORY_LEVEL = 8,      /* zlib's default */
  GROWTH = 4             /* a module shrinks to about a quarter */
};

bool cli_is_gzip(cli_buffer bytes) { return bytes.size > 2 && bytes.data[0] == 0x1f && bytes.data[1] == 0x8b; }

static bool make_room(cli_buffer *output, size_t used) {
  if (used < output->size)
    return true;
  errno = EINVAL;
  if (output->size >= CLI_SIZE_MAX)
    return false;
  size_t size = output->size > CLI_SIZE_MAX / 2 ? CLI_SIZE_MAX : output->size * 2;
  uint8_t *data = realloc(output->data, size);
  if (data == NULL)
    return false; /* errno is ENOMEM */
  *output = (cli_buffer){data, size};
  return true;
}

/* A gzip file may be several members in a row; what stands behind them and is none is ignored, as gzip does. */
static bool next_member(z_stream *stream) {
  return cli_is_gzip((cli_buffer){stream->next_in, stream->avail_in}) && inflateReset(stream) == Z_OK;
}

/* Also of what zlib says after a success: then the data ended too early. */
static bool fail_with(int result) {
  errno = result == Z_MEM_ERROR ? ENOMEM : EINVAL;
  return false;
}

static bool inflate_all(z_stream *stream, cli_buffer *output) {
  size_t used = 0;
  for (;;) {
    if (!make_room(output, used))
      return false;
    size_t room = output->size - used;
    stream->next_out = output->data + used;
    stream->avail_out = (uInt)room;
    int result = inflate(stream, Z_NO_FLUSH);
    used += room - stream->avail_out;
    if (result == Z_STREAM_END && !next_member(stream))
      break;
    bool cut = stream->avail_in == 0 && stream->avail_out > 0;
    if (cut || (result != Z_OK && result != Z_STREAM_END))
      return fail_with(result);
  }
  output->size = used;
  return true;
}

bool cli_gunzip(cli_buffer input, cli_buffer *output) {
  z_stream stream = {.next_in = input.data, .avail_in = (uInt)input.size};
  size_t guess = input.size < CLI_SIZE_MAX / GROWTH ? input.size * GROWTH : CLI_SIZE_MAX;
  *output = (cli_buffer){malloc(guess), guess};
  int begun = output->data != NULL ? inflateInit2(&stream, GZIP_WINDOW) : Z_MEM_ERROR;
  bool ok = begun == Z_OK ? inflate_all(&stream, output) : fail_with(begun);
  int reason = errno;
  inflateEnd(&stream);
  if (ok)
    return true;
  free(output->data);
  errno = reason;
  *output = (cli_buffer){NULL, 0};
  return false;
}

bool cli_gzip(cli_buffer input, cli_buffer *output) {
  z_stream stream = {.next_in = input.data, .avail_in = (uInt)input.size};
  *output = (cli_buffer){NULL, 0};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    return false;
  uLong bound = deflateBound(&stream, (uLong)input.size);
  output->data = bound <= UINT32_MAX ? malloc(bound) : NULL;
  stream.next_out = output->data;
  stream.avail_out = (uInt)bound;
  bool ok = output->data != NULL && deflate(&stream, Z_FINISH) == Z_STREAM_END;
  output->size = ok ? stream.total_out : 0;
  deflateEnd(&stream);
  if (!ok)
    free(output->data);
  if (!ok)
    output->data = NULL;
  return ok;
}
