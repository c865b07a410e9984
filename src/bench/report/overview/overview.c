/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The overview's rows and cells from records; see overview.h.
 */
#include "bench/report/overview/overview.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/study.h"
#include "form/form.h"

const struct overview_measure overview_measures[OVERVIEW_QUANTITIES] = {
    {"error", "error", "log10 of the largest error of the coordinates over the system's length", 1,
     0, -6, 0},
    {"drift", "energy drift", "log10 of the largest numerical energy drift over the largest energy",
     1, 0, -8, 0},
    {"penetration", "penetration", "log10 of the largest penetration over the system's length", 1,
     0, -8, 0},
    {"iterations", "iterations", "iterations of the solver a step", 0, 0, -1, 3},
    {"time", "time", "time of all steps over that of the fastest formulation of the row", 0, 1, 0,
     2.5}};

/* Of a double, summed up over a run. */
static const double ROUNDING = 1e-12;

static double length_of(const struct report_record *r) {
  return base_json_real_at(r->json, "quality.scales.length");
}

/* How each quantity is read: the record's number, its name in an ensemble, and what it is over. */
static double scale_of(const struct report_record *r, enum overview_quantity q) {
  switch (q) {
  case OVERVIEW_ERROR: /* no better known than what is judged: nothing */
    return isfinite(base_json_real_at(r->json, "quality.measures.position")) ? length_of(r) : NAN;
  case OVERVIEW_DRIFT:
    return report_energy_scale(r->json);
  case OVERVIEW_PENETRATION:
    return length_of(r);
  case OVERVIEW_ITERATIONS:
    return base_json_real_at(r->json, "steps");
  default:
    return 1;
  }
}

static const char *const paths[OVERVIEW_QUANTITIES] = {
    "errors.q_linf", "energy.max_numerical_drift", "constraints.penetration_max",
    "iterations.total", "timing.steps_s"};

static int is_many(const struct report_record *r) { return report_is_of(r, "overview"); }

double overview_of_members(const struct report_record *r, enum overview_quantity q,
                           const char *which) {
  const cJSON *summary =
      cJSON_GetObjectItemCaseSensitive(base_json_at(r->json, "ensemble.summary"), paths[q]);
  return summary != NULL && is_many(r) ? base_json_real_at(summary, which) / scale_of(r, q) : NAN;
}

const struct frame_list *overview_members(const struct report_record *r, enum overview_quantity q,
                                          struct base_arena *arena) {
  const cJSON *summary = base_json_at(r->json, "ensemble.summary"), *item;
  const cJSON *members = base_json_at(r->json, "ensemble.members"), *member;
  int place = 0;
  cJSON_ArrayForEach(item, summary) {
    if (strcmp(item->string, paths[q]) == 0) {
      break;
    }
    ++place;
  }
  const double scale = scale_of(r, q);
  if (item == NULL || cJSON_GetArraySize(members) == 0 || !is_many(r) || !(scale > 0)) {
    return NULL;
  }
  struct frame_list *list = base_arena_push(arena, sizeof *list);
  double *x = base_arena_doubles(arena, cJSON_GetArraySize(members));
  *list = (struct frame_list){.n = 0, .x = x};
  cJSON_ArrayForEach(member, members) {
    const cJSON *number =
        cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(member, "numbers"), place);
    x[list->n++] = cJSON_IsNumber(number) ? number->valuedouble / scale : NAN;
  }
  return list;
}

double overview_value(const struct report_record *r, enum overview_quantity q) {
  if (q == OVERVIEW_ERROR && report_is_reference(r)) {
    return NAN;
  }
  const double members = overview_of_members(r, q, "median"), scale = scale_of(r, q);
  const double x = isnan(members) ? base_json_real_at(r->json, paths[q]) / scale : members;
  /* Without a single solve, or by a scheme without a solver, there is no number of iterations. */
  return scale > 0 && !(q == OVERVIEW_ITERATIONS && x <= 0) ? x : NAN;
}

double overview_floor(const struct report_record *r, enum overview_quantity q) {
  return q == OVERVIEW_ERROR         ? fmax(report_error_floor(r) / length_of(r), ROUNDING)
         : q <= OVERVIEW_PENETRATION ? ROUNDING
                                     : 0;
}

