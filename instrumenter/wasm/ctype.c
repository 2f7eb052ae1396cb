/* Character classes for the regular expressions of patterns, in the place of libc's: those of the C locale, which the native
   command has too. libc's tables of Unicode would be a tenth of this build. */
#include <stdbool.h>
#include <string.h>
#include <wctype.h>

typedef bool is_in_class(wint_t character);

static bool is_between(wint_t character, wint_t first, wint_t last) { return character - first <= last - first; }

static bool is_upper(wint_t character) { return is_between(character, 'A', 'Z'); }
static bool is_lower(wint_t character) { return is_between(character, 'a', 'z'); }
static bool is_alpha(wint_t character) { return is_lower(character | 0x20); }
static bool is_digit(wint_t character) { return is_between(character, '0', '9'); }
static bool is_alnum(wint_t character) { return is_alpha(character) || is_digit(character); }
static bool is_xdigit(wint_t character) { return is_digit(character) || is_between(character | 0x20, 'a', 'f'); }
static bool is_blank(wint_t character) { return character == ' ' || character == '\t'; }
static bool is_space(wint_t character) { return character == ' ' || is_between(character, '\t', '\r'); }
static bool is_cntrl(wint_t character) { return character < 0x20 || character == 0x7f; }
static bool is_graph(wint_t character) { return is_between(character, 0x21, 0x7e); }
static bool is_print(wint_t character) { return is_between(character, 0x20, 0x7e); }
static bool is_punct(wint_t character) { return is_graph(character) && !is_alnum(character); }

static const struct {
  const char *name;
  is_in_class *contains;
} classes[] = {
    {"alnum", is_alnum}, {"alpha", is_alpha}, {"blank", is_blank}, {"cntrl", is_cntrl},
    {"digit", is_digit}, {"graph", is_graph}, {"lower", is_lower}, {"print", is_print},
    {"punct", is_punct}, {"space", is_space}, {"upper", is_upper}, {"xdigit", is_xdigit},
};

wctype_t wctype(const char *name) {
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (strcmp(classes[i].name, name) == 0)
      return (wctype_t)(i + 1);
  return 0;
}

int iswctype(wint_t character, wctype_t class) { return class != 0 && classes[class - 1].contains(character); }

int iswalnum(wint_t character) { return is_alnum(character); }
int iswalpha(wint_t character) { return is_alpha(character); }
int iswlower(wint_t character) { return is_lower(character); }
int iswupper(wint_t character) { return is_upper(character); }

wint_t towlower(wint_t character) { return is_upper(character) ? character + ('a' - 'A') : character; }
wint_t towupper(wint_t character) { return is_lower(character) ? character - ('a' - 'A') : character; }
