/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/report_scene.h"

#include <assert.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/columns.h"
#include "form/form.h"
#include "tests/frame_table.h"
#include "tests/test.h"

const char *const report_scene_names[4] = {"a", "b", "c", "d"};

struct report_scene *report_scene_begin(void) {
  struct base_arena *arena = test_arena();
  struct report_scene *s = base_arena_push(arena, sizeof *s);
  *s = (struct report_scene){.report = {.arena = arena, .folder = "", .records = s->records}};
  s->report.motions = s->motions = frame_table(arena, "source place row motion motions");
  return s;
}

static int form_of(const char *name) {
  int i = 0;
  while (i < form_count() && strcmp(form_get(i)->name, name) != 0) {
    ++i;
  }
  return i;
}

cJSON *report_scene_add(struct report_scene *s, int motion, const char *form, int status,
                        const char *text) {
  struct base_arena *arena = s->report.arena;
  const int i = s->report.n_records++;
  assert(i < REPORT_SCENE_RECORDS);
  struct report_record *r = &s->records[i];
  *r = (struct report_record){.name = base_arena_printf(arena, "r%02d", i),
                              .file = "r.json",
                              .case_name = report_scene_names[motion],
                              .form = form_of(form),
                              .status = status,
                              .report = &s->report,
                              .expected = ""};
  s->json[i] = test_parse(text);
  CHECK(s->json[i] != NULL && r->form < form_count());
  const char *rows = base_arena_printf(arena,
                                       "source place row motion motions\n"
                                       "runs %d %d %s 4\ncompared %d %d %s 4",
                                       i, motion + 1, r->case_name, i, motion + 1, r->case_name);
  for (int k = 0; k < 2; ++k) {
    frame_push_copy(s->motions, frame_table(arena, rows), k);
  }
  return s->json[i];
}

void report_scene_read(struct report_scene *s, const struct bench_figure *study) {
  s->report.columns = NULL;
  CHECK_MESSAGE(report_want(&s->report, study->json) == BASE_OK, "%s", base_message());
  for (int i = 0; i < s->report.n_records; ++i) {
    report_row_add(&s->report, s->json[i], &s->records[i]);
  }
}
