/* Reads the command line by the rows of options.def. What is wrong with it is printed here, where the words are known. */
#include "options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

const cli_option_row cli_option_rows[CLI_OPTION_COUNT] = {
#define CLI_OPTION(id, name, letter, value, kind, flags, owner, help) {name, letter, value, kind, flags, owner, help},
#include "options.def"
#undef CLI_OPTION
};

enum { CHOICES_MAX = 6, NAME_MAX_SIZE = 16, SUGGEST_DISTANCE = 3, DIGITS_MAX = 9, CHOICES_TEXT = 96 };

/* What a word of the command line says: which option, spelled how, with a value in the same word or none. */
typedef struct parsed_word {
  cli_option option;
  const char *spelling;
  int spelling_size;
  const char *attached;
} parsed_word;

static const char *const owner_names[] = {"wasm-trace", "wasm-trace-node", "wasm-trace serve"};

/* Of an option of each; CLI_DISPLAY and CLI_CLOCK take one form more. */
typedef const char *cli_choices[CHOICES_MAX + 1];
static const cli_choices display_choices = {"log", "nested", "tree", "histogram", "report", "inverted", NULL};
static const cli_choices clock_choices = {"auto", "ticker", "instructions", "host", "none", NULL};
static const cli_choices link_choices = {"auto", "merged", "split", "heap", NULL};
static const cli_choices full_choices = {"overwrite", "drain", "stop", "aggregate", NULL};

static bool names_option(const char *spelled, size_t size, size_t dashes, cli_option option) {
  const char *name = cli_option_rows[option].name;
  return size == dashes + strlen(name) && memcmp(spelled, "--", dashes) == 0 &&
         memcmp(spelled + dashes, name, size - dashes) == 0;
}

static bool find_name(const char *spelled, size_t size, size_t dashes, cli_option *found) {
  for (size_t i = 0; i < CLI_OPTION_COUNT; i++) {
    *found = (cli_option)i;
    if (names_option(spelled, size, dashes, *found))
      return true;
  }
  return false;
}

