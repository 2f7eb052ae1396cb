#define _XOPEN_SOURCE 700
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "gzip.h"
#include "message.h"

static bool grow(cli_buffer *content) {
  size_t size = content->size * 2;
  uint8_t *data = size > content->size ? realloc(content->data, size) : NULL;
  if (data == NULL)
    return false;
  *content = (cli_buffer){data, size};
  return true;
}

static bool read_into(int file, cli_buffer *content) {
  size_t used = 0;
  for (;;) {
    if (used == content->size && !grow(content))
      return false;
    ssize_t got = read(file, content->data + used, content->size - used);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return false;
    if (got == 0)
      break;
    used += (size_t)got;
    errno = EFBIG;
    if (used > CLI_SIZE_MAX)
      return false;
  }
  content->size = used;
  return true;
}

bool cli_read_all(int file, size_t expected_size, cli_buffer *content) {
  errno = EFBIG;
  *content = (cli_buffer){NULL, 0};
  if (expected_size > CLI_SIZE_MAX)
    return false;
  /* One more byte than expected, so that the end of the file shows without growing. */
  *content = (cli_buffer){malloc(expected_size + 1), expected_size + 1};
  if (content->data != NULL && read_into(file, content))
    return true;
  free(content->data);
  *content = (cli_buffer){NULL, 0};
  return false;
}

static bool fail_reading(const char *name) {
  if (errno == EFBIG)
    return cli_file_error(name, "larger than 1 GiB, which no engine loads");
  return cli_system_error(name, NULL);
}

static bool read_raw(cli_input *input) {
  int file = open(input->name, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return cli_system_error(input->name, NULL);
  bool ok = fstat(file, &input->status) == 0;
  bool directory = ok && S_ISDIR(input->status.st_mode);
  bool regular = ok && S_ISREG(input->status.st_mode);
  ok = ok && !directory && cli_read_all(file, regular ? (size_t)input->status.st_size : 0, &input->raw);
  if (directory)
    cli_file_error(input->name, "is a directory");
  else if (!ok)
    fail_reading(input->name);
  close(file); /* only read: nothing is lost when this fails */
  if (!ok || !regular)
    return ok;
  input->path = realpath(input->name, NULL);
  return input->path != NULL || cli_system_error(input->name, NULL);
}

bool cli_input_read(const char *name, cli_input *input) {
  *input = (cli_input){.name = name};
  if (!read_raw(input))
    return false;
  input->module = input->raw;
  input->compressed = cli_is_gzip(input->raw);
  if (!input->compressed)
    return true;
  if (cli_gunzip(input->raw, &input->module))
    return true;
  return errno == ENOMEM ? cli_system_error(name, NULL) : cli_file_error(name, "damaged gzip data");
}

void cli_input_free(cli_input *input) {
  if (input->compressed)
    free(input->module.data);
  free(input->raw.data);
  free(input->path);
  *input = (cli_input){0};
}
