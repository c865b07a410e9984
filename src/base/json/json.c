/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Building JSON values, looking into them by dotted paths, and the checked reading of input files.
 * Keys are compared letter by letter, case included. A key with a dot in it cannot be reached by a
 * path. Reading refuses what is missing, of another type, not finite (of values that were not
 * parsed) or out of range, and says which key of which file. Trees take their memory as arenas do
 * (base/memory/memory.h), so that want of it is never taken for a fault of a text.
 */
#include "base/json/json.h"

#include "base/bytes/hash.h"
#include "base/memory/arena.h"
#include "base/memory/memory.h"
#include "base/names.h"
#include "base/status.h"

#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void *json_alloc(size_t size) {
  void *bytes = base_memory_alloc(size);
  const size_t usable = malloc_usable_size(bytes);
  if (!base_memory_claim(usable)) {
    free(bytes);
    base_memory_end(1, size, 1);
  }
  return bytes;
}

static void json_free(void *bytes) {
  if (bytes) {
    base_memory_unclaim(malloc_usable_size(bytes));
    free(bytes);
  }
}

/* Before main, so that no tree is made with one and freed with the other. */
__attribute__((constructor)) void base_json_start(void) {
  cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = json_alloc, .free_fn = json_free});
}

static cJSON *json_number(double x) {
  return isfinite(x) ? cJSON_CreateNumber(x) : cJSON_CreateNull();
}

void base_json_add_real(cJSON *object, const char *key, double x) {
  cJSON_AddItemToObject(object, key, json_number(x));
}

cJSON *base_json_reals(int n, const double *x) {
  cJSON *array = cJSON_CreateArray();
  for (int i = 0; i < n; i++) {
    cJSON_AddItemToArray(array, json_number(x[i]));
  }
  return array;
}

void base_json_add_texts(cJSON *object, ...) {
  va_list pairs;
  va_start(pairs, object);
  for (const char *key; (key = va_arg(pairs, const char *)) != NULL;) {
    cJSON_AddStringToObject(object, key, va_arg(pairs, const char *));
  }
  va_end(pairs);
}

void base_json_add_reals(cJSON *object, const char *key, int n, const double *x) {
  cJSON_AddItemToObject(object, key, base_json_reals(n, x));
}

/* Member of an object whose key is the first `length` letters of key; of a list the one of that
 * number, or the object whose "name" they are. */
static const cJSON *json_member(const cJSON *object, const char *key, size_t length) {
  const int is_list = cJSON_IsArray(object);
  const int is_number = is_list && length > 0 && length < 10 && strspn(key, "0123456789") == length;
  const cJSON *numbered = is_number ? cJSON_GetArrayItem(object, (int)strtol(key, NULL, 10)) : NULL;
  if (numbered != NULL) {
    return numbered;
  }
  if (!is_list && !cJSON_IsObject(object)) {
    return NULL;
  }
  for (const cJSON *item = object->child; item; item = item->next) {
    const char *name = is_list
                           ? cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name"))
                           : item->string;
    if (name != NULL && name[0] == key[0] && strncmp(name, key, length) == 0 &&
        name[length] == '\0') {
      return item;
    }
  }
  return NULL;
}

const cJSON *base_json_at(const cJSON *value, const char *path) {
  while (value && *path != '\0') {
    const size_t length = strcspn(path, ".");
    value = json_member(value, path, length);
    path += length;
    path += *path == '.';
  }
  return value;
}

double base_json_real_at(const cJSON *value, const char *path) {
  const cJSON *found = base_json_at(value, path);
  return cJSON_IsNumber(found) ? found->valuedouble : (double)NAN;
}

const char *base_json_text_at(const cJSON *value, const char *path) {
  const cJSON *found = base_json_at(value, path);
  return cJSON_IsString(found) ? found->valuestring : "";
}

/* The first child's prev is the last child, as cJSON has it. */
cJSON *base_json_copy(const cJSON *value, struct base_arena *arena) {
  cJSON *copy = base_arena_push(arena, sizeof *copy);
  *copy = (cJSON){.type = value->type & ~(cJSON_IsReference | cJSON_StringIsConst),
                  .valueint = value->valueint,
                  .valuedouble = value->valuedouble};
  if (value->valuestring != NULL) {
    copy->valuestring = base_arena_copy(arena, value->valuestring);
  }
  if (value->string != NULL) {
    copy->string = base_arena_copy(arena, value->string);
  }
  cJSON *last = NULL;
  for (const cJSON *item = value->child; item != NULL; item = item->next) {
    cJSON *child = base_json_copy(item, arena);
    if (last == NULL) {
      copy->child = child;
    } else {
      last->next = child;
      child->prev = last;
    }
    last = child;
  }
  if (copy->child != NULL) {
    copy->child->prev = last;
  }
  return copy;
}