static bool find_letter(char letter, cli_option *found) {
  for (size_t i = 0; i < CLI_OPTION_COUNT; i++) {
    *found = (cli_option)i;
    if (letter != 0 && cli_option_rows[i].letter == letter)
      return true;
  }
  return false;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Levenshtein's, with one row kept; `to` is shorter than NAME_MAX_SIZE. */
static size_t edit_distance(const char *from, size_t from_size, const char *to, size_t to_size) {
  size_t row[NAME_MAX_SIZE];
  for (size_t i = 0; i <= to_size; i++)
    row[i] = i;
  for (size_t line = 1; line <= from_size; line++) {
    size_t diagonal = row[0];
    row[0] = line;
    for (size_t column = 1; column <= to_size; column++) {
      size_t change = diagonal + (from[line - 1] != to[column - 1]);
      diagonal = row[column];
      row[column] = smaller(change, smaller(row[column], row[column - 1]) + 1);
    }
  }
  return row[to_size];
}

static size_t spelling_distance(const char *spelled, size_t size, const char *name) {
  char candidate[NAME_MAX_SIZE] = "--";
  size_t name_size = smaller(strlen(name), NAME_MAX_SIZE - 3);
  memcpy(candidate + 2, name, name_size);
  size_t candidate_size = name_size + 2;
  if (size > 3 && size <= candidate_size && memcmp(spelled, candidate, size) == 0)
    return 1;
  return edit_distance(spelled, size, candidate, candidate_size);
}

static bool fail_unknown(const char *spelled, size_t size) {
  const char *best = NULL;
  size_t best_distance = SUGGEST_DISTANCE;
  for (size_t i = 0; i < CLI_OPTION_COUNT; i++) {
    size_t distance = spelling_distance(spelled, size, cli_option_rows[i].name);
    if (cli_option_rows[i].owner != CLI_OWN || distance >= best_distance)
      continue;
    best = cli_option_rows[i].name;
    best_distance = distance;
  }
  if (best == NULL)
    return cli_usage_error("unknown option %.*s", (int)size, spelled);
  return cli_usage_error("unknown option %.*s; did you mean --%s?", (int)size, spelled, best);
}

static bool parse_word(const char *word, parsed_word *parsed) {
  size_t spelled_size = strcspn(word, "=");
  bool is_long = find_name(word, spelled_size, 2, &parsed->option);
  cli_option slip;
  /* "-trace" is a slip of the finger, not -t with the value "race". */
  if (!is_long && (find_name(word, spelled_size, 1, &slip) || !find_letter(word[1], &parsed->option)))
    return fail_unknown(word, spelled_size);
  size_t size = is_long ? spelled_size : 2;
  const char *rest = word + size + (is_long && word[size] == '=');
  parsed->spelling = word;
  parsed->spelling_size = (int)size;
  parsed->attached = word[size] == '\0' ? NULL : rest;
  if (cli_option_rows[parsed->option].owner == CLI_OWN)
    return true;
  return cli_usage_error("%.*s is an option of %s", parsed->spelling_size, parsed->spelling,
                         owner_names[cli_option_rows[parsed->option].owner]);
}

static bool is_number(const char *value, const char *units) {
  size_t digits = strspn(value, "0123456789");
  if (digits == 0 || digits > DIGITS_MAX)
    return false;
  const char *unit = value + digits;
  return *unit == '\0' || (strchr(units, toupper((unsigned char)*unit)) != NULL && unit[1] == '\0');
}

static const char *const *choices_of(cli_option option) {
  switch (option) {
  case CLI_OPTION_DISPLAY: return display_choices;
  case CLI_OPTION_CLOCK: return clock_choices;
  case CLI_OPTION_ON_FULL: return full_choices;
  default: return link_choices;
  }
}

/* import:MODULE.NAME; where the one ends and the other begins is the core's business. */
static bool is_import(const char *value) {
  static const char word[] = "import:";
  if (strncmp(value, word, sizeof word - 1) != 0 || value[sizeof word - 1] == '\0')
    return false;
  const char *dot = strchr(value + sizeof word, '.');
  return dot != NULL && dot[1] != '\0';
}

/* callers(PATTERN) or callers:PATTERN. */
static bool is_callers(const char *value) {
  static const char word[] = "callers";
  const char *rest = value + sizeof word - 1;
  if (strncmp(value, word, sizeof word - 1) != 0)
    return false;
  size_t size = strlen(rest);
  return (*rest == ':' && size > 1) || (*rest == '(' && size > 2 && rest[size - 1] == ')');
}

static bool has_other_form(cli_kind kind, const char *value) {
  return (kind == CLI_CLOCK && is_import(value)) || (kind == CLI_DISPLAY && is_callers(value));
}

static const char *other_form(cli_kind kind) {
  return kind == CLI_CLOCK ? "import:MODULE.NAME" : kind == CLI_DISPLAY ? "callers(PATTERN)" : NULL;
}

static void append(char text[CHOICES_TEXT], const char *more) { strncat(text, more, CHOICES_TEXT - strlen(text) - 1); }

static bool fail_choice(const parsed_word *parsed, const char *value) {
  const char *const *choices = choices_of(parsed->option);
  const char *last = other_form(cli_option_rows[parsed->option].kind);
  char text[CHOICES_TEXT] = "";
  for (size_t i = 0; choices[i] != NULL; i++) {
    bool ends = last == NULL && choices[i + 1] == NULL;
    append(text, i == 0 ? "" : ends ? " or " : ", ");
    append(text, choices[i]);
  }
  if (last != NULL) {
    append(text, " or ");
    append(text, last);
  }
  return cli_usage_error("%.*s takes %s, not '%s'", parsed->spelling_size, parsed->spelling, text, value);
}

static bool check_choice(const parsed_word *parsed, const char *value) {
  const char *const *choices = choices_of(parsed->option);
  for (size_t i = 0; choices[i] != NULL; i++)
    if (strcmp(choices[i], value) == 0)
      return true;
  return has_other_form(cli_option_rows[parsed->option].kind, value) || fail_choice(parsed, value);
}

static bool check_value(const parsed_word *parsed, const char *value) {
  switch (cli_option_rows[parsed->option].kind) {
  case CLI_NUMBER:
    if (is_number(value, ""))
      return true;
    return cli_usage_error("%.*s takes a number, not '%s'", parsed->spelling_size, parsed->spelling, value);
  case CLI_COUNT:
    if (is_number(value, "") && value[strspn(value, "0")] != '\0')
      return true;
    return cli_usage_error("%.*s takes a number from 1 on, not '%s'", parsed->spelling_size, parsed->spelling, value);
  case CLI_SIZE:
    if (is_number(value, "KMG"))
      return true;
    return cli_usage_error("%.*s takes a size such as 64K or 16M, not '%s'", parsed->spelling_size, parsed->spelling,
                           value);
  case CLI_CHOICE:
  case CLI_CLOCK:
  case CLI_DISPLAY: return check_choice(parsed, value);
  case CLI_TEXT:
  case CLI_FLAG: return true;
  }
  return true;
}

static void add_setting(cli_options *options, cli_option option, const char *value) {
  options->settings[options->count++] = (cli_setting){option, value};
}

/* Reads the option at argv[*at]; *at moves to the value when that is a word of its own. */
static bool read_option(cli_options *options, char **argv, int *at) {
  parsed_word parsed;
  if (!parse_word(argv[*at], &parsed))
    return false;
  const cli_option_row *row = &cli_option_rows[parsed.option];
  if (row->kind == CLI_FLAG) {
    if (parsed.attached != NULL)
      return cli_usage_error("%.*s takes no value", parsed.spelling_size, parsed.spelling);
    add_setting(options, parsed.option, "");
    return true;
  }
  const char *value = parsed.attached;
  if (value == NULL && argv[*at + 1] != NULL && strncmp(argv[*at + 1], "--", 2) != 0)
    value = argv[++*at];
  if (value == NULL || value[0] == '\0')
    return cli_usage_error("%.*s needs a value: %.*s %s", parsed.spelling_size, parsed.spelling, parsed.spelling_size,
                           parsed.spelling, row->value);
  add_setting(options, parsed.option, value);
  return check_value(&parsed, value);
}

static bool check_needs(const cli_options *options) {
  for (size_t i = 0; i < CLI_OPTION_COUNT; i++)
    if ((cli_option_rows[i].flags & CLI_NEEDS_TRACE) && cli_options_has(options, (cli_option)i))
      return cli_usage_error("--%s needs --trace", cli_option_rows[i].name);
  return true;
}

static bool check_restore(const cli_options *options) {
  for (size_t i = 0; i < CLI_OPTION_COUNT; i++)
    if (i != CLI_OPTION_RESTORE && cli_options_has(options, (cli_option)i))
      return cli_usage_error("--%s does not go with --restore", cli_option_rows[i].name);
  return true;
}

static bool check_weights(const cli_options *options) {
  const char *clock = cli_options_get(options, CLI_OPTION_CLOCK);
  bool fits = clock == NULL || strcmp(clock, "instructions") == 0 || strcmp(clock, "auto") == 0;
  return fits || !cli_options_has(options, CLI_OPTION_WEIGHTS) ||
         cli_usage_error("--weights does not go with --clock %s: it needs --clock instructions", clock);
}

static bool check_together(const cli_options *options) {
  bool restore = cli_options_has(options, CLI_OPTION_RESTORE);
  bool trace = cli_options_has(options, CLI_OPTION_TRACE);
  bool output = cli_options_has(options, CLI_OPTION_OUTPUT);
  if (!trace && !check_needs(options))
    return false;
  if (restore && !check_restore(options))
    return false;
  if (output && cli_options_has(options, CLI_OPTION_LIST))
    return cli_usage_error("--output does not go with --list");
  if (!trace && !restore)
    return cli_usage_error("nothing to do: give a probe, such as --trace calls");
  if (options->file_count == 0)
    return cli_usage_error("no FILE is given");
  if (options->file_count > 1 && output)
    return cli_usage_error("--output takes one FILE");
  return check_weights(options);
}

static bool read_words(cli_options *options, int argc, char **argv) {
  bool only_files = false;
  for (int at = 1; at < argc; at++) {
    bool is_option = !only_files && argv[at][0] == '-' && argv[at][1] != '\0';
    if (is_option && strcmp(argv[at], "--") == 0)
      only_files = true;
    else if (!is_option)
      options->files[options->file_count++] = argv[at];
    else if (!read_option(options, argv, &at))
      return false;
  }
  return true;
}

static bool is_npm_command(const char *word) {
  static const char *const commands[] = {"symbolize", "serve", "report", "diff"};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (strcmp(word, commands[i]) == 0)
      return true;
  return false;
}

bool cli_options_parse(int argc, char **argv, cli_options *options) {
  size_t words = argc > 0 ? (size_t)argc : 1;
  *options = (cli_options){calloc(words, sizeof *options->settings), 0, calloc(words, sizeof *options->files), 0};
  if (options->settings == NULL || options->files == NULL)
    return cli_fail("out of memory");
  if (argc > 1 && is_npm_command(argv[1]))
    return cli_usage_error("%s is a command of the wasm-trace from npm only: npx wasm-tracing %s", argv[1], argv[1]);
  if (!read_words(options, argc, argv))
    return false;
  bool informs = cli_options_has(options, CLI_OPTION_HELP) || cli_options_has(options, CLI_OPTION_VERSION);
  return informs || check_together(options);
}

void cli_options_free(cli_options *options) {
  free(options->settings);
  free(options->files);
  *options = (cli_options){0};
}

const char *cli_options_get(const cli_options *options, cli_option option) {
  for (size_t i = options->count; i > 0; i--)
    if (options->settings[i - 1].option == option)
      return options->settings[i - 1].value;
  return NULL;
}

bool cli_options_has(const cli_options *options, cli_option option) { return cli_options_get(options, option) != NULL; }
