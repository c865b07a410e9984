/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes and terminals of drawings; see terminal.h.
 */
#include "bench/report/kit/terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"

const char *const report_terminal_names[TERMINALS] = {"pdf", "svg", "png"};

static const double WIDTH = 17, HEIGHT = 10.5; /* [cm] unless the script says otherwise */
static const double NARROW_WIDTH = 8.5, NARROW_HEIGHT = 7;
static const double SIZE_MAX_CM = 100;
static const double TITLE = 0.9; /* [cm] of a script's height */
static const double POINTS_A_MM = 72 / 25.4;

/* The two lengths behind a mark in a script; *found = 0, and nothing read, without one. */
static int read_lengths(const char *text, const char *mark, const char *script, double *width,
                        double *height, int *found) {
  const char *line = strstr(text, mark);
  *found = line != NULL;
  if (line != NULL) {
    char *end;
    *width = strtod(line + strlen(mark), &end);
    *height = strtod(end, &end);
    if (!(*width > 1 && *width<SIZE_MAX_CM && * height> 1 && *height < SIZE_MAX_CM)) {
      return base_fail(BASE_FAILED, "%s: '%s WIDTH HEIGHT' must be two lengths in cm", script,
                       mark);
    }
  }
  return BASE_OK;
}

int report_terminal_size(const char *script, const double own[2], double width_mm,
                         struct report_size *size) {
  char *text;
  size_t length;
  if (own != NULL && own[0] > 0) {
    *size = (struct report_size){.width = own[0], .height = own[1], .shown = 1};
    return BASE_OK;
  }
  int status = base_file_read(script, &text, &length), is_own, is_size;
  if (status != BASE_OK) {
    return status;
  }
  const int is_narrow = width_mm > 0 && width_mm < REPORT_NARROW_MM;
  *size = (struct report_size){.width = is_narrow ? NARROW_WIDTH : WIDTH,
                               .height = is_narrow ? NARROW_HEIGHT : HEIGHT,
                               .shown = 1};
  const char *mark = is_narrow ? "# narrow:" : width_mm > 0 ? "# wide:" : "# size:";
  status = read_lengths(text, mark, script, &size->width, &size->height, &is_own);
  if (status == BASE_OK && !is_own && !is_narrow) {
    status = read_lengths(text, "# size:", script, &size->width, &size->height, &is_size);
  }
  free(text);
  if (width_mm > 0) {
    const double scale = width_mm / 10 / size->width;
    size->shown = is_narrow || is_own ? 1 : (size->height - TITLE) / size->height;
    size->width *= scale;
    size->height *= scale * size->shown;
  }
  return status;
}

void report_terminal_set(struct report_script *driver, int terminal, double width_mm,
                         const struct report_size *size) {
  const double w = size->width, h = size->height;
  const int is_print = width_mm > 0;
  const double letters = is_print ? 9 : 12, line = is_print ? 0.75 : 1;
  double dots;
  switch (terminal) {
  case TERMINAL_PDF: /* fontscale 0.75: letters as large as they say (0.5, the default, gives 8 pt
                      * for 12); in print up to the next whole point, see `finish` */
    report_script_line(driver,
                       "set terminal pdfcairo color enhanced font 'sans-serif,%g' fontscale 0.75 "
                       "linewidth %g size %gcm,%gcm",
                       letters, 0.9 * line,
                       is_print ? ceil(10 * w * POINTS_A_MM) / POINTS_A_MM / 10 + 1e-4 : w, h);
    break;
  case TERMINAL_SVG: /* screen, 47 px a centimetre: 17 cm fill a text column of 800 px with 16 px
                      * letters; print, 96 dpi */
    dots = is_print ? 96 / 2.54 : 47;
    report_script_line(driver,
                       "set terminal svg enhanced font 'sans-serif,%g' fontscale 1.3333 "
                       "linewidth %g size %.0f,%.0f dynamic background '#ffffff'",
                       letters, line, dots * w, dots * h);
    break;
  default: /* 300 dpi */
    dots = 300 / 2.54;
    report_script_line(driver,
                       "set terminal pngcairo color enhanced font 'sans-serif,%g' fontscale 3.125 "
                       "linewidth 2.1 pointscale 2.2 size %.0f,%.0f",
                       letters, dots * w, dots * h);
  }
}

/* In place, over cairo's line with the box of the page, which is longer. A PDF that keeps it in a
 * compressed object has the width of whole points. */
static void set_box(char *pdf, size_t size, double width_mm) {
  static const char mark[] = "   /MediaBox [ 0 0 ";
  char *line = memmem(pdf, size, mark, strlen(mark));
  char *end = line != NULL ? memchr(line, ']', size - (size_t)(line - pdf)) : NULL;
  if (end == NULL) {
    return;
  }
  char *height = line + strlen(mark);
  strtod(height, &height);
  char box[80];
  const int length = snprintf(box, sizeof box, "/MediaBox [0 0 %.3f %.6g]", width_mm * POINTS_A_MM,
                              strtod(height, NULL));
  if (length <= end + 1 - line) {
    memset(line, ' ', (size_t)(end + 1 - line));
    memcpy(line, box, (size_t)length);
  }
}

/* The text with, before its viewBox, the size in mm (width_mm > 0), and the word that blanks count,
 * without which readers may drop those behind an index; NULL: it has no viewBox. */
static char *with_size(const char *svg, double width_mm) {
  static const char mark[] = "viewBox=\"0 0 ";
  const char *box = strstr(svg, mark);
  if (box == NULL) {
    return NULL;
  }
  char *end;
  const double w = strtod(box + strlen(mark), &end), h = strtod(end, NULL);
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  fwrite(svg, 1, (size_t)(box - svg), out);
  if (width_mm > 0) {
    fprintf(out, "width=\"%gmm\" height=\"%.6gmm\" ", width_mm, width_mm * h / w);
  }
  fprintf(out, "xml:space=\"preserve\" %s", box);
  fclose(out);
  return text;
}

int report_terminal_finish(int terminal, const char *file, double width_mm) {
  char *text;
  size_t size;
  if (terminal == TERMINAL_PNG || (terminal == TERMINAL_PDF && width_mm <= 0)) {
    return BASE_OK;
  }
  int status = base_file_read(file, &text, &size);
  if (status != BASE_OK) {
    return status;
  }
  if (terminal == TERMINAL_PDF) {
    set_box(text, size, width_mm);
    status = base_file_write(file, text, size);
  } else {
    char *sized = with_size(text, width_mm);
    status = sized != NULL ? base_file_write(file, sized, strlen(sized)) : BASE_OK;
    free(sized);
  }
  free(text);
  return status;
}
