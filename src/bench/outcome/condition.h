/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The condition of a search on the record of a run, as --until has it.
 */
#ifndef BENCH_CONDITION_H
#define BENCH_CONDITION_H

struct cJSON;

struct bench_condition {
  char key[128];
  int is_absolute, is_above; /* |key|, > or < */
  int of_status, wanted;     /* status=STATUS */
  int is_stable;             /* the word `stable` */
  double limit;
};

/* Read KEY<X, KEY>X, |KEY|<X, |KEY|>X, status=STATUS or `stable`. Stability is measured by the
 * status of the run and by the energy that its steps created, over the energy at stake. A
 * formulation's own estimate (status unstable) does not count. BASE_E_INPUT with a message. */
int bench_condition_parse(const char *text, struct bench_condition *c);
/* Does a run fulfil it (`condition` is a struct bench_condition)? The number at its key in a
 * record, NaN where it is null, BASE_E_INPUT where there is none. */
int bench_condition_holds(const void *condition, int status, double measured);
/* Which part of a run does it need? */
enum bench_condition_need {
  BENCH_NEEDS_STATE,       /* status and energy */
  BENCH_NEEDS_COORDINATES, /* errors of the coordinates too */
  BENCH_NEEDS_RECORD       /* all of it */
};
enum bench_condition_need bench_condition_needs(const struct bench_condition *c);
int bench_condition_measure(const struct bench_condition *c, const struct cJSON *record,
                            double *value);

/* The value at a dotted path; below final.q and final.u by the name of a component (final.u.vx, of
 * scenes final.q.ball.x). NULL: there is none. */
const struct cJSON *bench_record_at(const struct cJSON *record, const char *path);

#endif
