/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A JSON value against a table of keys; see keys.h. Nothing unknown, nothing missing, every value
 * of its type and in its range. Where a value stands is a list on the stack, which becomes a text
 * only for a message.
 */
#include "base/json/keys.h"

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Names become columns of records, parts of the names of files, and words of --set. */
#define NAME_WANTED ": letters, digits, '-', '+' and '_', at most 100 bytes"

enum { KEYS_MAX = 128, TEXT_SIZE = 512 };

struct place {
  const struct place *up; /* what it stands in; NULL: it is the whole */
  const char *key;        /* NULL: an element of a list */
  int index;
};

struct walk {
  const struct base_table *root;
  const char *file, *path; /* file NULL: not in messages */
  int dimension;
};

/* The keys of one object: part of a table, without the first `skip` letters of their names. */
struct scope {
  const struct base_table *table;
  const struct base_key *first, *end;
  size_t skip;
};

static int check_object(const struct walk *w, const struct place *at, const struct scope *scope,
                        const cJSON *object);

/* In the plane a vector of rotation is a number. */
static unsigned forms_of(const struct walk *w, const struct base_key *key) {
  return key->forms == 0 || (key->length == BASE_OF_SPIN && w->dimension == 2) ? BASE_ONE
                                                                               : key->forms;
}

static int length_of(const struct walk *w, const struct base_key *key) {
  return key->length == BASE_OF_SPACE  ? w->dimension
         : key->length == BASE_OF_SPIN ? 3
                                       : key->length;
}

/* ---- messages ---- */

static size_t put_place(const struct walk *w, const struct place *at, char *text, size_t size) {
  if (at == NULL) {
    return (size_t)snprintf(text, size, "%s", w->path);
  }
  const size_t used = put_place(w, at->up, text, size);
  if (used >= size) {
    return used;
  }
  return used + (size_t)(at->key != NULL ? snprintf(text + used, size - used, "%s%.*s",
                                                    used > 0 ? "." : "", BASE_NAME_MAX, at->key)
                                         : snprintf(text + used, size - used, "[%d]", at->index));
}

/* Put file and place before the reason that was given; fallback: of the whole, which has no place.
 */
static int fail_before(const struct walk *w, const struct place *at, const char *fallback) {
  char text[TEXT_SIZE] = "";
  put_place(w, at, text, sizeof text);
  const char *shown = text[0] != '\0' ? text : fallback;
  if (w->file == NULL) {
    return BASE_E_INPUT;
  }
  const int is_inside = shown[0] == '\0' || base_message()[0] == '[';
  base_message_prefix("%s: %s%s", w->file, shown, is_inside ? "" : ": ");
  return BASE_E_INPUT;
}

static int fail_at(const struct walk *w, const struct place *at, const char *why) {
  base_fail(BASE_E_INPUT, "%s", why);
  return fail_before(w, at, w->root->what != NULL ? w->root->what : "");
}

static int fail_key(const struct walk *w, const struct place *at, const char *key,
                    const char *why) {
  const struct place inside = {.up = at, .key = key};
  return fail_at(w, &inside, why);
}

static const struct {
  unsigned type;
  const char *one, *many;
} type_names[] = {
    {BASE_TEXT, "a text", "texts"},        {BASE_NAME, "a name", "names"},
    {BASE_REAL, "a number", "numbers"},    {BASE_WHOLE, "a whole number", "whole numbers"},
    {BASE_FLAG, "true or false", "flags"}, {BASE_OBJECT, "an object", "objects"},
    {BASE_NULL, "null", "nulls"}};
enum { TYPES = sizeof type_names / sizeof *type_names };

