/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paths of an SVG, thinned to what a screen can show. gnuplot writes every point of a table, to a
 * hundredth of a pixel. Of consecutive points in one column of COLUMN pixels the first, the lowest,
 * the highest and the last stay (Jugel et al., M4: a visualization-oriented time series data
 * aggregation, VLDB 7, 2014, 797-808); of what is left, points nearer than NEAR to the line between
 * those kept beside them go. Only d='...' of straight lines (M, L, Z) is touched.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "bench/report/kit/report.h"

static const double COLUMN = 0.5, NEAR = 0.1; /* [px] */
enum { WINDOW = 64 };                         /* points left out in a row, at most */

struct line {
  int n, room;
  double *x, *y;
};

static void add(struct line *line, double x, double y) {
  if (line->n == line->room) {
    line->room = 2 * line->room + 256;
    line->x = base_memory_resize(line->x, (size_t)line->room * sizeof *line->x);
    line->y = base_memory_resize(line->y, (size_t)line->room * sizeof *line->y);
  }
  line->x[line->n] = x;
  line->y[line->n++] = y;
}

/* In place: the first, lowest, highest and last of each column, in their order. */
static void thin_columns(struct line *line) {
  int kept = 0;
  for (int i = 0, end; i < line->n; i = end) {
    int at[4] = {i, i, i, i}; /* first, lowest, highest, last */
    for (end = i; end < line->n && floor(line->x[end] / COLUMN) == floor(line->x[i] / COLUMN);
         ++end) {
      at[1] = line->y[end] < line->y[at[1]] ? end : at[1];
      at[2] = line->y[end] > line->y[at[2]] ? end : at[2];
      at[3] = end;
    }
    for (int k = i; k < end; ++k) {
      if (k == at[0] || k == at[1] || k == at[2] || k == at[3]) {
        line->x[kept] = line->x[k];
        line->y[kept++] = line->y[k];
      }
    }
  }
  line->n = kept;
}

static double distance(const struct line *l, int k, int a, int b) {
  const double dx = l->x[b] - l->x[a], dy = l->y[b] - l->y[a], length2 = dx * dx + dy * dy;
  const double px = l->x[k] - l->x[a], py = l->y[k] - l->y[a];
  const double t = length2 > 0 ? fmin(fmax((px * dx + py * dy) / length2, 0), 1) : 0;
  return hypot(px - t * dx, py - t * dy);
}

static int is_straight(const struct line *l, int a, int b) {
  for (int k = a + 1; k < b; ++k) {
    if (distance(l, k, a, b) > NEAR) {
      return 0;
    }
  }
  return 1;
}

static void put_line(FILE *out, struct line *line) {
  thin_columns(line);
  for (int i = 0, next; i < line->n; i = next) {
    fprintf(out, i == 0 ? "M%.1f,%.1f" : " L%.1f,%.1f", line->x[i], line->y[i]);
    next = i + 1;
    while (next + 1 < line->n && next + 1 - i <= WINDOW && is_straight(line, i, next + 1)) {
      ++next;
    }
  }
  line->n = 0;
}

/* A path from behind its quote to the quote at its end, written thinner; 0: it is of another kind,
 * and nothing is written. */
static int put_path(FILE *out, const char *path, const char *end, struct line *line) {
  char *text = NULL;
  size_t size;
  FILE *thin = open_memstream(&text, &size);
  int is_plain = 1;
  line->n = 0;
  for (const char *c = path; c < end && is_plain;) {
    if (isspace((unsigned char)*c)) {
      ++c;
    } else if (*c == 'Z') {
      put_line(thin, line);
      fputs(" Z ", thin);
      ++c;
    } else {
      char *comma = NULL, *rest = NULL;
      const double x = strtod(c + 1, &comma);
      const double y = *comma == ',' ? strtod(comma + 1, &rest) : 0;
      is_plain = (*c == 'M' || *c == 'L') && comma > c + 1 && rest != NULL && rest > comma + 1;
      if (is_plain && *c == 'M') {
        put_line(thin, line);
      }
      if (is_plain) {
        add(line, x, y);
        c = rest;
      }
    }
  }
  put_line(thin, line);
  fclose(thin);
  if (is_plain) {
    fwrite(text, 1, size, out);
  }
  free(text);
  return is_plain;
}

int report_thin_svg(const char *file) {
  char *svg, *text = NULL;
  size_t size;
  int status = base_file_read(file, &svg, &size);
  if (status != BASE_OK) {
    return status;
  }
  FILE *out = open_memstream(&text, &size);
  struct line line = {0};
  const char *c = svg;
  for (const char *path; (path = strstr(c, " d='")) != NULL;) {
    path += 4;
    const char *end = strchr(path, '\'');
    if (end == NULL) {
      break;
    }
    fwrite(c, 1, (size_t)(path - c), out);
    if (!put_path(out, path, end, &line)) {
      fwrite(path, 1, (size_t)(end - path), out);
    }
    c = end;
  }
  fputs(c, out);
  fclose(out);
  status = base_file_write(file, text, size);
  free(text);
  free(svg);
  free(line.x);
  free(line.y);
  return status;
}
