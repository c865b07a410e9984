/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What names mean in an expression about a run of a figure; see values.h. In this order:
 *
 *   names that the figure defines        expressions of their own
 *   label, status, reason, dt            of the run
 *   t, energy, q.NAME, u.NAME            vectors over its samples; of a pattern `q.x*` those that
 *   fit,
 *                                        one behind the other
 *   errors.q_linf, final.u.vx, ...       paths into its record, also below final.q and final.u
 *   mu, g, ...                           parameters of its case
 *
 * What another run of the figure has, or a record may have, and this one has not, is missing. A run
 * that did not end has only what it was asked for; anything else of it is absent, and so is all
 * that is made of it (enum frame_answer).
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/figure/values.h"
#include "bench/outcome/condition.h"
#include "bench/record/fields.h"

static const struct bench_runs *runs_of(const struct frame_scope *scope) { return scope->data; }

static const char *label_of(const struct case_series *s) { return s->run->label; }

static enum frame_answer found_text(struct frame_value *value, const char *text) {
  *value = frame_word(text);
  return FRAME_FOUND;
}

/* ---- samples ---- */

/* Names of the components that a name "q.x1" or "u.x1" is among; NULL: it is of another kind. */
static const cJSON *components_of(const struct case_series *s, const char *name) {
  return strncmp(name, "q.", 2) == 0   ? base_json_at(s->record, "final.q_names")
         : strncmp(name, "u.", 2) == 0 ? base_json_at(s->record, "final.u_names")
                                       : NULL;
}

static int is_component(const char *name, const cJSON *component) {
  return cJSON_IsString(component) && bench_label_matches(name + 2, component->valuestring);
}

/* How many components a name is about: of a pattern, "q.x*", several. */
static int count_components(const struct case_series *s, const char *name) {
  const cJSON *names = components_of(s, name), *item;
  int count = 0;
  cJSON_ArrayForEach(item, names) { count += is_component(name, item); }
  return count;
}

static int is_of_samples(const struct case_series *s, const char *name) {
  return strcmp(name, "t") == 0 || strcmp(name, "energy") == 0 || count_components(s, name) > 0;
}

/* Components of a pattern one behind the other. */
static enum frame_answer samples_of(struct base_arena *arena, const struct case_series *s,
                                    const char *name, struct frame_value *value) {
  const int count = count_components(s, name), width = name[0] == 'q' ? s->nq : s->nu;
  const cJSON *names = components_of(s, name), *item;
  if (s->n == 0) {
    base_fail(BASE_E_INPUT, "run '%s' has no samples; its cell wants a \"sample\"", label_of(s));
    return FRAME_REFUSED;
  }
  double *to = frame_vector(arena, s->n * (count > 0 ? count : 1), value);
  if (count == 0) {
    memcpy(to, name[0] == 't' ? s->t : s->energy, (size_t)s->n * sizeof *to);
  }
  const double *from = name[0] == 'q' ? s->q : s->u;
  cJSON_ArrayForEach(item, names) {
    const int n = is_component(name, item) ? s->n : 0;
    for (int k = 0; k < n; ++k) {
      *to++ = from[(size_t)k * (size_t)width];
    }
    ++from;
  }
  return FRAME_FOUND;
}

/* ---- records ---- */

/* What a name is in a record; NULL: nothing. */
static const cJSON *item_of(const struct case_series *s, const char *name) {
  const cJSON *item = s->record != NULL ? bench_record_at(s->record, name) : NULL;
  if (item == NULL && s->record != NULL) {
    item = cJSON_GetObjectItemCaseSensitive(base_json_at(s->record, "case.parameters"), name);
  }
  return cJSON_IsObject(item) ? NULL : item;
}

/* Is it what a run was asked for, which it has however it ended? */
static int is_asked(const struct case_series *s, const char *name) {
  static const char *const blocks[] = {"case.", "formulation.", "solver.", "cell.", "t_end"};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
    if (strncmp(name, blocks[i], strlen(blocks[i])) == 0) {
      return 1;
    }
  }
  return s->record != NULL && bench_record_at(s->record, name) == NULL && item_of(s, name) != NULL;
}

/* May a record have it, or has that of another run? Observables of runs none of which ended are
 * not known. */
static int is_known(const struct bench_runs *runs, const char *name) {
  const struct bench_field *field = bench_field_find(name);
  int known = field != NULL && !bench_field_is_object(field);
  for (int i = 0; i < runs->n && !known; ++i) {
    const struct case_series *s = &runs->series[i];
    known = is_of_samples(s, name) || item_of(s, name) != NULL ||
            (!case_series_ended(s) && strncmp(name, "observables.", 12) == 0);
  }
  return known;
}

