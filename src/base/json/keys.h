/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What JSON files, records and options may hold, as tables of keys. One walk checks a value against
 * a table (keys.c) and one printer makes its JSON Schema (keys_schema.c), so that neither can say
 * something else than the other. A table is static data:
 *
 *   static const struct base_key ball_keys[] = {
 *     {.name = "name", .types = BASE_NAME, .needs = BASE_ALWAYS, .help = "of its column"},
 *     {.name = "mass", .types = BASE_REAL, .range = BASE_POSITIVE, .unit = "kg", .help = "..."},
 *     {.name = "dt", .types = BASE_REAL, .forms = BASE_ONE | BASE_LIST, .unit = "s", .help =
 *     "..."}, {0}};
 *   static const struct base_table ball = {.what = "ball", .keys = ball_keys};
 *   ... {.name = "balls", .types = BASE_OBJECT, .forms = BASE_LIST, .in = &ball} ...
 *
 *   if (base_keys_check(&root, value, "file.json", "", 0) != BASE_OK) ...
 *
 * leaves "file.json: balls[2].mass: must be > 0, is -1 kg", "file.json: balls[2]: unknown key
 * 'maas'; did you mean 'mass'? known: ...", or "file.json: balls[2].name: is missing". After the
 * walk a reader may take every value for what its table says. What concerns several values at once
 * stays with the reader; what concerns one and is no type or range is the key's `check`.
 *
 * Objects of kinds: a table may have several, told apart by a text (`kind_key`, as "type":
 * "sphere") or, without one, by which key is there ({"filter": ...}, {"calculate": ...}: `kind`
 * gives these keys, the last of which may be "", for objects that have none of the others). Keys
 * then say which kinds take them (`of`) and need them (`needs`), by bits.
 *
 * Flat tables: a name with dots, "final.q", is that of a key inside the object "final", whose entry
 * stands before all of its parts, and these together.
 */
#ifndef BASE_KEYS_H
#define BASE_KEYS_H

#include <stddef.h>

struct cJSON;

/* What a value, or each one of a list, may be: any of these; 0: anything. */
enum {
  BASE_TEXT = 1,
  BASE_NAME = 2, /* a text that base_name_is_plain */
  BASE_FLAG = 4, /* true or false */
  BASE_REAL = 8, /* a finite number */
  BASE_WHOLE = 16,
  BASE_OBJECT = 32, /* of the table `in`; without one, of any keys */
  BASE_NULL = 64,
  BASE_INFINITE = 128 /* numbers may be infinite: "inf", "-inf" */
};
/* How it stands in the file: any of these; 0: one alone. Not BASE_MAP beside one BASE_OBJECT. */
enum {
  BASE_ONE = 1,
  BASE_LIST = 2,
  BASE_ROWS = 4, /* a list of lists of `length` */
  BASE_MAP = 8,  /* an object of any keys */
  BASE_MAP_OF_LISTS = 16,
  BASE_NAMED = 32 /* keys of the map are plain names */
};
/* Lengths of lists: a number above 0, or one of these. */
enum {
  BASE_ANY_LENGTH = 0,
  BASE_NOT_EMPTY = -1,
  BASE_OF_SPACE = -2, /* as many as there are dimensions, 2 or 3 */
  BASE_OF_SPIN = -3   /* three about the axes of space, in the plane one alone */
};
/* Of numbers, each one of a list. */
enum base_range {
  BASE_ANY_REAL,
  BASE_POSITIVE,
  BASE_NOT_NEGATIVE,
  BASE_PART,        /* 0 to 1 */
  BASE_SIGNED_PART, /* -1 to 1 */
  BASE_WITHIN       /* min to max of the key, either of which may be infinite */
};
#define BASE_ALWAYS (~0u)

struct base_table;
struct base_key {
  const char *name; /* NULL ends a table */
  unsigned types, forms;
  int length; /* of lists and rows */
  enum base_range range;
  double min, max;             /* of BASE_WITHIN, inclusive */
  int is_open;                 /* of BASE_WITHIN: min is excluded */
  const char *unit, *help;     /* NULL, "": none; unit "-": a ratio */
  const char *choices;         /* texts allowed, "first|second"; NULL: any, or as `choice` says */
  const char *(*choice)(int);  /* the same by their number from 0 on; NULL: no more */
  const char *words;           /* texts allowed in place of the rest, "all|none" */
  unsigned of, needs;          /* bits of kinds that take it (0: all) and need it */
  int dimension;               /* 2, 3: only there; 0: in both */
  int is_nullable;             /* the value as a whole may be null */
  const struct base_table *in; /* of BASE_OBJECT */
  int (*check)(const struct cJSON *value); /* of a value that is as said above: BASE_OK, or
                                            * base_fail with "must be ..." alone, or
                                            * "[3]: must be ..." of an element */
};

struct base_table {
  const char *what;            /* "shape": in messages about kinds, and of the whole */
  const struct base_key *keys; /* ends with name NULL */
  const char *kind_key;        /* see above */
  const char *(*kind)(int);    /* names of kinds from 0 on, then NULL; NULL: there is but one */
  size_t stride;               /* of tables whose entries begin with a key; 0: they are keys */
};

/* Check a value, a whole file or what stands at `path` of it ("": the whole). dimension: 2 or 3,
 * 0 where no key depends on it. BASE_OK, or BASE_E_INPUT with one line "file: path: reason". */
int base_keys_check(const struct base_table *table, const struct cJSON *value, const char *file,
                    const char *path, int dimension);
/* Check one value against its key: BASE_OK, or BASE_E_INPUT with the reason alone. */
int base_key_check(const struct base_key *key, const struct cJSON *value);
/* The table as a JSON Schema (draft 2020-12) of files with "schema": id; to be deleted. */
struct cJSON *base_keys_schema(const struct base_table *table, const char *id);

/* A number against the key's range: BASE_OK, or BASE_E_INPUT with "must be >= 0, is -1 kg"
 * alone. */
int base_key_check_real(const struct base_key *key, double x);
/* A value from a text, as after --opt and --set: a number; of a flag, 0 or 1; of a choice, its
 * index. BASE_E_INPUT with "<owner> 'K' ..." that says what is wrong and what is accepted. */
int base_key_parse(const struct base_key *key, const char *owner, const char *text, double *x);
/* Number of the choice that a text is; -1 with a message alone, "unknown value ...". */
int base_key_find_choice(const struct base_key *key, const char *text);
/* Lowest and highest value, infinite where there is none; *is_open: the lowest is excluded. */
void base_key_range(const struct base_key *key, double *min, double *max, int *is_open);
/* Element i of "first|second", not terminated, and its length; NULL: there are not that many. */
const char *base_word_at(const char *words, int i, size_t *length);
/* Number of the element that a text is; -1: of none. */
int base_word_find(const char *words, const char *text);
/* The choice of a number: its text, not terminated, and length; NULL: there are not that many. */
const char *base_key_choice(const struct base_key *key, int i, size_t *length);
/* Next entry of a table. */
const struct base_key *base_key_next(const struct base_table *table, const struct base_key *key);
/* May a key stand in an object of this kind and dimension (0: in either)? */
int base_key_fits(const struct base_key *key, int kind, int dimension);
/* Of flat tables: does the table have parts of this key? */
int base_key_has_parts(const struct base_table *table, const struct base_key *key);

#endif