const char *overview_letter(int status) {
  return status == BASE_DIVERGED   ? "D"
         : status == BASE_UNSTABLE ? "U"
         : status == BASE_TIMEOUT  ? "T"
         : status == BASE_FAILED   ? "F"
                                   : "";
}

int overview_is_supported(const struct overview_row *row, int form) {
  for (int i = 0; i < row->n; ++i) {
    if (row->records[i]->form == form && row->records[i]->status != BASE_UNSUPPORTED) {
      return 1;
    }
  }
  return 0;
}

static enum overview_kind kind_of(const struct report_record *r, enum overview_quantity q) {
  return r->status == BASE_UNSUPPORTED                   ? OVERVIEW_UNSUPPORTED
         : overview_letter(r->status)[0] != '\0'         ? OVERVIEW_FAILED
         : q == OVERVIEW_ERROR && report_is_reference(r) ? OVERVIEW_OWN
         : isnan(overview_value(r, q))                   ? OVERVIEW_UNKNOWN
         : overview_value(r, q) <= overview_floor(r, q) && q <= OVERVIEW_PENETRATION
             ? OVERVIEW_ROUNDING
             : OVERVIEW_NUMBER;
}

/* Members before a single run, then one that ended well. */
const struct report_record *overview_pick(const struct overview_row *row, int form, double dt) {
  const struct report_record *picked = NULL;
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    if (r->form == form && (r->dt == dt || form_get(form)->chooses_steps) &&
        (picked == NULL || is_many(r) > is_many(picked) ||
         (strcmp(r->study, picked->study) == 0 && picked->status != BASE_OK &&
          r->status == BASE_OK))) {
      picked = r;
    }
  }
  return picked;
}

static void fill_cell(struct overview_row *row, int form) {
  struct overview_cell *cell = &row->cells[form];
  const struct report_record *r = cell->record = overview_pick(row, form, row->dt);
  for (int q = 0; q < OVERVIEW_QUANTITIES; ++q) {
    cell->kind[q] = r != NULL ? kind_of(r, q) : OVERVIEW_ABSENT;
    cell->value[q] = r != NULL ? overview_value(r, q) : NAN;
    cell->p10[q] = r != NULL ? overview_of_members(r, q, "p10") : NAN;
    cell->p90[q] = r != NULL ? overview_of_members(r, q, "p90") : NAN;
  }
}

/* The shortest of the steps that most formulations share; those with steps of their own are left
 * out. */
static double shared_step(const struct overview_row *row) {
  double shared = NAN;
  int most = 0;
  for (int i = 0; i < row->n; ++i) {
    const double dt = row->records[i]->dt;
    int n = 0;
    for (int form = 0; form < form_count(); ++form) {
      const struct report_record *r =
          form_get(form)->chooses_steps ? NULL : overview_pick(row, form, dt);
      n += r != NULL && r->status != BASE_UNSUPPORTED;
    }
    if (isnan(shared) || n > most || (n == most && dt < shared)) {
      shared = dt;
      most = n;
    }
  }
  return shared;
}

static void fill_row(const struct report *report, struct overview_row *row) {
  row->cells = base_arena_push(report->arena, (size_t)form_count() * sizeof *row->cells);
  for (int form = 0; form < form_count(); ++form) {
    row->cells[form] = (struct overview_cell){.record = NULL};
    fill_cell(row, form);
  }
}

/* What is framed, and the best of it. */
static void mark_row(const struct report *report, const struct overview *o,
                     struct overview_row *row) {
  for (int q = 0; q < OVERVIEW_QUANTITIES; ++q) {
    row->least[q] = NAN;
    for (int form = 0; form < form_count(); ++form) {
      struct overview_cell *cell = &row->cells[form];
      const struct report_record *r = cell->record;
      cell->is_best[q] =
          r != NULL && o->is_best[(r - report->records) * OVERVIEW_QUANTITIES + q] != 0;
      if (cell->is_best[q]) {
        row->least[q] = fmin(row->least[q], cell->value[q]);
      }
    }
  }
}

struct overview_row overview_at(const struct report *report, const struct overview *o,
                                const struct overview_row *row, double dt) {
  struct overview_row at = *row;
  at.dt = dt;
  fill_row(report, &at);
  mark_row(report, o, &at);
  return at;
}

