/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a scene file may hold, as tables: every key of every element with its type, range, unit and
 * meaning. One walk over them checks a file, another writes the JSON Schema; both are all that
 * knows the tables, so that neither can say something else than the other.
 */
#ifndef CASES_SCENE_KEYS_H
#define CASES_SCENE_KEYS_H

struct cJSON;
struct base_arena;

enum scene_type {
  SCENE_TEXT,
  SCENE_NAME,       /* a text without dots and blanks */
  SCENE_FLAG,       /* true or false */
  SCENE_REAL,       /* a finite number */
  SCENE_VECTOR,     /* as many numbers as the scene has dimensions */
  SCENE_SPIN,       /* about the axes: three numbers, in the plane one */
  SCENE_QUATERNION, /* four numbers of length 1 */
  SCENE_PLACE,      /* "centre" or a vector */
  SCENE_TWO,        /* two names */
  SCENE_TEXTS,      /* names */
  SCENE_TABLE,      /* [[t, value], ...], t ascending */
  SCENE_LIST,       /* elements */
  SCENE_MAP,        /* elements by name */
  SCENE_OBJECT      /* one element; without a table: looked at elsewhere */
};

enum scene_range { SCENE_ANY, SCENE_POSITIVE, SCENE_NOT_NEGATIVE, SCENE_PART, SCENE_SIGNED_PART };

struct scene_element;
struct scene_key {
  const char *name;
  enum scene_type type;
  enum scene_range range;
  const char *unit; /* "": none */
  const char *help;
  int dimension;                  /* 2, 3: only there; 0: both */
  unsigned of;                    /* bits of the kinds that take it; 0: all */
  unsigned needs;                 /* bits of the kinds that need it; SCENE_ALWAYS: all */
  const char *const *choices;     /* texts allowed, ends with NULL; NULL: any */
  const struct scene_element *in; /* of lists, maps, objects */
};
#define SCENE_ALWAYS (~0u)

struct scene_element {
  const char *name;
  const struct scene_key *keys;  /* ends with name NULL */
  const char *(*kind_name)(int); /* kinds, told apart by the key "type"; NULL: one kind */
  int kinds;
};

extern const struct scene_element scene_root;

/* Where a table allows a key: for this kind and dimension. */
int scene_key_fits(const struct scene_key *key, int kind, int dimension);
/* Check a whole file against the tables: BASE_OK, or BASE_E_INPUT with one line
 * "file: bodies[2].shapes[0].radius: must be > 0, is -1". */
int scene_check_keys(const struct cJSON *root, const char *file, struct base_arena *arena);
/* The tables as a JSON Schema (draft 2020-12). */
struct cJSON *scene_schema(void);

#endif
