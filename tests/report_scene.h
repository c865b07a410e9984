/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Few records in memory, of motions that are called "a", "b", "c", "d", as studies see them.
 */
#ifndef TESTS_REPORT_SCENE_H
#define TESTS_REPORT_SCENE_H

#include "bench/report/kit/study.h"

enum { REPORT_SCENE_RECORDS = 32 };
struct report_scene {
  struct report report;
  struct report_record records[REPORT_SCENE_RECORDS];
  cJSON *json[REPORT_SCENE_RECORDS]; /* of the records */
  struct frame *motions;
};
extern const char *const report_scene_names[4]; /* of motions */

/* From the arena of the test. */
struct report_scene *report_scene_begin(void);
/* A record of a motion; text: of the whole of it, with ' for ". */
cJSON *report_scene_add(struct report_scene *s, int motion, const char *form, int status,
                        const char *text);
/* The records are read, for the tables of a study. */
void report_scene_read(struct report_scene *s, const struct bench_figure *study);

#endif