static void finish_row(const struct report *report, struct overview_row *row) {
  row->group = overview_group_of(report, row->n, row->records);
  row->dt = shared_step(row);
  row->reference = "none";
  for (int i = 0; i < row->n && strcmp(row->reference, "none") == 0; ++i) {
    const struct report_record *r = row->records[i];
    const char *kind = base_json_text_at(r->json, "reference.kind");
    row->reference = report_is_reference(r) ? form_get(r->form)->name
                     : kind[0] != '\0'      ? kind
                                            : "none";
  }
  fill_row(report, row);
}

static void place_forms(struct overview *o) {
  for (int form = 0; form < form_count(); ++form) {
    o->place[form] = OVERVIEW_NOWHERE;
    for (int k = 0; k < o->n; ++k) {
      if (!overview_is_supported(&o->rows[k], form)) {
        continue;
      }
      if (form_get(form)->chooses_steps) {
        o->place[form] = OVERVIEW_REFERENCE;
      } else if (o->rows[k].group != OVERVIEW_SMOOTH) {
        o->place[form] = OVERVIEW_MAIN;
      } else if (o->place[form] == OVERVIEW_NOWHERE) {
        o->place[form] = OVERVIEW_SMOOTH_ONLY;
      }
    }
  }
  /* Where nothing but smooth motion is, there is nothing to set apart. */
  int n_main = 0;
  for (int form = 0; form < form_count(); ++form) {
    n_main += o->place[form] == OVERVIEW_MAIN;
  }
  for (int form = 0; form < form_count() && n_main == 0; ++form) {
    o->place[form] = o->place[form] == OVERVIEW_SMOOTH_ONLY ? OVERVIEW_MAIN : o->place[form];
  }
}

/* Rows stay in the order of the cases within a group. */
static void sort_by_group(struct base_arena *arena, struct overview *o) {
  struct overview_row *sorted = base_arena_push(arena, (size_t)o->n * sizeof *sorted);
  int n = 0;
  for (int group = 0; group < OVERVIEW_GROUPS; ++group) {
    for (int k = 0; k < o->n; ++k) {
      if ((int)o->rows[k].group == group) {
        sorted[n++] = o->rows[k];
      }
    }
  }
  o->rows = sorted;
}

double overview_shown(const struct overview_row *row, enum overview_quantity q, double value) {
  const struct overview_measure *m = &overview_measures[q];
  const double x = m->is_over_least && !row->is_ratio ? value / row->least[q] : value;
  return m->is_log || row->is_ratio ? log10(x) : x;
}

int overview_colour(const struct overview_row *row, enum overview_quantity q, double value) {
  const struct overview_measure *m = &overview_measures[q];
  const double x = overview_shown(row, q, value);
  const double size = m->is_log || row->is_ratio ? x : log10(x);
  const double lo = row->is_ratio ? -OVERVIEW_RATIO : m->lo;
  const double hi = row->is_ratio ? OVERVIEW_RATIO : m->hi;
  const double level = (size - lo) / (hi - lo) * (OVERVIEW_COLOURS - 1);
  return level > 0 ? (int)fmin(round(level), OVERVIEW_COLOURS - 1) : 0;
}

struct overview *overview_make(const struct report *report) {
  struct base_arena *arena = report->arena;
  struct overview *o = base_arena_push(arena, sizeof *o);
  *o = (struct overview){.n = 0};
  o->rows = base_arena_array(arena, (size_t)report->n_compared + 1, 1, sizeof *o->rows);
  o->place = base_arena_push(arena, (size_t)form_count() * sizeof *o->place);
  for (int i = 0; i < report->n_compared; ++i) {
    const struct report_row *from = &report->compared[i];
    o->rows[o->n++] = (struct overview_row){
        .title = from->title, .t_end = from->t_end, .n = from->n, .records = from->records};
  }
  for (int k = 0; k < o->n; ++k) {
    finish_row(report, &o->rows[k]);
  }
  sort_by_group(arena, o);
  place_forms(o);
  if (overview_frame(report, o) != BASE_OK) {
    return NULL;
  }
  for (int k = 0; k < o->n; ++k) {
    mark_row(report, o, &o->rows[k]);
  }
  return o;
}
