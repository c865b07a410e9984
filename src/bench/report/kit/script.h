/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Input of a figure's script: gnuplot variables, each set on its own line. Texts reach gnuplot only
 * by this file (plot.c writes its driver with it too), and every text passes base_quote_gnuplot.
 * Scripts themselves are files of the program.
 */
#ifndef BENCH_REPORT_SCRIPT_H
#define BENCH_REPORT_SCRIPT_H

#include "base/memory/arena.h"

struct report_script {
  struct base_arena *arena;
  char *gnuplot_lines; /* NULL: none yet */
  size_t length, room; /* of them [bytes], the zero behind them not counted */
  double size[2];      /* of the drawing [cm]; 0: as the script says */
};

/* Append lines. variable: a name of gnuplot's. */
void report_script_real(struct report_script *script, const char *variable, double x);
/* A text to be shown, made one line of UTF-8. */
void report_script_text(struct report_script *script, const char *variable, const char *text);
/* An array of n >= 1 of them, from 1. */
void report_script_texts(struct report_script *script, const char *variable, int n,
                         const char *const *texts);
/* The same of n >= 1 numbers. */
void report_script_reals(struct report_script *script, const char *variable, int n,
                         const double *x);
/* The same for labels of tics. */
void report_script_labels(struct report_script *script, const char *variable, int n,
                          const char *const *texts);
/* A list for word() and words() of gnuplot, which split at blanks: names are cleaned. */
void report_script_names(struct report_script *script, const char *variable, int n,
                         const char *const *names);
/* A file or folder, byte by byte; one that is not absolute gets "./" before it. */
void report_script_path(struct report_script *script, const char *variable, const char *path);
/* A line of the program's own, with numbers at most: format is a literal without %s. */
void report_script_line(struct report_script *script, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The lines of another one; NULL has none. */
void report_script_append(struct report_script *script, const struct report_script *other);

#endif
