/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A condition on a value of a record, as --where and --until have it and filters of a frame.
 */
#ifndef BENCH_CONDITION_H
#define BENCH_CONDITION_H

struct cJSON;

struct bench_condition {
  char key[128];
  int is_equality, is_not; /* key = or != one of `values`, "a|b|c"; else against limit */
  int is_absolute, is_above, or_equal; /* |key|, > or <, >= or <= */
  int of_status, wanted;               /* an equality of the key status with one that there is */
  int is_stable;                       /* the word `stable` */
  double limit;
  const char *values;
};

/* A condition on records, of any of the forms
 *   KEY<X  KEY<=X  KEY>X  KEY>=X  |KEY|<X ...  KEY=A|B|C  KEY!=A|B|C
 * option: for messages. BASE_E_INPUT with one. Keeps pointers into the text. */
int bench_condition_read(const char *option, const char *text, struct bench_condition *c);
/* Does the value at its key fulfil it? NULL and null fulfil nothing but KEY=null and KEY!=A. */
int bench_condition_fulfils(const struct bench_condition *c, const struct cJSON *item);
/* Those of --until: KEY<X, KEY>X, |KEY|<X, |KEY|>X, status=STATUS, and `stable`: a run that does not
 * diverge, which is measured, by its status and by the energy that its steps made out of nothing over
 * the energy at stake. A formulation's own estimate (status unstable) does not count. Does a run
 * fulfil it (`condition` is a struct bench_condition)? What it asks for of a record, NaN where that is
 * null, BASE_E_INPUT where there is no such number. */
int bench_condition_parse(const char *text, struct bench_condition *c);
int bench_condition_holds(const void *condition, int status, double measured);
/* How much of a run does it ask for? */
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