/* One more of what a value may be: "a", then "a or b". */
__attribute__((format(printf, 3, 4))) static void add_wanted(char text[TEXT_SIZE], const char *gap,
                                                             const char *format, ...) {
  const size_t used = strlen(text);
  char more[TEXT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(more, sizeof more, format, arguments);
  va_end(arguments);
  snprintf(text + used, TEXT_SIZE - used, "%s%s", used > 0 ? gap : "", more);
}

static void add_types(char text[TEXT_SIZE], unsigned types, int is_list) {
  for (int i = 0; i < TYPES; ++i) {
    if ((types & type_names[i].type) != 0) {
      add_wanted(text, is_list ? " and " : " or ", "%s",
                 is_list ? type_names[i].many : type_names[i].one);
    }
  }
}

/* "a list of 3 numbers" */
static void add_list(char text[TEXT_SIZE], const struct base_key *key, int length,
                     const char *rows) {
  char items[TEXT_SIZE] = "", count[16] = "";
  add_types(items, key->types, 1);
  if (length > 0) {
    snprintf(count, sizeof count, "%d ", length);
  }
  add_wanted(text, " or ", "a list%s%s%s%s", rows, items[0] != '\0' ? " of " : "", count, items);
}

static int fail_form(const struct walk *w, const struct place *at, const struct base_key *key) {
  const unsigned forms = forms_of(w, key);
  char text[TEXT_SIZE] = "", whole[TEXT_SIZE + 8];
  const char *word;
  size_t length;
  for (int i = 0; (word = base_word_at(key->words, i, &length)) != NULL; ++i) {
    add_wanted(text, " or ", "\"%.*s\"", (int)length, word);
  }
  if ((forms & BASE_ONE) != 0) {
    add_types(text, key->types, 0);
  }
  if ((forms & BASE_LIST) != 0) {
    add_list(text, key, length_of(w, key), "");
  }
  if ((forms & BASE_ROWS) != 0) {
    add_list(text, key, length_of(w, key), " of lists");
  }
  if ((forms & (BASE_MAP | BASE_MAP_OF_LISTS)) != 0) {
    add_wanted(text, " or ", "an object");
  }
  if (key->is_nullable) {
    add_wanted(text, " or ", "null");
  }
  snprintf(whole, sizeof whole, "must be %s", text);
  return fail_at(w, at, whole);
}

/* ---- values ---- */

static int check_text(const struct walk *w, const struct place *at, const struct base_key *key,
                      const char *text) {
  if ((key->types & (BASE_TEXT | BASE_NAME)) == BASE_NAME && !base_name_is_plain(text)) {
    base_fail(BASE_E_INPUT, "'%.*s' must be a name" NAME_WANTED, BASE_NAME_MAX, text);
    return fail_before(w, at, "");
  }
  const int is_free = key->choices == NULL && key->choice == NULL;
  return is_free || base_key_find_choice(key, text) >= 0 ? BASE_OK : fail_before(w, at, "");
}

/* One value of the key's types. */
static int check_one(const struct walk *w, const struct place *at, const struct base_key *key,
                     const cJSON *value) {
  const unsigned types = key->types;
  if (types == 0 || (cJSON_IsNull(value) && (types & BASE_NULL) != 0) ||
      (cJSON_IsBool(value) && (types & BASE_FLAG) != 0)) {
    return BASE_OK;
  }
  if (cJSON_IsString(value) && (types & BASE_INFINITE) != 0 &&
      base_word_find("inf|-inf", value->valuestring) >= 0) {
    return base_key_check_real(key, value->valuestring[0] == '-' ? -HUGE_VAL : HUGE_VAL) == BASE_OK
               ? BASE_OK
               : fail_before(w, at, "");
  }
  if (cJSON_IsString(value) && (types & (BASE_TEXT | BASE_NAME)) != 0) {
    return check_text(w, at, key, value->valuestring);
  }
  if (cJSON_IsNumber(value) && (types & (BASE_REAL | BASE_WHOLE)) != 0) {
    const double x = value->valuedouble;
    if (!isfinite(x)) {
      return fail_at(w, at, "must be a finite number");
    }
    if ((types & BASE_REAL) == 0 && x != rint(x)) {
      return fail_at(w, at, "must be a whole number");
    }
    return base_key_check_real(key, x) == BASE_OK ? BASE_OK : fail_before(w, at, "");
  }
  if (cJSON_IsObject(value) && (types & BASE_OBJECT) != 0) {
    const struct scope scope = {.table = key->in, .first = key->in != NULL ? key->in->keys : NULL};
    return key->in == NULL ? BASE_OK : check_object(w, at, &scope, value);
  }
  return fail_form(w, at, &(struct base_key){.types = types, .words = key->words});
}

/* A list, or a list of lists. */
static int check_list(const struct walk *w, const struct place *at, const struct base_key *key,
                      const cJSON *list, int is_rows) {
  const int length = is_rows ? BASE_NOT_EMPTY : length_of(w, key);
  struct place item_at = {.up = at};
  int status = BASE_OK;
  if (!cJSON_IsArray(list) || (length > 0 && cJSON_GetArraySize(list) != length)) {
    const struct base_key row = {.types = key->types, .forms = BASE_LIST, .length = key->length};
    return fail_form(w, at, (key->forms & BASE_ROWS) != 0 && !is_rows ? &row : key);
  }
  if (length == BASE_NOT_EMPTY && list->child == NULL) {
    return fail_at(w, at, "the list is empty");
  }
  for (const cJSON *item = list->child; item != NULL && status == BASE_OK; item = item->next) {
    status = is_rows ? check_list(w, &item_at, key, item, 0) : check_one(w, &item_at, key, item);
    ++item_at.index;
  }
  return status;
}

static int check_map(const struct walk *w, const struct place *at, const struct base_key *key,
                     const cJSON *map) {
  int status = BASE_OK;
  for (const cJSON *item = map->child; item != NULL && status == BASE_OK; item = item->next) {
    const struct place item_at = {.up = at, .key = item->string};
    if ((key->forms & BASE_NAMED) != 0 && !base_name_is_plain(item->string)) {
      return fail_at(w, &item_at, "must have a name" NAME_WANTED);
    }
    status = cJSON_IsArray(item) && (key->forms & BASE_MAP_OF_LISTS) != 0
                 ? check_list(w, &item_at, key, item, 0)
                 : check_one(w, &item_at, key, item);
  }
  return status;
}

static int check_form(const struct walk *w, const struct place *at, const struct base_key *key,
                      const cJSON *value) {
  const unsigned forms = forms_of(w, key);
  if (cJSON_IsArray(value) && (forms & (BASE_LIST | BASE_ROWS)) != 0) {
    return check_list(w, at, key, value, (forms & BASE_LIST) == 0);
  }
  if (cJSON_IsObject(value) && (forms & (BASE_MAP | BASE_MAP_OF_LISTS)) != 0) {
    return check_map(w, at, key, value);
  }
  const int is_item = (forms & BASE_ONE) != 0 && !cJSON_IsArray(value);
  const unsigned type = cJSON_IsString(value)   ? BASE_TEXT | BASE_NAME
                        : cJSON_IsNumber(value) ? BASE_REAL | BASE_WHOLE
                        : cJSON_IsBool(value)   ? BASE_FLAG
                        : cJSON_IsObject(value) ? BASE_OBJECT
                                                : BASE_NULL;
  const int is_infinite = cJSON_IsString(value) && (key->types & BASE_INFINITE) != 0;
  return (key->types == 0 && (forms & BASE_ONE) != 0) ||
                 (is_item && ((key->types & type) != 0 || is_infinite))
             ? check_one(w, at, key, value)
             : fail_form(w, at, key);
}

static int check_value(const struct walk *w, const struct place *at, const struct base_key *key,
                       const cJSON *value) {
  if ((key->is_nullable && cJSON_IsNull(value)) ||
      (cJSON_IsString(value) && base_word_find(key->words, value->valuestring) >= 0)) {
    return BASE_OK;
  }
  const int status = check_form(w, at, key, value);
  return status != BASE_OK || key->check == NULL || key->check(value) == BASE_OK
             ? status
             : fail_before(w, at, "");
}

/* ---- objects ---- */

/* Does an entry of the scope stand for a key of the object itself, and not of one inside it? */
static int is_direct(const struct scope *scope, const struct base_key *key) {
  return strchr(key->name + scope->skip, '.') == NULL;
}

/* Past the last entry of a scope. */
static int is_end(const struct scope *scope, const struct base_key *key) {
  return key == scope->end || key->name == NULL;
}

/* Parts of a key of a flat table. */
static struct scope parts_of(const struct scope *scope, const struct base_key *key) {
  const size_t length = strlen(key->name);
  struct scope parts = {.table = scope->table, .skip = length + 1};
  parts.first = parts.end = base_key_next(scope->table, key);
  while (!is_end(scope, parts.end) && strncmp(parts.end->name, key->name, length) == 0 &&
         parts.end->name[length] == '.') {
    parts.end = base_key_next(scope->table, parts.end);
  }
  return parts;
}

/* The kind of an object that has kinds; 0 else; -1 with a message. */
static int kind_of(const struct walk *w, const struct place *at, const struct base_table *table,
                   const cJSON *object) {
  const char *names[KEYS_MAX];
  int n = 0;
  if (table->kind == NULL) {
    return 0;
  }
  for (; n < KEYS_MAX && (names[n] = table->kind(n)) != NULL; ++n) {
    if (table->kind_key == NULL &&
        (names[n][0] == '\0' || cJSON_GetObjectItemCaseSensitive(object, names[n]) != NULL)) {
      return n;
    }
  }
  if (table->kind_key == NULL) {
    char text[TEXT_SIZE] = "", whole[TEXT_SIZE + 32];
    for (int i = 0; i < n; ++i) {
      add_wanted(text, " or ", "'%s'", names[i]);
    }
    snprintf(whole, sizeof whole, "must have a key %s", text);
    fail_at(w, at, whole);
    return -1;
  }
  const cJSON *kind = cJSON_GetObjectItemCaseSensitive(object, table->kind_key);
  if (!cJSON_IsString(kind)) {
    fail_key(w, at, table->kind_key, kind == NULL ? "is missing" : "must be a text");
    return -1;
  }
  const int found = base_name_find(table->what, kind->valuestring, n, names);
  if (found < 0) {
    fail_before(w, &(struct place){.up = at, .key = table->kind_key}, "");
  }
  return found;
}

/* Why a key of other kinds is none of this one. */
static void tell_kind(const struct base_table *table, const struct base_key *key, int kind,
                      char *why, size_t size) {
  int other = 0;
  while ((key->of >> other & 1u) == 0) {
    ++other;
  }
  const int is_word = table->kind_key != NULL, is_rest = table->kind(kind)[0] == '\0';
  snprintf(why, size,
           is_word   ? "not a key of a %s"
           : is_rest ? "goes with '%s'"
                     : "not a key beside '%s'",
           table->kind(is_rest ? other : kind));
}

static int refuse_key(const struct walk *w, const struct place *at, const struct scope *scope,
                      int kind, const char *name) {
  const char *names[KEYS_MAX];
  char why[TEXT_SIZE];
  int n = 0;
  for (const struct base_key *k = scope->first; !is_end(scope, k) && n < KEYS_MAX;
       k = base_key_next(scope->table, k)) {
    if (is_direct(scope, k) && base_key_fits(k, kind, w->dimension)) {
      names[n++] = k->name + scope->skip;
    } else if (strcmp(k->name, name) == 0) {
      const int other = k->dimension != 0 && k->dimension != w->dimension;
      if (other) {
        snprintf(why, sizeof why, "not a key of this %s %s",
                 w->dimension == 2 ? "planar" : "spatial", w->root->what);
      } else {
        tell_kind(scope->table, k, kind, why, sizeof why);
      }
      return fail_key(w, at, name, why);
    }
  }
  base_name_find("key", name, n, names);
  return fail_before(w, at, "");
}

/* The entry of a key; NULL: there is none that fits. */
static const struct base_key *find_key(const struct walk *w, const struct scope *scope, int kind,
                                       const char *name) {
  const struct base_key *key = scope->first;
  while (!is_end(scope, key) &&
         (strcmp(key->name + scope->skip, name) != 0 || !base_key_fits(key, kind, w->dimension))) {
    key = base_key_next(scope->table, key);
  }
  return is_end(scope, key) || !is_direct(scope, key) ? NULL : key;
}

static int check_member(const struct walk *w, const struct place *at, const struct scope *scope,
                        const struct base_key *key, const cJSON *value) {
  const struct place inside = {.up = at, .key = value->string};
  const int status = check_value(w, &inside, key, value);
  if (status == BASE_OK && cJSON_IsObject(value) && base_key_has_parts(scope->table, key)) {
    const struct scope parts = parts_of(scope, key);
    return check_object(w, &inside, &parts, value);
  }
  return status;
}

static int check_object(const struct walk *w, const struct place *at, const struct scope *scope,
                        const cJSON *object) {
  const int kind = scope->skip == 0 ? kind_of(w, at, scope->table, object) : 0;
  if (kind < 0) {
    return BASE_E_INPUT;
  }
  for (const cJSON *item = object->child; item != NULL; item = item->next) {
    const struct base_key *key = find_key(w, scope, kind, item->string);
    const int status = key == NULL ? refuse_key(w, at, scope, kind, item->string)
                                   : check_member(w, at, scope, key, item);
    if (status != BASE_OK) {
      return status;
    }
  }
  for (const struct base_key *key = scope->first; !is_end(scope, key);
       key = base_key_next(scope->table, key)) {
    const char *name = key->name + scope->skip;
    if ((key->needs >> kind & 1u) != 0 && is_direct(scope, key) &&
        base_key_fits(key, kind, w->dimension) &&
        cJSON_GetObjectItemCaseSensitive(object, name) == NULL) {
      return fail_key(w, at, name, "is missing");
    }
  }
  return BASE_OK;
}

int base_keys_check(const struct base_table *table, const cJSON *value, const char *file,
                    const char *path, int dimension) {
  const struct walk w = {.root = table, .file = file, .path = path, .dimension = dimension};
  const struct scope whole = {.table = table, .first = table->keys};
  return cJSON_IsObject(value) ? check_object(&w, NULL, &whole, value)
                               : fail_at(&w, NULL, "must be an object");
}

int base_key_check(const struct base_key *key, const cJSON *value) {
  static const struct base_table none = {0};
  const struct walk w = {.root = &none, .path = ""};
  return check_value(&w, NULL, key, value);
}