static enum frame_answer absent(const struct case_series *s) {
  base_fail(BASE_FAILED, "run '%s' ended %s: %s", label_of(s), base_status_name(s->status),
            s->reason != NULL ? s->reason : "");
  return FRAME_ABSENT;
}

static enum frame_answer value_of_run(const struct frame_scope *scope, const struct case_series *s,
                                      const char *name, struct frame_value *value) {
  if (strcmp(name, "label") == 0) {
    return found_text(value, label_of(s));
  }
  if (strcmp(name, "status") == 0) {
    return found_text(value, base_status_name(s->status));
  }
  if (strcmp(name, "reason") == 0) {
    return found_text(value, s->reason != NULL ? s->reason : "");
  }
  if (strcmp(name, "dt") == 0) {
    const double dt = s->record != NULL ? base_json_real_at(s->record, name) : NAN;
    *value = frame_number(isnan(dt) && s->run->dt > 0 ? s->run->dt : dt);
    return FRAME_FOUND;
  }
  const int of_samples = is_of_samples(s, name);
  double x; /* a constant is of no run: all would be looked through for it, each time */
  if (!of_samples && item_of(s, name) == NULL &&
      (frame_constant(name, &x) || !is_known(runs_of(scope), name))) {
    return FRAME_NONE;
  }
  if (!case_series_ended(s) && !scope->is_recorded && !is_asked(s, name)) {
    return absent(s);
  }
  if (of_samples) {
    return samples_of(scope->arena, s, name, value);
  }
  *value = frame_value_of(scope->arena, item_of(s, name));
  return FRAME_FOUND;
}

/* ---- scopes ---- */

static enum frame_answer scope_value(const struct frame_scope *scope, const char *name,
                                     struct frame_value *value) {
  const struct bench_runs *runs = runs_of(scope);
  const struct frame_expression *meaning =
      runs->define != NULL ? frame_definition_find(runs->define, name) : NULL;
  return meaning != NULL  ? frame_definition_value(scope, name, meaning, value)
         : scope->at >= 0 ? value_of_run(scope, &runs->series[scope->at], name, value)
                          : FRAME_NONE;
}

/* For messages: what is defined, of samples, parameters and fields. */
static const char *const *scope_names(const struct frame_scope *scope, int *n) {
  static const char *const own[] = {"label", "status", "reason", "dt", "t", "energy"};
  const struct bench_runs *runs = runs_of(scope);
  const cJSON *record = scope->at >= 0 ? runs->series[scope->at].record : NULL, *item;
  const cJSON *lists[] = {base_json_at(record, "case.parameters"),
                          base_json_at(record, "final.q_names"),
                          base_json_at(record, "final.u_names")};
  const int n_defined = runs->define != NULL ? runs->define->n : 0;
  size_t most = sizeof own / sizeof *own + (size_t)(bench_fields_count + n_defined);
  for (int i = 0; i < 3; ++i) {
    most += (size_t)cJSON_GetArraySize(lists[i]);
  }
  const char **names = base_arena_push(scope->arena, most * sizeof *names);
  *n = 0;
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) {
    names[(*n)++] = own[i];
  }
  for (int i = 0; i < n_defined; ++i) {
    names[(*n)++] = runs->define->names[i];
  }
  for (int i = 0; i < 3; ++i) {
    cJSON_ArrayForEach(item, lists[i]) {
      names[(*n)++] = i < 1 ? item->string
                            : base_arena_printf(scope->arena, "%c.%s", i == 1 ? 'q' : 'u',
                                                cJSON_IsString(item) ? item->valuestring : "");
    }
  }
  for (int i = 0; i < bench_fields_count; ++i) {
    names[(*n)++] = bench_fields[i].key.name;
  }
  return names;
}

static enum frame_answer scope_runs(const struct frame_scope *scope, const char *pattern,
                                    int is_label, int *n, struct frame_scope **others) {
  const struct bench_runs *runs = runs_of(scope);
  const char *wanted = bench_run_text(scope->arena, runs, (int)scope->at, pattern);
  const char **labels = base_arena_push(scope->arena, ((size_t)runs->n + 1) * sizeof *labels);
  *others = base_arena_push(scope->arena, ((size_t)runs->n + 1) * sizeof **others);
  *n = 0;
  for (int i = 0; i < runs->n; ++i) {
    labels[i] = label_of(&runs->series[i]);
    if (is_label ? strcmp(wanted, labels[i]) == 0 : bench_label_matches(wanted, labels[i])) {
      (*others)[*n] = *scope;
      (*others)[(*n)++].at = i;
    }
  }
  if (is_label && *n == 0) {
    base_fail(BASE_E_INPUT, "there is no run '%s'%s", wanted, frame_hint(wanted, runs->n, labels));
    return FRAME_REFUSED;
  }
  return FRAME_FOUND;
}