/* What is no number goes by its text, in which letters that are none have been replaced. */
static uint64_t json_hash_text(uint64_t hash, const cJSON *value) {
  char *text = base_json_text(value);
  hash = base_hash_text(hash, text);
  free(text);
  return hash;
}

uint64_t base_json_hash(uint64_t hash, const cJSON *value) {
  if (cJSON_IsNumber(value) && isfinite(value->valuedouble)) {
    return base_hash(hash, &value->valuedouble, sizeof value->valuedouble);
  }
  if (!cJSON_IsObject(value) && !cJSON_IsArray(value)) {
    return json_hash_text(hash, value);
  }
  hash = base_hash_text(hash, cJSON_IsObject(value) ? "{" : "[");
  for (const cJSON *item = value->child; item; item = item->next) {
    if (cJSON_IsObject(value)) {
      const cJSON key = {.type = cJSON_String, .valuestring = item->string};
      hash = json_hash_text(hash, &key);
    }
    hash = base_json_hash(hash, item);
  }
  return base_hash_text(hash, cJSON_IsObject(value) ? "}" : "]");
}

static int json_compare_keys(const void *a, const void *b) {
  const cJSON *const *x = a, *const *y = b;
  return strcmp((*x)->string, (*y)->string);
}

const cJSON **base_json_sorted(const cJSON *value, int *n) {
  *n = cJSON_GetArraySize(value);
  const cJSON **items = base_memory_alloc((size_t)*n * sizeof(const cJSON *));
  int i = 0;
  for (const cJSON *item = value->child; item; item = item->next) {
    items[i++] = item;
  }
  if (cJSON_IsObject(value)) {
    qsort(items, (size_t)*n, sizeof(const cJSON *), json_compare_keys);
  }
  return items;
}

/* Two objects or two arrays. */
static int json_same_members(const cJSON *a, const cJSON *b) {
  int n = 0, m = 0;
  const cJSON **in_a = base_json_sorted(a, &n), **in_b = base_json_sorted(b, &m);
  int same = n == m;
  for (int i = 0; i < n && same; i++) {
    same = (!cJSON_IsObject(a) || strcmp(in_a[i]->string, in_b[i]->string) == 0) &&
           base_json_same(in_a[i], in_b[i]);
  }
  free(in_a);
  free(in_b);
  return same;
}

int base_json_same(const cJSON *a, const cJSON *b) {
  if (!a || !b || (a->type & 0xFF) != (b->type & 0xFF)) {
    return !a && !b;
  }
  if (cJSON_IsNumber(a)) {
    return a->valuedouble == b->valuedouble;
  }
  if (cJSON_IsString(a)) {
    return strcmp(a->valuestring, b->valuestring) == 0;
  }
  return (!cJSON_IsObject(a) && !cJSON_IsArray(a)) || json_same_members(a, b);
}

/* ---- Checked reading -------------------------------------------------------------------------*/

static const char *json_kind(const cJSON *value) {
  return cJSON_IsNumber(value)   ? "a number"
         : cJSON_IsString(value) ? "text"
         : cJSON_IsArray(value)  ? "an array"
         : cJSON_IsObject(value) ? "an object"
         : cJSON_IsBool(value)   ? "true or false"
                                 : "null";
}

static int json_missing(const cJSON *value, const char *file, const char *key, const char *wanted) {
  if (!value) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': missing", file, key);
  }
  return base_fail(BASE_E_INPUT, "%s: key '%s': is %s, not %s", file, key, json_kind(value),
                   wanted);
}

int base_json_get_real(const cJSON *object, const char *key, const char *file, double min,
                       double max, double *x) {
  const cJSON *value = base_json_at(object, key);
  if (!cJSON_IsNumber(value)) {
    return json_missing(value, file, key, "a number");
  }
  const double number = value->valuedouble;
  if (!isfinite(number)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': not a finite number", file, key);
  }
  if (!(number >= min)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': %.15g is below %.15g", file, key, number, min);
  }
  if (!(number <= max)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': %.15g is above %.15g", file, key, number, max);
  }
  *x = number;
  return BASE_OK;
}

