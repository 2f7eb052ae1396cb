/* The program that `npm start` traces: reads a JSON document, the built-in one or those given as arguments, and prints
   what is in it. Its memory is malloc'ed in many sizes, and its functions call each other several levels deep. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum json_kind { JSON_NULL, JSON_BOOLEAN, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_kind;

typedef struct json_value {
  json_kind kind;
  double number;            /* also a boolean's 0 or 1 */
  char *text;               /* of a string */
  char **keys;              /* of an object */
  struct json_value *items; /* of an array or an object */
  size_t count;
  size_t capacity;
} json_value;

typedef struct json_summary {
  size_t kinds[JSON_OBJECT + 1];
  size_t depth;
  double sum;
} json_summary;

static const char *const sample =
    "{\"shop\":\"Hardware & more\",\"open\":true,\"manager\":null,"
    "\"items\":[{\"name\":\"claw hammer, 16 oz, hickory handle\",\"price\":18.5,\"tags\":[\"tool\",\"steel\"]},"
    "{\"name\":\"wood screws\",\"price\":4.25,\"sizes\":[3,4,5,6,8,10,12,16,20,25,30,35]},"
    "{\"name\":\"exterior paint, weatherproof, silk finish, low odour, for wood, metal, stone and render\","
    "\"price\":39,\"colours\":[\"white\",\"anthracite\",\"oxide red\",\"moss green\",\"deep sea blue\"]}],"
    "\"rating\":{\"mean\":4.6,\"votes\":[1,0,2,14,31]}}";

static const char *parse_value(const char *at, json_value *value);

static void *checked(void *memory) {
  if (!memory) {
    fputs("out of memory\n", stderr);
    exit(1);
  }
  return memory;
}

static _Noreturn void fail(const char *at, const char *expected) {
  fprintf(stderr, "expected %s at \"%.12s\"\n", expected, at);
  exit(1);
}

static const char *skip_space(const char *at) {
  while (isspace((unsigned char)*at))
    at++;
  return at;
}

static const char *expect(const char *at, char wanted) {
  at = skip_space(at);
  if (*at != wanted)
    fail(at, (char[]){wanted, 0});
  return at + 1;
}

static const char *parse_text(const char *at, char **text) {
  at = expect(at, '"');
  size_t size = strcspn(at, "\"");
  if (!at[size])
    fail(at, "a closing quote");
  *text = memcpy(checked(malloc(size + 1)), at, size);
  (*text)[size] = 0;
  return at + size + 1;
}

static const char *parse_number(const char *at, json_value *value) {
  char *end;
  value->kind = JSON_NUMBER;
  value->number = strtod(at, &end);
  if (end == at)
    fail(at, "a value");
  return end;
}

static const char *parse_word(const char *at, json_value *value) {
  static const struct {
    const char *word;
    json_kind kind;
    double number;
  } words[] = {{"null", JSON_NULL, 0}, {"true", JSON_BOOLEAN, 1}, {"false", JSON_BOOLEAN, 0}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t size = strlen(words[i].word);
    if (strncmp(at, words[i].word, size) == 0) {
      *value = (json_value){.kind = words[i].kind, .number = words[i].number};
      return at + size;
    }
  }
  return parse_number(at, value);
}

/* Doubles the room for items; a fresh block and a copy, so that every growth is a malloc. */
static void grow_items(json_value *value) {
  size_t capacity = value->capacity ? value->capacity * 2 : 2;
  json_value *items = checked(malloc(capacity * sizeof *items));
  char **keys = checked(malloc(capacity * sizeof *keys));
  if (value->count) {
    memcpy(items, value->items, value->count * sizeof *items);
    memcpy(keys, value->keys, value->count * sizeof *keys);
  }
  free(value->items);
  free(value->keys);
  value->items = items;
  value->keys = keys;
  value->capacity = capacity;
}

static json_value *add_item(json_value *value) {
  if (value->count == value->capacity)
    grow_items(value);
  value->keys[value->count] = NULL;
  value->items[value->count] = (json_value){.kind = JSON_NULL};
  return &value->items[value->count++];
}

static const char *parse_member(const char *at, json_value *object) {
  json_value *item = add_item(object);
  at = parse_text(at, &object->keys[object->count - 1]);
  return parse_value(expect(at, ':'), item);
}

static const char *parse_object(const char *at, json_value *value) {
  value->kind = JSON_OBJECT;
  at = skip_space(at + 1);
  while (*at != '}') {
    at = skip_space(parse_member(at, value));
    at = *at == ',' ? at + 1 : at;
  }
  return at + 1;
}

static const char *parse_array(const char *at, json_value *value) {
  value->kind = JSON_ARRAY;
  at = skip_space(at + 1);
  while (*at != ']') {
    at = skip_space(parse_value(at, add_item(value)));
    at = *at == ',' ? at + 1 : at;
  }
  return at + 1;
}

static const char *parse_string(const char *at, json_value *value) {
  value->kind = JSON_STRING;
  return parse_text(at, &value->text);
}

static const char *parse_value(const char *at, json_value *value) {
  at = skip_space(at);
  switch (*at) {
  case '{': return parse_object(at, value);
  case '[': return parse_array(at, value);
  case '"': return parse_string(at, value);
  default: return parse_word(at, value);
  }
}

static void summarize(const json_value *value, size_t depth, json_summary *summary) {
  summary->kinds[value->kind]++;
  summary->sum += value->kind == JSON_NUMBER ? value->number : 0;
  summary->depth = depth > summary->depth ? depth : summary->depth;
  for (size_t i = 0; i < value->count; i++)
    summarize(&value->items[i], depth + 1, summary);
}

static void free_value(json_value *value) {
  for (size_t i = 0; i < value->count; i++) {
    free(value->keys[i]);
    free_value(&value->items[i]);
  }
  free(value->text);
  free(value->keys);
  free(value->items);
}

static void report(const char *document) {
  json_value root = {.kind = JSON_NULL};
  json_summary summary = {.depth = 0};
  const char *end = skip_space(parse_value(document, &root));
  if (*end)
    fail(end, "the end");
  summarize(&root, 1, &summary);
  printf("%zu objects, %zu arrays, %zu strings, %zu numbers (sum %g), depth %zu\n", summary.kinds[JSON_OBJECT],
         summary.kinds[JSON_ARRAY], summary.kinds[JSON_STRING], summary.kinds[JSON_NUMBER], summary.sum, summary.depth);
  free_value(&root);
}

int main(int argc, char **argv) {
  if (argc < 2)
    report(sample);
  for (int i = 1; i < argc; i++)
    report(argv[i]);
  return 0;
}