static enum frame_answer scope_call(const struct frame_scope *scope, const char *name, int n,
                                    const struct frame_value *arguments,
                                    struct frame_value *value) {
  const struct bench_runs *runs = runs_of(scope);
  if (scope->at >= 0 && !scope->is_recorded && !case_series_ended(&runs->series[scope->at])) {
    return absent(&runs->series[scope->at]);
  }
  return runs->call != NULL ? runs->call(runs->data, (int)scope->at, name, n, arguments, value)
                            : FRAME_NONE;
}

struct frame_scope bench_run_scope(struct base_arena *arena, const struct bench_runs *runs, int i) {
  static const struct frame_scope_type type = {
      .value = scope_value, .names = scope_names, .runs = scope_runs, .call = scope_call};
  return (struct frame_scope){.type = &type,
                              .arena = arena,
                              .data = runs,
                              .at = i,
                              .known = base_arena_push(arena, sizeof(void *))};
}

/* ---- labels ---- */

/* Behind the number that a text begins with; NULL: it begins with none. */
static const char *after_number(const char *text) {
  char *end;
  if (*text < '0' || *text > '9') {
    return NULL;
  }
  (void)strtod(text, &end);
  return end;
}

/* has_gaps: what stands in braces is anything, too. */
static int matches(const char *pattern, const char *label, int has_gaps) {
  const char *star = NULL, *again = NULL; /* behind the last * and where it may begin anew */
  while (*label != '\0') {
    const char *rest = *pattern == '#' ? after_number(label) : NULL;
    const char *gap = has_gaps && *pattern == '{' ? strchr(pattern, '}') : NULL;
    if (*pattern == '*' || gap != NULL) {
      star = pattern = gap != NULL ? gap + 1 : pattern + 1;
      again = label;
    } else if (rest != NULL) {
      ++pattern;
      label = rest;
    } else if (*pattern == *label) {
      ++pattern;
      ++label;
    } else if (star != NULL) {
      pattern = star;
      label = ++again;
    } else {
      return 0;
    }
  }
  while (*pattern == '*' || (has_gaps && *pattern == '{' && strchr(pattern, '}') != NULL)) {
    pattern = *pattern == '*' ? pattern + 1 : strchr(pattern, '}') + 1;
  }
  return *pattern == '\0';
}

int bench_label_matches(const char *pattern, const char *label) {
  return matches(pattern, label, 0);
}

/* A label as cells write it is a pattern, too: "{form}-{dt}" is "*-*". */
int bench_label_is_of_cell(const char *label, const char *cell) { return matches(cell, label, 1); }

int bench_label_is_of(const char *label, const cJSON *of) {
  const cJSON *item;
  int is_of = cJSON_IsString(of) && bench_label_is_of_cell(label, of->valuestring);
  cJSON_ArrayForEach(item, of) { is_of = is_of || bench_label_is_of(label, item); }
  return is_of;
}

/* What a record says of {name}; NULL: nothing. */
static const char *word_of_record(struct base_arena *arena, const cJSON *record, const char *name) {
  char number[BASE_JSON_NUMBER_SIZE];
  struct frame_value v;
  if (strcmp(name, "formulation") == 0 || strcmp(name, "solver") == 0) {
    return base_json_text_at(record, base_arena_printf(arena, "%s.name", name));
  }
  frame_value_at(record, "", name, arena, &v);
  return v.kind == FRAME_TEXT ? v.text
         : v.kind == FRAME_NUMBER && !isnan(v.number)
             ? base_arena_copy(arena, base_json_number(v.number, number))
             : NULL;
}

struct of_run {
  const struct bench_runs *runs;
  int i;
};

static const char *word_in(void *data, struct base_arena *arena, const char *name) {
  const struct of_run *of = data;
  const struct bench_runs *runs = of->runs;
  const char *word = runs->word != NULL ? runs->word(runs->data, of->i, name) : NULL;
  return word != NULL ? base_arena_copy(arena, word)
                      : word_of_record(arena, runs->series[of->i].record, name);
}

const char *bench_run_text(struct base_arena *arena, const struct bench_runs *runs, int i,
                           const char *text) {
  struct of_run of = {runs, i};
  return i >= 0 ? frame_fill(arena, text, word_in, &of) : text;
}
