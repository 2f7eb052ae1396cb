#define _XOPEN_SOURCE 700
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

enum { NUMBERS_MAX = 1000, NUMBER_DIGITS = 24, PERMISSIONS = 07777, NEW_FILE = 0666, PRIVATE = 0600 };

static char *join(const char *path, const char *ending) {
  size_t size = strlen(path) + strlen(ending) + 1;
  char *joined = malloc(size);
  if (joined != NULL)
    snprintf(joined, size, "%s%s", path, ending);
  return joined;
}

char *cli_original_path(const char *path) { return join(path, ".orig"); }

/* Ctrl-C between making the temporary file and renaming it would leave it lying about, so such signals wait. */
static void hold_signals(sigset_t *before) {
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigaddset(&held, SIGTERM);
  sigaddset(&held, SIGHUP);
  sigprocmask(SIG_BLOCK, &held, before);
}

static void release_signals(const sigset_t *before) { sigprocmask(SIG_SETMASK, before, NULL); }

static bool write_all(int file, cli_buffer content) {
  for (size_t done = 0; done < content.size;) {
    ssize_t written = write(file, content.data + done, content.size - done);
    if (written < 0 && errno != EINTR)
      return false;
    if (written > 0)
      done += (size_t)written;
  }
  return true;
}

/* Owner and mode as `like`; that of another owner's file may be out of our power. */
static bool copy_owner(int file, const struct stat *like) {
  struct stat own;
  if (fstat(file, &own) != 0)
    return false;
  if ((own.st_uid != like->st_uid || own.st_gid != like->st_gid) && fchown(file, like->st_uid, like->st_gid) != 0 &&
      errno != EPERM && errno != EINVAL)
    return false;
  return fchmod(file, like->st_mode & PERMISSIONS) == 0;
}

