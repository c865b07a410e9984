/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists whose words stand in the texts of a group; see over.h.
 */
#include "bench/suite/over.h"

#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/job/job.h"

enum { COMBINATIONS_MAX = 1000000 };

static int size_of(const cJSON *list) {
  return cJSON_IsNumber(list) ? list->valueint : cJSON_GetArraySize(list);
}

/* Name number k of "form, n", *length characters; NULL: there are no more. */
static const char *name_of(const char *names, int k, size_t *length) {
  const char *at = names + strspn(names, ", ");
  for (; k > 0 && *at != '\0'; --k) {
    at += strcspn(at, ", ");
    at += strspn(at, ", ");
  }
  *length = strcspn(at, ", ");
  return *length > 0 ? at : NULL;
}

static int count_names(const char *names) {
  size_t length;
  int n = 0;
  while (name_of(names, n, &length) != NULL) {
    ++n;
  }
  return n;
}

/* Has a word as many parts as its list has names, all of them plain values? */
static int is_word(const cJSON *word, int parts, struct base_arena *arena) {
  const cJSON *part;
  int good = !cJSON_IsArray(word) ? parts == 1 && bench_option_text(word, arena) != NULL
                                  : parts > 1 && cJSON_GetArraySize(word) == parts;
  cJSON_ArrayForEach(part, word) { good = good && bench_option_text(part, arena) != NULL; }
  return good;
}

static int check_list(const cJSON *list, const char *file) {
  const int parts = count_names(list->string), n = size_of(list);
  struct base_arena *arena = base_arena_alloc();
  const cJSON *word;
  int i = 0, status = BASE_OK;
  if ((!cJSON_IsNumber(list) && !cJSON_IsArray(list)) || n < 1 || parts < 1 ||
      (cJSON_IsNumber(list) && parts > 1)) {
    status = base_fail(BASE_E_INPUT,
                       "%s: key 'over.%s': must be a list that is not empty, or how "
                       "many",
                       file, list->string);
  }
  if (cJSON_IsArray(list)) {
    cJSON_ArrayForEach(word, list) {
      if (status == BASE_OK && !is_word(word, parts, arena)) {
        status = base_fail(BASE_E_INPUT, "%s: key 'over.%s': element %d must be %s", file,
                           list->string, i,
                           parts > 1 ? "a list with a number or text for each name"
                                     : "a number, a text, true or false");
      }
      ++i;
    }
  }
  base_arena_free(arena);
  return status;
}

/* Does a text of an object, but for its "over", have {name} or {#name}? */
static int has_gap(const cJSON *object, const char *name, size_t length) {
  const cJSON *item;
  cJSON_ArrayForEach(item, object) {
    const char *at = cJSON_IsString(item) ? item->valuestring : "";
    while ((at = strchr(at, '{')) != NULL) {
      ++at;
      const char *inner = at + (*at == '#' && *name != '#');
      if (strncmp(inner, name, length) == 0 && inner[length] == '}') {
        return 1;
      }
    }
    if ((item->string == NULL || strcmp(item->string, "over") != 0) &&
        has_gap(item, name, length)) {
      return 1;
    }
  }
  return 0;
}

/* Words that stand nowhere make cells that are all the same. */
static int check_use(const cJSON *group, const cJSON *list, const char *file) {
  size_t length = 0;
  const char *name;
  int is_used = size_of(list) < 2;
  for (int k = 0; !is_used && (name = name_of(list->string, k, &length)) != NULL; ++k) {
    is_used = has_gap(group, name, length);
  }
  return is_used ? BASE_OK
                 : base_fail(BASE_E_INPUT,
                             "%s: key 'over.%s': no text of these cells has {%.*s}, so that they "
                             "would all be the same",
                             file, list->string, (int)strcspn(list->string, ", "), list->string);
}

int bench_over_count(const cJSON *group, const char *file, int *n) {
  const cJSON *over = cJSON_GetObjectItemCaseSensitive(group, "over"), *list;
  *n = 1;
  if (over != NULL && !cJSON_IsObject(over)) {
    return base_fail(BASE_E_INPUT, "%s: key 'over': must be an object of lists", file);
  }
  cJSON_ArrayForEach(list, over) {
    int status = check_list(list, file);
    status = status != BASE_OK ? status : check_use(group, list, file);
    if (status != BASE_OK) {
      return status;
    }
    if (size_of(list) > COMBINATIONS_MAX / *n) {
      return base_fail(BASE_E_INPUT, "%s: key 'over': more than %d combinations", file,
                       COMBINATIONS_MAX);
    }
    *n *= size_of(list);
  }
  return BASE_OK;
}

