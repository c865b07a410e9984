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
  double limit;
  const char *values;
};

/* A condition on records, of any of the forms
 *   KEY<X  KEY<=X  KEY>X  KEY>=X  |KEY|<X ...  KEY=A|B|C  KEY!=A|B|C
 * option: for messages. BASE_E_INPUT with one. Keeps pointers into the text. */
int bench_condition_read(const char *option, const char *text, struct bench_condition *c);
/* Does the value at its key fulfil it? NULL and null fulfil nothing but KEY=null and KEY!=A. */
int bench_condition_fulfils(const struct bench_condition *c, const struct cJSON *item);
/* Those of --until, above. Does a run fulfil it (`condition` is a struct bench_condition)? The
 * number at its key in a record, NaN where it is null, BASE_E_INPUT where there is none. */
int bench_condition_parse(const char *text, struct bench_condition *c);
int bench_condition_holds(const void *condition, int status, double measured);
int bench_condition_measure(const struct bench_condition *c, const struct cJSON *record,
                            double *value);

/* The value at a dotted path; below final.q and final.u by the name of a component (final.u.vx, of
 * scenes final.q.ball.x). NULL: there is none. */
const struct cJSON *bench_record_at(const struct cJSON *record, const char *path);

#endif
