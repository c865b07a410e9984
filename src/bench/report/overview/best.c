/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which runs cannot be told from the best of their row and step: asked of a frame, whose `best`
 * states the rule (frame/best.c); and what it comes to, in sentences.
 */
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/frame.h"
#include "bench/report/overview/overview.h"
#include "form/form.h"

/* Columns of the frame that is asked: a row a run that stands for its formulation at a step, a
 * block of columns a quantity. */
enum { ROW, FORM, STEP, USABLE, RECORD, BLOCKS };
enum { VALUE, FLOOR, LO, HI, BLOCK };
static const char *const names[BLOCKS] = {"row", "form", "dt", "usable", "record"};
static const char *const parts[BLOCK] = {"value", "floor", "lo", "hi"};

static int column_of(enum overview_quantity q, int part) { return BLOCKS + BLOCK * (int)q + part; }

static void put(struct frame *f, long at, int column, double x) {
  *frame_at(f, at, column) = (struct frame_value){.number = x};
}

/* Between which times noise may have put it, or of an ensemble the interval of its median. */
static double bound_of(const struct report_record *r, enum overview_quantity q, int upper) {
  return q == OVERVIEW_TIME ? report_time_bound(r, upper)
                            : overview_of_members(r, q, upper ? "hi" : "lo");
}

static void push_run(struct frame *f, const struct report *report, int k,
                     const struct report_record *r) {
  const long at = frame_push(f);
  put(f, at, ROW, k);
  put(f, at, FORM, r->form);
  put(f, at, STEP, r->dt);
  put(f, at, USABLE, frame_is_usable(r->json));
  put(f, at, RECORD, (double)(r - report->records));
  for (int q = 0; q < OVERVIEW_QUANTITIES; ++q) {
    const struct frame_list *members = overview_members(r, q, f->arena);
    if (members != NULL) {
      *frame_at(f, at, column_of(q, VALUE)) =
          (struct frame_value){.kind = FRAME_LIST, .list = members};
    } else {
      put(f, at, column_of(q, VALUE), overview_value(r, q));
    }
    put(f, at, column_of(q, FLOOR), overview_floor(r, q));
    put(f, at, column_of(q, LO), bound_of(r, q, 0));
    put(f, at, column_of(q, HI), bound_of(r, q, 1));
  }
}

/* All that compete, at all of their steps: references do not. */
static struct frame *competitors(const struct report *report, const struct overview *o) {
  struct frame *f = frame_new(report->arena);
  for (int i = 0; i < BLOCKS; ++i) {
    frame_add(f, names[i], "");
  }
  for (int q = 0; q < OVERVIEW_QUANTITIES; ++q) {
    for (int part = 0; part < BLOCK; ++part) {
      frame_add(
          f, base_arena_printf(report->arena, "%s.%s", overview_measures[q].name, parts[part]), "");
    }
  }
  for (int k = 0; k < o->n; ++k) {
    for (int i = 0; i < o->rows[k].n; ++i) {
      const struct report_record *r = o->rows[k].records[i];
      if (o->place[r->form] != OVERVIEW_REFERENCE && overview_letter(r->status)[0] == '\0' &&
          overview_pick(&o->rows[k], r->form, r->dt) == r) {
        push_run(f, report, k, r);
      }
    }
  }
  return f;
}

int overview_frame(const struct report *report, struct overview *o) {
  struct base_arena *arena = report->arena;
  struct frame *f = competitors(report, o);
  int status = BASE_OK;
  o->is_best =
      base_arena_array(arena, (size_t)report->n_records + 1, OVERVIEW_QUANTITIES, sizeof(char));
  for (int q = 0; q < OVERVIEW_QUANTITIES && status == BASE_OK; ++q) {
    const char *name = overview_measures[q].name;
    cJSON *query = base_json_parse(
        base_arena_printf(
            arena,
            "[{\"best\": \"%s.value\", \"of\": \"form\", \"groupby\": [\"row\"], \"beside\": "
            "\"dt\","
            " \"floor\": \"%s.floor\", \"interval\": [\"%s.lo\", \"%s.hi\"], \"as\": \"%s\"}]",
            name, name, name, name, name),
        "overview");
    status = frame_transform(&f, query, "overview");
    cJSON_Delete(query);
    const int column = status == BASE_OK ? frame_find(f, name) : -1;
    for (long at = 0; at < f->n_rows && column >= 0; ++at) {
      const long record = (long)frame_real(f, at, RECORD);
      o->is_best[record * OVERVIEW_QUANTITIES + q] = frame_real(f, at, column) == 1;
    }
  }
  return status;
}

/* ---- what it comes to ---- */

enum { NAMED = 3 }; /* formulations in a conclusion */

static int count_framed(const struct overview *o, int form, enum overview_quantity q) {
  int n = 0;
  for (int k = 0; k < o->n; ++k) {
    n += o->rows[k].cells[form].is_best[q];
  }
  return n;
}

static int count_supported(const struct overview *o, int form) {
  int n = 0;
  for (int k = 0; k < o->n; ++k) {
    n += overview_is_supported(&o->rows[k], form);
  }
  return n;
}

/* The formulation that is framed most often behind one framed n times, the earlier of equals; -1:
 * none is. */
static int next_of(const struct overview *o, enum overview_quantity q, int after, int n) {
  int best = -1, most = 0;
  for (int form = 0; form < form_count(); ++form) {
    const int m = o->place[form] != OVERVIEW_REFERENCE ? count_framed(o, form, q) : 0;
    if (m > most && (m < n || (m == n && form > after))) {
      most = m;
      best = form;
    }
  }
  return best;
}

const char *overview_conclusion(const struct report *report, const struct overview *o,
                                enum overview_quantity q) {
  const char *text = "";
  int form = -1, n = o->n + 1;
  for (int i = 0; i < NAMED && (form = next_of(o, q, form, n)) >= 0; ++i) {
    n = count_framed(o, form, q);
    text = base_arena_printf(report->arena, "%s%s%s in %d of %d cases", text,
                             i > 0 ? ", " : "Best, or level with the best: ", form_get(form)->name,
                             n, count_supported(o, form));
  }
  return text[0] != '\0' ? base_arena_printf(report->arena, "%s.", text) : "";
}