void bench_place_add(struct bench_place *place, const char *key, const char *value,
                     struct base_arena *arena) {
  const size_t n = (size_t)place->n_swept;
  struct bench_swept *grown = base_arena_array(arena, n + 1, 1, sizeof *grown);
  if (n > 0) {
    memcpy(grown, place->swept, n * sizeof *grown);
  }
  grown[n] = (struct bench_swept){key, value};
  place->swept = grown;
  ++place->n_swept;
}

int bench_over_list(const cJSON *group, const char *name) {
  const cJSON *list;
  int at = 0;
  cJSON_ArrayForEach(list, cJSON_GetObjectItemCaseSensitive(group, "over")) {
    size_t length;
    const char *part;
    for (int k = 0; (part = name_of(list->string, k, &length)) != NULL; ++k) {
      if (strlen(name) == length && strncmp(part, name, length) == 0) {
        return at;
      }
    }
    ++at;
  }
  return -1;
}

/* Word number i of a list into the place, and its number where a '#' is before the name. */
static void add_word(const cJSON *list, int i, struct base_arena *arena, struct bench_place *place,
                     struct bench_place *numbers) {
  const cJSON *word = cJSON_IsArray(list) ? cJSON_GetArrayItem(list, i) : NULL;
  const char *number = base_arena_printf(arena, "%d", i), *part;
  size_t length;
  for (int k = 0; (part = name_of(list->string, k, &length)) != NULL; ++k) {
    const cJSON *value = cJSON_IsArray(word) ? cJSON_GetArrayItem(word, k) : word;
    const char *name = base_arena_printf(arena, "%.*s", (int)length, part);
    bench_place_add(place, name, value != NULL ? bench_option_text(value, arena) : number, arena);
    bench_place_add(numbers, base_arena_printf(arena, "#%s", name), number, arena);
  }
}

static const char *find_word(const struct bench_place *place, const char *name, size_t length) {
  for (int i = 0; i < place->n_swept; ++i) {
    if (strlen(place->swept[i].key) == length && strncmp(place->swept[i].key, name, length) == 0) {
      return place->swept[i].value;
    }
  }
  return NULL;
}

/* A text with words in the place of its {names}; names of something else stay. */
static const char *filled(const char *text, const struct bench_place *words,
                          const struct bench_place *numbers, struct base_arena *arena) {
  const char *out = "";
  while (*text != '\0') {
    const size_t plain = strcspn(text, "{");
    const char *end = text[plain] == '{' ? strchr(text + plain, '}') : NULL;
    const size_t length = end != NULL ? (size_t)(end - text) - plain - 1 : 0;
    const char *word = end != NULL ? find_word(words, text + plain + 1, length) : NULL;
    word = word != NULL || end == NULL ? word : find_word(numbers, text + plain + 1, length);
    const size_t kept = word != NULL ? plain : plain + (text[plain] == '{');
    out = base_arena_printf(arena, "%s%.*s%s", out, (int)kept, text, word != NULL ? word : "");
    text = word != NULL ? end + 1 : text + kept;
  }
  return out;
}

/* All texts of an object or list. What becomes no text at all is left out. */
static void fill(cJSON *object, const struct bench_place *words, const struct bench_place *numbers,
                 struct base_arena *arena) {
  for (cJSON *item = object->child, *next; item != NULL; item = next) {
    next = item->next;
    const int has_gap = cJSON_IsString(item) && strchr(item->valuestring, '{') != NULL;
    const char *text = has_gap ? filled(item->valuestring, words, numbers, arena) : NULL;
    if (has_gap && text[0] == '\0') {
      cJSON_Delete(cJSON_DetachItemViaPointer(object, item));
    } else if (has_gap) {
      cJSON_SetValuestring(item, text);
    } else {
      fill(item, words, numbers, arena);
    }
  }
}

void bench_over_fill(cJSON *object, const struct bench_place *words, struct base_arena *arena) {
  fill(object, words, &(const struct bench_place){0}, arena);
}

cJSON *bench_over_take(const cJSON *group, int i, struct base_arena *arena,
                       struct bench_place *place) {
  const cJSON *over = cJSON_GetObjectItemCaseSensitive(group, "over"), *list, *item;
  cJSON *copy = cJSON_CreateObject();
  struct bench_place numbers = {0};
  int rest = 1;
  cJSON_ArrayForEach(item, group) {
    if (item != over) {
      cJSON_AddItemToObject(copy, item->string, cJSON_Duplicate(item, 1));
    }
  }
  cJSON_ArrayForEach(list, over) { rest *= size_of(list); }
  cJSON_ArrayForEach(list, over) {
    rest /= size_of(list);
    add_word(list, i / rest % size_of(list), arena, place, &numbers);
  }
  if (over != NULL) {
    fill(copy, place, &numbers, arena);
  }
  return copy;
}
