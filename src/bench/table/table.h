/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables: columns of a frame under headings, and the four languages in which they leave the
 * program.
 *
 * Markdown and LaTeX (with booktabs) round numbers to some digits, but not whole ones. CSV and JSON
 * have all digits. A missing value is a dash, in CSV empty, in JSON null.
 */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "bench/frame/frame.h"

enum bench_table_format {
  BENCH_TABLE_MARKDOWN,
  BENCH_TABLE_CSV,
  BENCH_TABLE_LATEX,
  BENCH_TABLE_JSON,
  BENCH_TABLE_FORMATS
};
extern const char *const bench_table_format_names[BENCH_TABLE_FORMATS];
enum { BENCH_TABLE_DIGITS = 3 };

struct bench_table {
  const struct frame *frame;
  int n;                       /* columns */
  const char *const *columns;  /* n, of the frame */
  const char *const *headings; /* n, with units, "error [m]" */
};

/* To a file, or "-" for standard output. digits: of numbers for people. BASE_E_IO with a
 * message. */
int bench_table_write(const struct bench_table *table, const char *path,
                      enum bench_table_format format, int digits);

/* Append rows to a CSV file, with headings if it is new, in complete blocks, so that others can
 * read it meanwhile. BASE_E_IO with a message. */
int bench_table_append(const struct bench_table *table, const char *path);
/* All columns of a record, as package.c has them; NULL: the headings of a new file alone. */
int bench_table_append_record(const struct cJSON *record, const char *name, const char *path);

/* Rows from records: one a file, or one a record (*.json) of a folder. */
enum { BENCH_TABLE_CONDITIONS = 16 };
struct bench_table_request {
  int n_sources;
  char *const *sources; /* files and folders */
  const char *columns;  /* "PATH[=TITLE],..."; TITLE with its unit: "error [m]"; NULL: every field
                           that is one value of a run, headed by its path */
  int n_where;
  const char *where[BENCH_TABLE_CONDITIONS]; /* all must hold (frame/condition.c) */
  const char *sort;                          /* "PATH,-PATH,..." or NULL: by name of the file */
  const char *pivot; /* "PATH=VALUE[,REDUCTION]" or NULL: a row a record. Else a row for each group
                        of the same columns, and in it a VALUE for each PATH (frame/group.c) */
  int is_flattened;  /* a row an entry of the columns that are lists, beside the others' values */
  enum bench_table_format format;
  int digits;
  int is_appended; /* to the output, in blocks: CSV of all records as they come, by columns alone */
  const char *output;
};
/* BASE_E_INPUT with a message if a path is unknown: no field of records (record/fields.h) and in
 * none of the records. Damaged records are left out with a message; *damaged counts them. */
int bench_table_of_records(const struct bench_table_request *request, int *damaged);

/* A package of tables (Frictionless Data Package): in a folder the records' table, all columns of
 * it, in CSV, and datapackage.json, which says of each column type, unit and meaning
 * (package.c). */
#define BENCH_PACKAGE "table" /* its folder beside records */
#define BENCH_PACKAGE_TABLE "records.csv"
#define BENCH_PACKAGE_FILE "datapackage.json"
int bench_package(const char *folder, int n_sources, char *const *sources, int *damaged);
/* The same while the records come: the description and headings, then a row at a time, also of
 * several processes. name: of the record's file, without .json. */
int bench_package_begin(const char *folder);
int bench_package_is_there(const char *folder); /* with the columns of this program */
int bench_package_add(const char *folder, const char *name, const struct cJSON *record);
/* All records of a folder, but for a file apart, in order: the rows are sorted where each record has
 * one, the last it was given, else all are made again. */
int bench_package_end(const char *folder, const char *records, const char *apart, int *damaged);

#endif
