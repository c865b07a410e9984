/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options as plain structs, each described by one table. An entry has a key (base/json/keys.h:
 * name, type, range, unit, help), the offset of its field and its default. Defaults, parsing of
 * key=value, validation, `describe` and the block `options` of a record all use this table. Unknown
 * keys and values of the wrong type or out of range are refused by name.
 *
 *   struct penalty_options { double K; int clamp; int stepper; };
 *   static const struct base_option penalty_table[] = {
 *     BASE_OPTION_REAL(struct penalty_options, K, 1e5, 0, INFINITY, "N/m", "contact stiffness"),
 *     BASE_OPTION_BOOL(struct penalty_options, clamp, 1, "no attraction"),
 *     BASE_OPTION_CHOICE(struct penalty_options, stepper, 0, "rk4|rkf45", "time stepper"),
 *     BASE_OPTION_END };
 */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "base/json/keys.h"
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

struct base_arena;
struct cJSON;

struct base_option {
  struct base_key key; /* BASE_REAL, BASE_WHOLE, BASE_FLAG, or BASE_TEXT with choices; infinite
                        * values are allowed if the default is infinite */
  size_t offset;       /* of the field: double for BASE_REAL, int for the others */
  double value;        /* default; the index of a choice */
  int fixed;           /* the default is recorded and described, but cannot be changed */
};

#define BASE_OPTION_NUMBER(type, field, default_, types_, min_, max_, unit_, help_)                \
  {                                                                                                \
    .key = {.name = #field,                                                                        \
            .types = (types_),                                                                     \
            .range = BASE_WITHIN,                                                                  \
            .min = (min_),                                                                         \
            .max = (max_),                                                                         \
            .unit = (unit_),                                                                       \
            .help = (help_)},                                                                      \
    .offset = offsetof(type, field), .value = (default_)                                           \
  }
#define BASE_OPTION_REAL(type, field, value, min, max, unit, help)                                 \
  BASE_OPTION_NUMBER(type, field, value,                                                           \
                     BASE_REAL | ((value) > DBL_MAX || (value) < -DBL_MAX ? BASE_INFINITE : 0),    \
                     min, max, unit, help)
#define BASE_OPTION_INT(type, field, value, min, max, help)                                        \
  BASE_OPTION_NUMBER(type, field, value, BASE_WHOLE, min, max, "", help)
#define BASE_OPTION_WORD(type, field, default_, types_, choices_, help_, fixed_)                   \
  {                                                                                                \
    .key = {.name = #field,                                                                        \
            .types = (types_),                                                                     \
            .choices = (choices_),                                                                 \
            .unit = "",                                                                            \
            .help = (help_)},                                                                      \
    .offset = offsetof(type, field), .value = (default_), .fixed = (fixed_)                        \
  }
#define BASE_OPTION_BOOL(type, field, value, help)                                                 \
  BASE_OPTION_WORD(type, field, value, BASE_FLAG, NULL, help, 0)
#define BASE_OPTION_CHOICE(type, field, value, choices, help)                                      \
  BASE_OPTION_WORD(type, field, value, BASE_TEXT, choices, help, 0)
/* A choice fixed by the owner of the table; help names the formulation that offers the others. */
#define BASE_OPTION_FIXED(type, field, value, choices, help)                                       \
  BASE_OPTION_WORD(type, field, value, BASE_TEXT, choices, help, 1)
#define BASE_OPTION_END                                                                            \
  {                                                                                                \
    .key = { 0 }                                                                                   \
  }

/* In all functions table == NULL means "no options". */

/* Fill the struct with the table's defaults. */
void base_options_default(const struct base_option *table, void *options);
/* A new struct of `size` bytes with the defaults, changed by a text of the program itself,
 * "key=value key=value". */
void *base_options_new(const struct base_option *table, size_t size, const char *text,
                       struct base_arena *arena);
/* The entry with this name, or NULL. */
const struct base_option *base_options_find(const struct base_option *table, const char *name);
/* Does the field hold the entry's default? */
int base_options_is_default(const struct base_option *entry, const void *options);
/* Set one option from text. Booleans are 0|1|true|false|yes|no|on|off; reals may be inf if the
 * default is infinite. BASE_E_INPUT with a message "<owner>: option 'K' ..." that tells the mistake
 * and the accepted values. */
int base_options_set(const struct base_option *table, void *options, const char *owner,
                     const char *key, const char *text);
/* The options as a JSON object {name: value}; choices by their names, infinities as "inf",
 * "-inf". */
struct cJSON *base_options_to_json(const struct base_option *table, const void *options);
/* Check that a member of an object is one that base_options_to_json can write. BASE_E_INPUT with a
 * message as of base_options_set. */
int base_options_check(const struct base_option *table, const char *owner,
                       const struct cJSON *member);
/* Name of the choice with this index, copied to buffer: size bytes; returns buffer. */
const char *base_options_choice(const struct base_option *entry, int index, char *buffer,
                                size_t size);
/* Split "key=value" at the first '=': key is copied, *value points into pair. BASE_E_INPUT if there
 * is no '=', the key is empty or too long, or the text is not UTF-8. */
int base_options_split(const char *pair, char *key, size_t key_size, const char **value);

#endif
