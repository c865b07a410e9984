/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records as rows of a table; study.h lists the sources and columns. What a record has itself was
 * kept when it was read (columns.h); here are the columns that are known once all have been.
 */
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/expression.h"
#include "bench/record/fields.h"
#include "bench/report/kit/columns.h"
#include "bench/report/kit/study.h"
#include "form/form.h"

#define OF_RECORD(name, value)                                                                     \
  static struct frame_value name(const struct report_record *r) { return value; }
OF_RECORD(form_number, frame_number(r->form))
OF_RECORD(chooses_steps,
          frame_number(r->form >= 0 ? (double)form_get(r->form)->chooses_steps : NAN))
OF_RECORD(case_place, frame_number(report_case_place(r)))
OF_RECORD(place, frame_number((double)(r - r->report->records)))
/* Figures' runs stand in for others only where there are none and no suite says what is wanted. */
OF_RECORD(is_of_figure_alone,
          frame_number(r->is_of_figure && (r->report->n_of_figures < r->report->n_records ||
                                           r->report->suite != NULL)))
OF_RECORD(path_of,
          frame_word(base_arena_printf(r->report->arena, "%s/%s", r->report->folder, r->file)))
OF_RECORD(expected, r->expected[0] != '\0' ? frame_word(r->expected) : frame_number(NAN))

typedef struct frame_value of_record(const struct report_record *r);
static const struct {
  const char *name;
  of_record *value;
} columns[] = {
    {"form", form_number}, {"chooses_steps", chooses_steps},           {"case_place", case_place},
    {"place", place},      {"is_of_figure_alone", is_of_figure_alone}, {"path", path_of},
    {"expected", expected}};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ---- rows ---- */

/* What a row is of: a record, alone or as one of a motion, and of a quantity of it. */
struct subject {
  const struct report_record *record; /* NULL: the other run has none of its name */
  long motion;                        /* row of the report's motions; -1: of none */
  int quantity;                       /* -1: of none */
};
struct subjects {
  const struct report *report;
  long n;
  struct subject *of;
};

static struct subjects subjects_new(const struct report *report, long most) {
  return (struct subjects){
      report, 0, base_arena_push(report->arena, (size_t)(most + 1) * sizeof(struct subject))};
}

static struct subjects all_records(const struct report *report) {
  struct subjects s = subjects_new(report, report->n_records);
  for (int i = 0; i < report->n_records; ++i) {
    s.of[s.n++] = (struct subject){&report->records[i], -1, -1};
  }
  return s;
}

/* The motions that are of a source, each once for every quantity; n_quantities 0: once. */
static struct subjects motions_of(const struct report *report, const char *source,
                                  int n_quantities) {
  const struct frame *motions = report->motions;
  const long n_rows = motions != NULL ? motions->n_rows : 0;
  struct subjects s = subjects_new(report, n_rows * (1 + n_quantities));
  for (long row = 0; row < n_rows; ++row) {
    if (strcmp(frame_text(motions, row, frame_find(motions, "source")), source) == 0) {
      const struct report_record *r = &report->records[(long)report_real(motions, row, "place")];
      for (int q = n_quantities > 0 ? 0 : -1; q < n_quantities; ++q) {
        s.of[s.n++] = (struct subject){r, row, q};
      }
    }
  }
  return s;
}

/* The records of the same names in the other run. */
static struct subjects before(const struct subjects *now) {
  struct subjects s = subjects_new(now->report, now->n);
  s.report = now->report->other;
  for (; s.n < now->n; ++s.n) {
    const struct report_record *r =
        s.report != NULL ? report_find(s.report, now->of[s.n].record->name) : NULL;
    s.of[s.n] = (struct subject){r, -1, now->of[s.n].quantity};
  }
  return s;
}

/* ---- columns ---- */

