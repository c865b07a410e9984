/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The runs of a figure, from their description in figure.h.
 */
#include "cases/figure/figure.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int case_list_size(const struct case_list *list) {
  if (list->words == NULL) {
    return list->count;
  }
  int n = 0;
  for (const char *at = list->words; *(at += strspn(at, " ")) != '\0'; at += strcspn(at, " ")) {
    ++n;
  }
  return n;
}

/* Word number i of a text, *length characters. */
static const char *word_of(const char *text, int i, int *length) {
  for (text += strspn(text, " "); i > 0; --i) {
    text += strcspn(text, " ");
    text += strspn(text, " ");
  }
  *length = (int)strcspn(text, " ");
  return text;
}

/* Part number `part` of a word of *length characters, which become those of the part; 0 of one that
 * it does not have. */
static const char *part_of(const char *word, int part, int *length) {
  const char *end = word + *length;
  for (; part > 0 && word < end; --part) {
    word += strcspn(word, "/ ");
    word += word < end;
  }
  *length = word < end ? (int)strcspn(word, "/ ") : 0;
  return word;
}

/* Which part of the words of a list has this name; -1: none. */
static int part_named(const struct case_list *list, const char *name, int length) {
  const char *at = list->names;
  for (int part = 0; at != NULL && *at != '\0'; ++part) {
    const int n = (int)strcspn(at, "/");
    if (n == length && strncmp(at, name, (size_t)n) == 0) {
      return part;
    }
    at += n + (at[n] == '/');
  }
  return -1;
}

/* Write what stands for {name} or {#name}; 0: nothing is called so. */
static int write_value(const struct case_place *place, const char *name, int length, char *out,
                       size_t size) {
  const int number = name[0] == '#';
  for (int i = 0; i < CASE_LISTS; ++i) {
    const struct case_list *list = &place->runs->over[i];
    const int part = part_named(list, name + number, length - number), at = place->at[i];
    if (part >= 0 && (number || list->words == NULL)) {
      snprintf(out, size, "%d", at);
      return 1;
    }
    if (part >= 0) {
      int n;
      const char *word = word_of(list->words, at, &n);
      const char *text = part_of(word, part, &n);
      snprintf(out, size, "%.*s", n, text);
      return 1;
    }
  }
  return 0;
}

void case_place_expand(const struct case_place *place, const char *text, char out[CASE_TEXT]) {
  size_t n = 0;
  for (const char *at = text != NULL ? text : ""; *at != '\0' && n + 1 < CASE_TEXT;) {
    const size_t length = *at == '{' ? strcspn(at, "}") : 0;
    if (length > 0 && write_value(place, at + 1, (int)length - 1, out + n, CASE_TEXT - n)) {
      n += strlen(out + n);
      at += length + 1;
    } else {
      out[n++] = *at++;
    }
  }
  assert(n + 1 < CASE_TEXT);
  out[n] = '\0';
}

static double expand_real(const struct case_place *place, const char *text) {
  char out[CASE_TEXT];
  case_place_expand(place, text, out);
  return out[0] != '\0' ? strtod(out, NULL) : 0;
}

void case_place_text(const struct case_place *place, const char *name, char out[CASE_TEXT]) {
  const int found = write_value(place, name, (int)strlen(name), out, CASE_TEXT);
  assert(found);
  (void)found;
}

double case_place_real(const struct case_place *place, const char *name) {
  char out[CASE_TEXT];
  case_place_text(place, name, out);
  return strtod(out, NULL);
}

int case_runs_count(const struct case_runs *runs) {
  int n = 1;
  for (int k = 0; k < CASE_LISTS; ++k) {
    const int size = case_list_size(&runs->over[k]);
    n *= size > 0 ? size : 1;
  }
  return n;
}

struct case_place case_runs_place(const struct case_runs *runs, int i) {
  struct case_place place = {.runs = runs};
  for (int k = CASE_LISTS - 1; k >= 0; --k) {
    const int size = case_list_size(&runs->over[k]);
    if (size > 0) {
      place.at[k] = i % size;
      i /= size;
    }
  }
  return place;
}

int case_figure_run(const struct case_figure *figure, const struct case_parameters *p, int i,
                    struct case_run *run) {
  const struct case_runs *runs = figure->runs;
  for (; runs != NULL && runs->label != NULL && i >= case_runs_count(runs); ++runs) {
    i -= case_runs_count(runs);
  }
  if (runs == NULL || runs->label == NULL) {
    return 0;
  }
  const struct case_place place = case_runs_place(runs, i);
  *run = (struct case_run){.dt = expand_real(&place, runs->dt),
                           .t_end = expand_real(&place, runs->t_end),
                           .sample = expand_real(&place, runs->sample)};
  case_place_expand(&place, runs->label, run->label);
  case_place_expand(&place, runs->formulation, run->formulation);
  case_place_expand(&place, runs->solver, run->solver);
  case_place_expand(&place, runs->set, run->set);
  case_place_expand(&place, runs->opt, run->opt);
  case_place_expand(&place, runs->search, run->search);
  case_place_expand(&place, runs->until, run->until);
  case_place_expand(&place, runs->record, run->record);
  if (runs->fill != NULL) {
    runs->fill(p, &place, run);
  }
  return 1;
}