/* An open new file beside `path`; *name gets its path, which the caller frees. -1: errno says why. */
static int create_beside(const char *path, mode_t mode, char **name) {
  int file = -1;
  *name = NULL;
  for (int i = 0; i < NUMBERS_MAX && file < 0; i++) {
    char ending[NUMBER_DIGITS * 2];
    snprintf(ending, sizeof ending, ".%ld-%d.tmp", (long)getpid(), i);
    free(*name);
    *name = join(path, ending);
    if (*name == NULL)
      return -1;
    file = open(*name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
    if (file < 0 && errno != EEXIST)
      break;
  }
  return file;
}

/* Writes a new file beside `path`, down to the disk. like: whose owner and mode it gets, or NULL. NULL: errno says why and
   there is no file; else its path, which the caller frees. */
static char *write_beside(const char *path, const struct stat *like, cli_buffer content) {
  char *name;
  int file = create_beside(path, like == NULL ? NEW_FILE : PRIVATE, &name);
  if (file < 0) {
    free(name);
    return NULL;
  }
  bool ok = write_all(file, content) && (like == NULL || copy_owner(file, like)) && fsync(file) == 0;
  int reason = errno;
  if (close(file) != 0 && ok) {
    reason = errno;
    ok = false;
  }
  if (ok)
    return name;
  unlink(name);
  free(name);
  errno = reason;
  return NULL;
}

static bool same_content(const char *path, cli_buffer content) {
  cli_buffer other;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  bool same = cli_read_all(file, content.size, &other);
  close(file);
  if (!same)
    return false;
  same = other.size == content.size && memcmp(other.data, content.data, content.size) == 0;
  free(other.data);
  return same;
}

static bool exists(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0;
}

bool cli_output_has_original(const cli_input *input) {
  char *original = input->path == NULL ? NULL : cli_original_path(input->path);
  bool has = original != NULL && exists(original);
  free(original);
  return has;
}

/* Moves `path` to path.1, path.2 ... NULL: errno says why; else the new path, which the caller frees. */
static char *set_aside(const char *path) {
  errno = EEXIST;
  for (int i = 1; i < NUMBERS_MAX; i++) {
    char ending[NUMBER_DIGITS];
    snprintf(ending, sizeof ending, ".%d", i);
    char *name = join(path, ending);
    if (name != NULL && exists(name)) {
      free(name);
      continue;
    }
    if (name != NULL && rename(path, name) == 0)
      return name;
    free(name);
    break;
  }
  return NULL;
}

/* Not every file system has hard links, and not every file may be linked. */
static bool link_or_copy(const cli_input *input, const char *original) {
  if (link(input->path, original) == 0)
    return true;
  char *copy = write_beside(original, &input->status, input->raw);
  if (copy == NULL)
    return false;
  bool ok = rename(copy, original) == 0;
  if (!ok)
    unlink(copy);
  free(copy);
  return ok;
}

/* Puts the new file in its place; on a failure everything is brought back to how it was. */
static bool exchange(const cli_input *input, const char *temporary, const char *original, char **aside) {
  bool kept = exists(original) && same_content(original, input->raw);
  if (!kept && exists(original) && (*aside = set_aside(original)) == NULL)
    return false;
  if (kept || link_or_copy(input, original)) {
    if (rename(temporary, input->path) == 0)
      return true;
    int reason = errno;
    if (!kept)
      unlink(original);
    errno = reason;
  }
  int reason = errno;
  if (*aside != NULL)
    rename(*aside, original);
  errno = reason;
  return false;
}

static bool replace(const cli_input *input, const char *original, cli_buffer content) {
  char *temporary = write_beside(input->path, &input->status, content);
  if (temporary == NULL)
    return cli_system_error(input->name, "cannot write beside it");
  char *aside = NULL;
  bool ok = exchange(input, temporary, original, &aside);
  if (!ok) {
    cli_system_error(input->name, "cannot replace it");
    unlink(temporary);
  } else if (aside != NULL) {
    fprintf(stderr, "%s: %s was another file; it is %s now\n", input->name, cli_base_name(original),
            cli_base_name(aside));
  }
  free(aside);
  free(temporary);
  return ok;
}

bool cli_output_in_place(const cli_input *input, cli_buffer content) {
  char *original = cli_original_path(input->path);
  if (original == NULL)
    return cli_file_error(input->name, "out of memory");
  sigset_t before;
  hold_signals(&before);
  bool ok = replace(input, original, content);
  release_signals(&before);
  free(original);
  return ok;
}

static bool write_special(const char *path, cli_buffer content) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  bool ok = file >= 0 && write_all(file, content);
  if (file >= 0 && close(file) != 0)
    ok = false;
  return ok || cli_system_error(path, NULL);
}

static bool write_regular(const char *path, const struct stat *like, cli_buffer content) {
  char *temporary = write_beside(path, like, content);
  if (temporary == NULL)
    return cli_system_error(path, "cannot write");
  bool ok = rename(temporary, path) == 0 || cli_system_error(path, "cannot write");
  if (!ok)
    unlink(temporary);
  free(temporary);
  return ok;
}

bool cli_output_to(const char *path, const cli_input *input, cli_buffer content) {
  struct stat status;
  if (strcmp(path, "-") == 0)
    return write_all(STDOUT_FILENO, content) || cli_system_error("standard output", NULL);
  bool old = stat(path, &status) == 0;
  if (old && S_ISDIR(status.st_mode))
    return cli_file_error(path, "is a directory");
  if (old && status.st_dev == input->status.st_dev && status.st_ino == input->status.st_ino)
    return cli_file_error(path, "is FILE itself; without --output it is rewritten in place");
  if (old && !S_ISREG(status.st_mode))
    return write_special(path, content);
  char *real = old ? realpath(path, NULL) : join(path, "");
  if (real == NULL)
    return cli_system_error(path, NULL);
  sigset_t before;
  hold_signals(&before);
  bool ok = write_regular(real, old ? &status : NULL, content);
  release_signals(&before);
  free(real);
  return ok;
}

bool cli_output_restore(const cli_input *input) {
  char *original = cli_original_path(input->path);
  if (original == NULL)
    return cli_file_error(input->name, "out of memory");
  bool ok = rename(original, input->path) == 0 || cli_system_error(input->name, "cannot restore it");
  free(original);
  return ok;
}
