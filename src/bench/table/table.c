/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables in Markdown, CSV (RFC 4180), LaTeX (a tabular with the rules of the package booktabs) and
 * JSON (a list of objects by heading); see table.h. All text goes through quote.h.
 */
#include "bench/table/table.h"

#include <cjson/cJSON.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes/quote.h"
#include "base/json/json.h"
#include "base/number.h"
#include "base/status.h"
#include "base/text.h"

const char *const bench_table_format_names[] = {"markdown", "csv", "latex", "json"};

/* Whole numbers up to here are shown to the last digit. */
static const double WHOLE_MAX = 1e15;

/* A table while it is written. */
struct writing {
  FILE *file;
  struct base_arena *arena; /* of texts */
  const struct frame *frame;
  int n, *columns;
  const char **headings;
};

static struct writing writing_of(const struct bench_table *table) {
  struct writing w = {.arena = base_arena_child(table->frame->arena), .frame = table->frame};
  w.n = table->n;
  w.columns = base_arena_ints(w.arena, w.n + 1);
  w.headings = base_arena_push(w.arena, (size_t)(w.n + 1) * sizeof *w.headings);
  for (int i = 0; i < w.n; ++i) {
    w.columns[i] = frame_find(table->frame, table->columns[i]);
    w.headings[i] = base_text_clean(table->headings[i], w.arena);
  }
  return w;
}

/* The numbers of a list, what is missing as dashes. */
static const char *list_text(struct base_arena *arena, const struct frame_list *list) {
  char number[BASE_JSON_NUMBER_SIZE];
  const char *text = "";
  for (int i = 0; i < list->n; ++i) {
    text = base_arena_printf(arena, "%s%s%s", text, i > 0 ? ", " : "",
                             isnan(list->x[i]) ? "-" : base_json_number(list->x[i], number));
  }
  return text;
}

/* A cell as text; NULL: it is a number. */
static const char *text_at(const struct writing *w, long row, int i) {
  const struct frame_value *v = frame_at(w->frame, row, w->columns[i]);
  return v->kind == FRAME_TEXT   ? base_text_clean(v->text, w->arena)
         : v->kind == FRAME_LIST ? list_text(w->arena, v->list)
                                 : NULL;
}

static double number_at(const struct writing *w, long row, int i) {
  return frame_real(w->frame, row, w->columns[i]);
}

/* ---- for people ---- */

static const char *shown(double x, int digits, char text[40]) {
  if (!isfinite(x)) {
    return isnan(x) ? "-" : x > 0 ? "inf" : "-inf";
  }
  const int is_whole = x == floor(x) && fabs(x) < WHOLE_MAX;
  snprintf(text, 40, is_whole ? "%.*f" : "%.*g", is_whole ? 0 : digits, x);
  base_number_unpad(text);
  return strcmp(text, "-0") == 0 ? "0" : text;
}

static void put_markdown(const struct writing *w, int digits) {
  char number[40];
  for (int i = 0; i < w->n; ++i) {
    fputs(i > 0 ? " " : "| ", w->file);
    base_quote_markdown(w->file, w->headings[i]);
    fputs(" |", w->file);
  }
  fputs("\n|", w->file);
  for (int i = 0; i < w->n; ++i) {
    fputs(" --- |", w->file);
  }
  for (long row = 0; row < w->frame->n_rows; ++row) {
    for (int i = 0; i < w->n; ++i) {
      const char *text = text_at(w, row, i);
      fputs(i == 0 ? "\n| " : " ", w->file);
      base_quote_markdown(w->file,
                          text != NULL ? text : shown(number_at(w, row, i), digits, number));
      fputs(" |", w->file);
    }
  }
  fputc('\n', w->file);
}

/* 1.2e-5 as $1.2\cdot10^{-5}$. */
static void put_latex_number(FILE *file, double x, int digits) {
  char text[40];
  if (isnan(x)) {
    fputs("--", file);
    return;
  }
  if (!isfinite(x)) {
    fputs(x > 0 ? "$\\infty$" : "$-\\infty$", file);
    return;
  }
  const char *number = shown(x, digits, text);
  const size_t mantissa = strcspn(number, "e");
  fprintf(file, "$%.*s", (int)mantissa, number);
  if (number[mantissa] == 'e') {
    fprintf(file, "\\cdot10^{%s}", number + mantissa + 1);
  }
  fputc('$', file);
}

static int has_numbers(const struct writing *w, int column) {
  for (long row = 0; row < w->frame->n_rows; ++row) {
    if (frame_at(w->frame, row, w->columns[column])->kind != FRAME_NUMBER) {
      return 0;
    }
  }
  return w->frame->n_rows > 0;
}

