/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables in memory, and in Markdown, CSV (RFC 4180), LaTeX (a tabular with the rules of the package
 * booktabs) and JSON (a list of objects by heading); see table.h. All text goes through quote.h.
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

struct bench_table *bench_table_new(struct base_arena *arena, int n_columns,
                                    const char *const *headings) {
  struct bench_table *table = base_arena_push(arena, sizeof *table);
  *table = (struct bench_table){.arena = arena, .n_columns = n_columns};
  table->headings = base_arena_push(arena, (size_t)n_columns * sizeof *table->headings);
  for (int i = 0; i < n_columns; ++i) {
    table->headings[i] = base_text_clean(headings[i], arena);
  }
  return table;
}

static void add_cell(struct bench_table *table, struct bench_table_cell cell) {
  if (table->n_cells == table->capacity) {
    const long capacity = table->capacity > 0 ? 2 * table->capacity : 256;
    struct bench_table_cell *cells =
        base_arena_push(table->arena, (size_t)capacity * sizeof *cells);
    if (table->n_cells > 0) {
      memcpy(cells, table->cells, (size_t)table->n_cells * sizeof *cells);
    }
    table->cells = cells;
    table->capacity = capacity;
  }
  table->cells[table->n_cells++] = cell;
}

void bench_table_text(struct bench_table *table, const char *text) {
  add_cell(table,
           (struct bench_table_cell){
               .text = text != NULL ? base_text_clean(text, table->arena) : NULL, .number = NAN});
}

void bench_table_number(struct bench_table *table, double x) {
  add_cell(table, (struct bench_table_cell){.number = x});
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

static void put_markdown(FILE *file, const struct bench_table *t, int digits) {
  char text[40];
  for (int i = 0; i < t->n_columns; ++i) {
    fputs(i > 0 ? " " : "| ", file);
    base_quote_markdown(file, t->headings[i]);
    fputs(" |", file);
  }
  fputs("\n|", file);
  for (int i = 0; i < t->n_columns; ++i) {
    fputs(" --- |", file);
  }
  for (long i = 0; i < t->n_cells; ++i) {
    const struct bench_table_cell *cell = &t->cells[i];
    fputs(i % t->n_columns == 0 ? "\n| " : " ", file);
    base_quote_markdown(file, cell->text != NULL ? cell->text : shown(cell->number, digits, text));
    fputs(" |", file);
  }
  fputc('\n', file);
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

static int has_numbers(const struct bench_table *t, int column) {
  for (long i = column; i < t->n_cells; i += t->n_columns) {
    if (t->cells[i].text != NULL) {
      return 0;
    }
  }
  return t->n_cells > 0;
}

static void put_latex(FILE *file, const struct bench_table *t, int digits) {
  fputs("% needs \\usepackage{booktabs}\n\\begin{tabular}{@{}", file);
  for (int i = 0; i < t->n_columns; ++i) {
    fputc(has_numbers(t, i) ? 'r' : 'l', file);
  }
  fputs("@{}}\n\\toprule\n", file);
  for (int i = 0; i < t->n_columns; ++i) {
    fputs(i > 0 ? " & " : "", file);
    base_quote_latex(file, t->headings[i]);
  }
  fputs(" \\\\\n\\midrule\n", file);
  for (long i = 0; i < t->n_cells; ++i) {
    const struct bench_table_cell *cell = &t->cells[i];
    if (cell->text != NULL) {
      base_quote_latex(file, cell->text);
    } else {
      put_latex_number(file, cell->number, digits);
    }
    fputs((i + 1) % t->n_columns == 0 ? " \\\\\n" : " & ", file);
  }
  fputs("\\bottomrule\n\\end{tabular}\n", file);
}

/* ---- for programs ---- */

static void put_csv_headings(FILE *file, const struct bench_table *t) {
  for (int i = 0; i < t->n_columns; ++i) {
    fputs(i > 0 ? "," : "", file);
    base_quote_csv(file, t->headings[i]);
  }
  fputc('\n', file);
}

static void put_csv_rows(FILE *file, const struct bench_table *t) {
  char number[BASE_JSON_NUMBER_SIZE];
  for (long i = 0; i < t->n_cells; ++i) {
    const struct bench_table_cell *cell = &t->cells[i];
    if (cell->text != NULL) {
      base_quote_csv(file, cell->text);
    } else if (!isnan(cell->number)) {
      fputs(isfinite(cell->number) ? base_json_number(cell->number, number)
            : cell->number > 0     ? "inf"
                                   : "-inf",
            file);
    }
    fputc((i + 1) % t->n_columns == 0 ? '\n' : ',', file);
  }
}

static void put_json(FILE *file, const struct bench_table *t) {
  cJSON *rows = cJSON_CreateArray(), *row = NULL;
  for (long i = 0; i < t->n_cells; ++i) {
    const struct bench_table_cell *cell = &t->cells[i];
    const char *heading = t->headings[i % t->n_columns];
    if (i % t->n_columns == 0) {
      row = cJSON_CreateObject();
      cJSON_AddItemToArray(rows, row);
    }
    if (cell->text != NULL) {
      cJSON_AddStringToObject(row, heading, cell->text);
    } else {
      base_json_add_real(row, heading, cell->number);
    }
  }
  char *text = base_json_text(rows);
  fputs(text, file);
  free(text);
  cJSON_Delete(rows);
}

int bench_table_write(const struct bench_table *table, const char *path,
                      enum bench_table_format format, int digits) {
  char *text = NULL;
  size_t size;
  FILE *file = strcmp(path, "-") == 0 ? stdout : open_memstream(&text, &size);
  switch (format) {
  case BENCH_TABLE_CSV:
    put_csv_headings(file, table);
    put_csv_rows(file, table);
    break;
  case BENCH_TABLE_LATEX:
    put_latex(file, table, digits);
    break;
  case BENCH_TABLE_JSON:
    put_json(file, table);
    break;
  default:
    put_markdown(file, table, digits);
  }
  if (file == stdout) {
    return BASE_OK; /* whether all got out is asked at the end of the program */
  }
  fclose(file);
  const int status = base_file_write(path, text, size);
  free(text);
  return status;
}

int bench_table_append(const struct bench_table *table, const char *path) {
  char *text = NULL;
  size_t size;
  struct stat info;
  const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    if (fd >= 0) {
      close(fd);
    }
    return base_fail(BASE_E_IO, "%s: cannot write", path);
  }
  FILE *file = open_memstream(&text, &size);
  if (info.st_size == 0) {
    put_csv_headings(file, table);
  }
  put_csv_rows(file, table);
  fclose(file);
  const int is_written = write(fd, text, size) == (ssize_t)size;
  free(text);
  return close(fd) == 0 && is_written ? BASE_OK : base_fail(BASE_E_IO, "%s: cannot write", path);
}
