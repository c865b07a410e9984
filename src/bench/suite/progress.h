/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Progress of a suite on standard error: on a terminal one bar with the time left; elsewhere a line
 * for each finished cell, and for each kept one whose status is not expected.
 */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

enum { BENCH_STATUS_MAX = 8 };   /* more than there are statuses of runs */
enum { BENCH_REASONS_MAX = 16 }; /* more than there are reasons to make a cell */

/* "42 s", "3 min 20 s", "2 h 05 min", into text, which is returned. */
enum { BENCH_DURATION_SIZE = 40 };
const char *bench_duration(double seconds, char text[BENCH_DURATION_SIZE]);

struct bench_progress {
  int total, done, kept, bad;
  int counts[BENCH_STATUS_MAX]; /* finished cells by status */
  int n_reasons;                /* why cells were made, where some may be kept; constant texts */
  struct {
    const char *text;
    int n;
  } reasons[BENCH_REASONS_MAX];
  int on_terminal;
  double begin, made_from, drawn; /* [s]; made_from: since when cells are made */
  double made, to_make; /* estimates of the cells that were made, and of those to come [s] */
  double in_cells, in_references; /* processor time of all cells, their references' part [s] */
};

/* estimate: the time that the cells would take one after another [s], here and below in any one
 * measure. */
void bench_progress_begin(struct bench_progress *progress, int total, double estimate);
/* The record of a cell is kept; is_bad: its status was not expected. */
void bench_progress_keep(struct bench_progress *progress, const char *cell, int status, int is_bad,
                         double estimate);
/* A cell has finished; reason: why it was made, NULL where all are. */
void bench_progress_make(struct bench_progress *progress, const char *cell, int status, int is_bad,
                         const char *reason, double seconds, double estimate);
/* The time left [s], of so much since the first cell was begun to be made; NaN: none is made
 * yet. */
double bench_progress_left(const struct bench_progress *progress, double elapsed);
/* Redraw the bar where it is old; to be called now and then while nothing finishes. */
void bench_progress_tick(struct bench_progress *progress);
/* Remove the bar, so that something else can be printed. */
void bench_progress_clear(const struct bench_progress *progress);
/* Where the time went and, the last line, how many cells ended how, and what of them ("records") is
 * in the folder. */
void bench_progress_end(const struct bench_progress *progress, const char *what,
                        const char *folder);

#endif