static void put_latex(const struct writing *w, int digits) {
  fputs("% needs \\usepackage{booktabs}\n\\begin{tabular}{@{}", w->file);
  for (int i = 0; i < w->n; ++i) {
    fputc(has_numbers(w, i) ? 'r' : 'l', w->file);
  }
  fputs("@{}}\n\\toprule\n", w->file);
  for (int i = 0; i < w->n; ++i) {
    fputs(i > 0 ? " & " : "", w->file);
    base_quote_latex(w->file, w->headings[i]);
  }
  fputs(" \\\\\n\\midrule\n", w->file);
  for (long row = 0; row < w->frame->n_rows; ++row) {
    for (int i = 0; i < w->n; ++i) {
      const char *text = text_at(w, row, i);
      if (text != NULL) {
        base_quote_latex(w->file, text);
      } else {
        put_latex_number(w->file, number_at(w, row, i), digits);
      }
      fputs(i + 1 == w->n ? " \\\\\n" : " & ", w->file);
    }
  }
  fputs("\\bottomrule\n\\end{tabular}\n", w->file);
}

/* ---- for programs ---- */

static void put_csv_headings(const struct writing *w) {
  for (int i = 0; i < w->n; ++i) {
    fputs(i > 0 ? "," : "", w->file);
    base_quote_csv(w->file, w->headings[i]);
  }
  fputc('\n', w->file);
}

static void put_csv_row(const struct writing *w, long row) {
  char number[BASE_JSON_NUMBER_SIZE];
  for (int i = 0; i < w->n; ++i) {
    const struct base_arena_mark mark = base_arena_mark(w->arena);
    const char *text = text_at(w, row, i);
    const double x = number_at(w, row, i);
    if (text != NULL) {
      base_quote_csv(w->file, text);
    } else if (!isnan(x)) {
      fputs(isfinite(x) ? base_json_number(x, number) : x > 0 ? "inf" : "-inf", w->file);
    }
    fputc(i + 1 == w->n ? '\n' : ',', w->file);
    base_arena_release(w->arena, mark);
  }
}

static void put_json(const struct writing *w) {
  cJSON *rows = cJSON_CreateArray();
  for (long row = 0; row < w->frame->n_rows; ++row) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(rows, object);
    for (int i = 0; i < w->n; ++i) {
      const char *text = text_at(w, row, i);
      if (text != NULL) {
        cJSON_AddStringToObject(object, w->headings[i], text);
      } else {
        base_json_add_real(object, w->headings[i], number_at(w, row, i));
      }
    }
  }
  char *text = base_json_text(rows);
  fputs(text, w->file);
  free(text);
  cJSON_Delete(rows);
}

static void put_table(const struct writing *w, enum bench_table_format format, int digits) {
  switch (format) {
  case BENCH_TABLE_CSV:
    put_csv_headings(w);
    for (long row = 0; row < w->frame->n_rows; ++row) {
      put_csv_row(w, row);
    }
    break;
  case BENCH_TABLE_LATEX:
    put_latex(w, digits);
    break;
  case BENCH_TABLE_JSON:
    put_json(w);
    break;
  default:
    put_markdown(w, digits);
  }
}

int bench_table_write(const struct bench_table *table, const char *path,
                      enum bench_table_format format, int digits) {
  char *text = NULL;
  size_t size;
  struct writing w = writing_of(table);
  const int is_file = strcmp(path, "-") != 0;
  w.file = is_file ? open_memstream(&text, &size) : stdout;
  put_table(&w, format, digits);
  base_arena_empty(w.arena);
  if (!is_file) {
    return BASE_OK; /* whether all got out is asked at the end of the program */
  }
  fclose(w.file);
  const int status = base_file_write(path, text, size);
  free(text);
  return status;
}

/* Rows that are written at a time. */
enum { BLOCK = 1024 };

int bench_table_append(const struct bench_table *table, const char *path) {
  struct stat info;
  const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  int is_written = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  struct writing w = writing_of(table);
  for (long first = 0; is_written && (first == 0 || first < table->frame->n_rows); first += BLOCK) {
    char *text = NULL;
    size_t size;
    w.file = open_memstream(&text, &size);
    if (first == 0 && info.st_size == 0) {
      put_csv_headings(&w);
    }
    for (long row = first; row < table->frame->n_rows && row < first + BLOCK; ++row) {
      put_csv_row(&w, row);
    }
    fclose(w.file);
    is_written = write(fd, text, size) == (ssize_t)size;
    free(text);
  }
  base_arena_empty(w.arena);
  is_written = (fd < 0 || close(fd) == 0) && is_written;
  return is_written ? BASE_OK : base_fail(BASE_E_IO, "%s: cannot write", path);
}
