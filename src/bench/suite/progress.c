/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Progress of a suite; see progress.h. The time left assumes that the cells to come take as much
 * longer than their estimates, or less, as those that were made, of which the longest come first;
 * kept records say nothing about it and are left out, with the time it took to find them.
 */
#include "bench/suite/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"

static const double REDRAW_INTERVAL = 0.25; /* [s], smooth to the eye and free of cost */

const char *bench_duration(double seconds, char text[BENCH_DURATION_SIZE]) {
  const size_t size = BENCH_DURATION_SIZE;
  const long s = (long)(seconds + 0.5);
  if (s < 60) {
    snprintf(text, size, "%ld s", s);
  } else if (s < 3600) {
    snprintf(text, size, "%ld min %02ld s", s / 60, s % 60);
  } else {
    snprintf(text, size, "%ld h %02ld min", s / 3600, s / 60 % 60);
  }
  return text;
}

double bench_progress_left(const struct bench_progress *progress, double elapsed) {
  return progress->made > 0 ? elapsed * progress->to_make / progress->made : (double)NAN;
}

static void draw(struct bench_progress *progress) {
  enum { WIDTH = 30 };
  const double now = base_clock_now(), elapsed = now - progress->begin;
  const int filled = progress->total > 0 ? WIDTH * progress->done / progress->total : WIDTH;
  char bar[WIDTH + 1], text[BENCH_DURATION_SIZE];
  memset(bar, '#', (size_t)filled);
  memset(bar + filled, '.', (size_t)(WIDTH - filled));
  bar[WIDTH] = '\0';
  fprintf(stderr, "\r[%s] %d/%d", bar, progress->done, progress->total);
  if (progress->kept > 0) {
    fprintf(stderr, " (%d kept)", progress->kept);
  }
  fprintf(stderr, "  %s", bench_duration(elapsed, text));
  const double left = bench_progress_left(progress, now - progress->made_from);
  if (left > 0 && progress->done < progress->total) {
    fprintf(stderr, ", about %s left", bench_duration(left, text));
  }
  if (progress->bad > 0) {
    fprintf(stderr, ", %d not expected", progress->bad);
  }
  fprintf(stderr, "\033[K");
  fflush(stderr);
  progress->drawn = now;
}

void bench_progress_begin(struct bench_progress *progress, int total, double estimate) {
  *progress = (struct bench_progress){.total = total,
                                      .to_make = estimate,
                                      .on_terminal = isatty(STDERR_FILENO),
                                      .begin = base_clock_now()};
  progress->made_from = progress->begin;
}

/* What both kinds of cells have in common; how: the rest of a plain line, NULL: kept, which is
 * worth a line only where it is bad. */
static void add(struct bench_progress *progress, const char *cell, int status, int is_bad,
                const char *how) {
  ++progress->done;
  progress->bad += is_bad;
  ++progress->counts[status];
  if (!progress->on_terminal) {
    if (how == NULL && !is_bad) {
      return;
    }
    fprintf(stderr, "[%d/%d] %s  %s%s  %s\n", progress->done, progress->total, cell,
            base_status_name(status), is_bad ? " (not expected)" : "", how != NULL ? how : "kept");
    return;
  }
  if (is_bad) {
    fprintf(stderr, "\r\033[K%s: %s\n", cell, base_status_name(status));
  }
  draw(progress);
}

void bench_progress_keep(struct bench_progress *progress, const char *cell, int status, int is_bad,
                         double estimate) {
  progress->to_make -= estimate;
  if (progress->kept == progress->done) { /* none has been made */
    progress->made_from = base_clock_now();
  }
  ++progress->kept;
  add(progress, cell, status, is_bad, NULL);
}

void bench_progress_make(struct bench_progress *progress, const char *cell, int status, int is_bad,
                         const char *reason, double seconds, double estimate) {
  progress->to_make -= estimate;
  progress->made += estimate;
  char how[200];
  int i = 0;
  if (reason != NULL) {
    snprintf(how, sizeof how, "%.2f s (%s)", seconds, reason);
  } else {
    snprintf(how, sizeof how, "%.2f s", seconds);
  }
  while (i < progress->n_reasons && reason != NULL && progress->reasons[i].text != reason) {
    ++i;
  }
  if (reason != NULL && i < BENCH_REASONS_MAX) {
    progress->reasons[i].text = reason;
    ++progress->reasons[i].n;
    progress->n_reasons += i == progress->n_reasons;
  }
  add(progress, cell, status, is_bad, how);
}

void bench_progress_tick(struct bench_progress *progress) {
  if (progress->on_terminal && base_clock_now() - progress->drawn > REDRAW_INTERVAL) {
    draw(progress);
  }
}

void bench_progress_clear(const struct bench_progress *progress) {
  if (progress->on_terminal) {
    fprintf(stderr, "\r\033[K");
    fflush(stderr);
  }
}

void bench_progress_end(const struct bench_progress *progress, const char *what,
                        const char *folder) {
  bench_progress_clear(progress);
  if (progress->done > progress->kept) {
    fprintf(stderr, "processor time of all cells: references %.1f s, runs %.1f s\n",
            progress->in_references, progress->in_cells - progress->in_references);
  }
  fprintf(stderr, "%d cells in %.1f s:", progress->total, base_clock_now() - progress->begin);
  const char *separator = " ";
  for (int status = 0; status < BENCH_STATUS_MAX; ++status) {
    if (progress->counts[status] > 0) {
      fprintf(stderr, "%s%d %s", separator, progress->counts[status], base_status_name(status));
      separator = ", ";
    }
  }
  if (progress->kept > 0) {
    fprintf(stderr, " (%d kept)", progress->kept);
  }
  if (progress->n_reasons > 0) {
    fprintf(stderr, "; %d made", progress->done - progress->kept);
  }
  for (int i = 0; i < progress->n_reasons; ++i) {
    fprintf(stderr, "%s %s: %d", i == 0 ? " -" : ",", progress->reasons[i].text,
            progress->reasons[i].n);
  }
  fprintf(stderr, "; %s in %s\n", what, folder);
}