/* What all rows have in column `to` of a table under a name; *is_known: some record knows it. */
static int fill(const struct subjects *s, const char *name, struct frame *f, int to,
                int *is_known) {
  const struct report *report = s->report;
  const struct report_columns *kept = report->columns;
  const int motion = report->motions != NULL ? frame_find(report->motions, name) : -1;
  const int n_quantities = report_quantities(kept);
  int own = 0, *from = base_arena_ints(f->arena, n_quantities + 1); /* of none, then of each */
  const cJSON **says = base_arena_push(f->arena, (size_t)(n_quantities + 1) * sizeof(void *));
  while (own < COLUMNS && strcmp(columns[own].name, name) != 0) {
    ++own;
  }
  for (int q = -1; q < n_quantities; ++q) {
    from[q + 1] = report_column(kept, q, name);
    says[q + 1] = report_says(kept, q, name);
  }
  for (long row = 0; row < s->n; ++row) {
    const struct subject *of = &s->of[row];
    const int column = from[of->quantity + 1];
    struct frame_value *v = frame_at(f, row, to);
    int is_there = 1;
    if (motion >= 0 && of->motion >= 0) {
      *v = *frame_at(report->motions, of->motion, motion);
    } else if (of->record != NULL && own < COLUMNS) {
      *v = columns[own].value(of->record);
    } else if (of->record != NULL && says[of->quantity + 1] != NULL) {
      *v = frame_value_of(f->arena, says[of->quantity + 1]);
    } else if (of->record != NULL && column >= 0) {
      *v = *report_row_at(kept, of->record->row, column);
      is_there = report_column_is_known(kept, column);
    } else if (of->record != NULL) {
      return base_fail(BASE_E_INPUT, "%s: '%s' was not asked for when the records were read",
                       f->columns[to].by, name);
    }
    *is_known |= is_there;
  }
  return BASE_OK;
}

/* A study is of whatever records there are: parameters and options that none of them has are
 * missing, and blocks are texts. */
static int is_free(const char *name) {
  return bench_field_find(name) != NULL || bench_field_may_be_number(name);
}

static int fill_all(const struct subjects *s, struct frame *f) {
  const size_t length = strlen(REPORT_WAS);
  const struct subjects was = before(s);
  char *is_known = base_arena_array(f->arena, (size_t)f->n_columns + 1, 1, 1);
  int status = BASE_OK;
  for (long row = 0; row < s->n; ++row) {
    frame_push(f);
  }
  for (int i = 0; i < f->n_columns && status == BASE_OK; ++i) {
    const char *name = f->columns[i].name;
    const int is_of_other = strncmp(name, REPORT_WAS, length) == 0;
    int knows = is_of_other || is_free(name);
    if (!is_of_other) {
      status = fill(s, name, f, i, &knows);
    } else if (was.report != NULL) {
      status = fill(&was, name + length, f, i, &knows);
    }
    is_known[i] = (char)knows;
    f->columns[i].unit = report_column_unit(s->report->columns, name, f->columns[i].unit);
  }
  return status == BASE_OK && s->n > 0 ? frame_refuse_unknown(f, is_known) : status;
}

int report_source(void *data, const cJSON *table, struct frame *f) {
  struct report *report = data;
  const char *name = figure_study_from(table);
  struct subjects s;
  if (strcmp(name, "records") == 0) {
    s = all_records(report);
  } else if (strcmp(name, "before") == 0) {
    s = report->other != NULL ? all_records(report->other) : subjects_new(report, 0);
  } else if (strcmp(name, "quantities") == 0) {
    s = motions_of(report, "compared", report_quantities(report->columns));
  } else if (strcmp(name, "runs") == 0 || strcmp(name, "compared") == 0 ||
             strcmp(name, "searches") == 0) {
    s = motions_of(report, name, 0);
  } else {
    char *is_known = base_arena_array(f->arena, (size_t)f->n_columns + 1, 1, 1);
    const int status = report_other_source(report, name, f, is_known);
    return status == BASE_OK && f->n_rows > 0 ? frame_refuse_unknown(f, is_known) : status;
  }
  return fill_all(&s, f);
}

int report_find_motions(struct report *report) {
  const cJSON *json = report_sources(report);
  const struct bench_figure file = {.id = "sources", .path = REPORT_SOURCES, .json = json};
  const struct figure figure = {.file = &file};
  struct base_arena *scratch = base_arena_child(report->arena);
  struct figure_study made;
  const int status = figure_study_load(&figure, report_source, report, scratch, &made);
  report->motions =
      status == BASE_OK ? frame_copy(figure_study_table(&made, "motions"), report->arena) : NULL;
  base_arena_empty(scratch);
  return status;
}

double report_real(const struct frame *f, long row, const char *column) {
  return frame_real(f, row, frame_find(f, column));
}
