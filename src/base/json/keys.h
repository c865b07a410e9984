/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of keys: what JSON files, records and options may contain. One function checks a value
 * against a table (keys.c) and another prints the table as JSON Schema (keys_schema.c), so that
 * both always agree. A table is static data:
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
 * gives messages such as "file.json: balls[2].mass: must be > 0, is -1 kg", "file.json: balls[2]:
 * unknown key 'maas'; did you mean 'mass'? known: ...", or "file.json: balls[2].name: is missing".
 * After the check a reader may rely on the type and the range of every value. Conditions on several
 * values are checked by the reader, further conditions on one value by the key's `check`.
 *
 * Kinds of objects: the objects of a table may be of several kinds, distinguished by the text of a
 * key (`kind_key`, as in "type": "sphere") or, without `kind_key`, by which key is present
 * ({"filter": ...}, {"calculate": ...}; `kind` lists these keys, and a last "" stands for objects
 * with none of them). For each key, bits say which kinds accept it (`of`) and need it (`needs`).
 *
 * Flat tables: a name with dots, "final.q", is a key inside the object "final". The entry of
 * "final" comes first, and those of its parts follow it without gaps.
 */
#ifndef BASE_KEYS_H
#define BASE_KEYS_H

#include <stddef.h>

struct cJSON;

/* Types of a value, or of each element of a list; combined by |. 0: any type. */
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
/* Forms of a value in the file, combined by |. 0: BASE_ONE. BASE_MAP and a single BASE_OBJECT
 * cannot be combined. */
enum {
  BASE_ONE = 1,
  BASE_LIST = 2,
  BASE_ROWS = 4, /* a list of lists of `length` */
  BASE_MAP = 8,  /* an object with any keys */
  BASE_MAP_OF_LISTS = 16,
  BASE_NAMED = 32 /* keys of the map are plain names */
};
/* Length of a list: a number above 0, or one of these. */
enum {
  BASE_ANY_LENGTH = 0,
  BASE_NOT_EMPTY = -1,
  BASE_OF_SPACE = -2, /* as many as there are dimensions, 2 or 3 */
  BASE_OF_SPIN = -3   /* three rotations in space, one in the plane */
};
/* Range of a number, or of each number of a list. */
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
  int (*check)(const struct cJSON *value); /* a further condition on a valid value: BASE_OK, or
                                            * base_fail with "must be ...", for an element
                                            * with "[3]: must be ..." */
};

struct base_table {
  const char *what;            /* name of the object in messages, "shape" */
  const struct base_key *keys; /* ends with name NULL */
  const char *kind_key;        /* see above */
  const char *(*kind)(int);    /* names of kinds from 0 on, then NULL; NULL: one kind only */
  size_t stride;               /* bytes per entry, if entries begin with a key; 0: they are keys */
};

/* Check a value: a whole file (path ""), or the part of it at `path`. dimension: 2 or 3, or 0 if no
 * key depends on it. BASE_OK, or BASE_E_INPUT with one line "file: path: reason". */
int base_keys_check(const struct base_table *table, const struct cJSON *value, const char *file,
                    const char *path, int dimension);
/* Check one value against its key: BASE_OK, or BASE_E_INPUT with the reason only. */
int base_key_check(const struct base_key *key, const struct cJSON *value);
/* The table as a JSON Schema (draft 2020-12) of files with "schema": id; to be deleted. */
struct cJSON *base_keys_schema(const struct base_table *table, const char *id);

/* Check a number against the key's range: BASE_OK, or BASE_E_INPUT with "must be >= 0, is -1
 * kg". */
int base_key_check_real(const struct base_key *key, double x);
/* *x: the value of a text, as given to --opt and --set: a number; for a flag 0 or 1; for a choice
 * its index. BASE_E_INPUT with "<owner> 'K' ...", which tells the mistake and the accepted
 * values. */
int base_key_parse(const struct base_key *key, const char *owner, const char *text, double *x);
/* Index of the choice with this text; -1 with the message "unknown value ...". */
int base_key_find_choice(const struct base_key *key, const char *text);
/* Smallest and largest value, infinite if unbounded; *is_open: the smallest is excluded. */
void base_key_range(const struct base_key *key, double *min, double *max, int *is_open);
/* Start of element i of "first|second" (without a NUL at its end) and its length; NULL if there are
 * fewer elements. */
const char *base_word_at(const char *words, int i, size_t *length);
/* Index of the element that equals a text; -1: none does. */
int base_word_find(const char *words, const char *text);
/* Start of the text of choice i (without a NUL at its end) and its length; NULL if there are fewer
 * choices. */
const char *base_key_choice(const struct base_key *key, int i, size_t *length);
/* Next entry of a table. */
const struct base_key *base_key_next(const struct base_table *table, const struct base_key *key);
/* May a key stand in an object of this kind and dimension (0: in either)? */
int base_key_fits(const struct base_key *key, int kind, int dimension);
/* In a flat table: are there entries for parts of this key? */
int base_key_has_parts(const struct base_table *table, const struct base_key *key);

#endif