int base_json_get_int(const cJSON *object, const char *key, const char *file, int min, int max,
                      int *x) {
  double number = 0;
  const int status = base_json_get_real(object, key, file, min, max, &number);
  if (status != BASE_OK) {
    return status;
  }
  if (floor(number) != number) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': %.15g is not a whole number", file, key, number);
  }
  *x = (int)number;
  return BASE_OK;
}

int base_json_get_text(const cJSON *object, const char *key, const char *file, const char **text) {
  const cJSON *value = base_json_at(object, key);
  if (!cJSON_IsString(value)) {
    return json_missing(value, file, key, "text");
  }
  *text = value->valuestring;
  return BASE_OK;
}

/* The array at key, of n elements unless n < 0, all finite numbers; NULL with a message. */
static const cJSON *json_get_array(const cJSON *object, const char *key, const char *file, int n) {
  const cJSON *array = base_json_at(object, key);
  if (!cJSON_IsArray(array)) {
    json_missing(array, file, key, "an array of numbers");
    return NULL;
  }
  const int size = cJSON_GetArraySize(array);
  if (n >= 0 && size != n) {
    base_fail(BASE_E_INPUT, "%s: key '%s': has %d elements, not %d", file, key, size, n);
    return NULL;
  }
  int index = 0;
  for (const cJSON *item = array->child; item; item = item->next, index++) {
    if (!cJSON_IsNumber(item)) {
      base_fail(BASE_E_INPUT, "%s: key '%s': element %d is %s, not a number", file, key, index,
                json_kind(item));
      return NULL;
    }
    if (!isfinite(item->valuedouble)) {
      base_fail(BASE_E_INPUT, "%s: key '%s': element %d is not a finite number", file, key, index);
      return NULL;
    }
  }
  return array;
}

/* Into x, or, where all must be whole, into `whole`; either may be NULL. */
static int json_get_numbers(const cJSON *array, const char *key, const char *file, int is_whole,
                            double *x, int *whole, int *count) {
  int i = 0;
  if (!array) {
    return BASE_E_INPUT;
  }
  for (const cJSON *item = array->child; item; item = item->next, i++) {
    const double number = item->valuedouble; /* whole and within int: valueint has it unrounded */
    if (is_whole && (double)item->valueint != number) {
      return base_fail(BASE_E_INPUT, "%s: key '%s': element %d is %.15g, not an integer", file, key,
                       i, number);
    }
    if (x) {
      x[i] = number;
    } else if (whole) {
      whole[i] = item->valueint;
    }
  }
  if (count) {
    *count = i;
  }
  return BASE_OK;
}

int base_json_get_reals(const cJSON *object, const char *key, const char *file, int n, double *x,
                        int *count) {
  return json_get_numbers(json_get_array(object, key, file, n), key, file, 0, x, NULL, count);
}

int base_json_get_ints(const cJSON *object, const char *key, const char *file, int n, int *x,
                       int *count) {
  return json_get_numbers(json_get_array(object, key, file, n), key, file, 1, NULL, x, count);
}

int base_json_refuse_unknown(const cJSON *object, const char *file, const char *where,
                             const char *const *known) {
  if (object && !cJSON_IsObject(object)) {
    return json_missing(object, file, where ? where : "", "an object");
  }
  int n = 0;
  while (known[n]) {
    n++;
  }
  for (const cJSON *item = object ? object->child : NULL; item; item = item->next) {
    if (item->string && base_name_find("key", item->string, n, known) < 0) {
      const int inside = where && where[0] != '\0';
      base_message_prefix("%s: %s%s", file, inside ? where : "", inside ? ": " : "");
      return BASE_E_INPUT;
    }
  }
  return BASE_OK;
}

int base_json_expect_schema(const cJSON *object, const char *file, const char *schema) {
  const cJSON *found = base_json_at(object, "schema");
  if (!cJSON_IsString(found)) {
    json_missing(found, file, "schema", "text");
    const char *message = base_message();
    return base_fail(BASE_E_INPUT, "%s, expected '%s'", message, schema);
  }
  if (strcmp(found->valuestring, schema) != 0) {
    return base_fail(BASE_E_INPUT, "%s: key 'schema': is '%s', expected '%s'", file,
                     found->valuestring, schema);
  }
  return BASE_OK;
}
