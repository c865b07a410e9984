/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables: columns of a frame under headings, written in one of four formats.
 *
 * In Markdown and LaTeX (with booktabs) numbers are rounded, except whole ones. CSV and JSON have
 * all digits. A missing value is a dash, in CSV empty, in JSON null.
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

/* Write a table to a file, or "-" for standard output. digits: of rounded numbers. BASE_E_IO with a
 * message. */
int bench_table_write(const struct bench_table *table, const char *path,
                      enum bench_table_format format, int digits);

/* Append rows to a CSV file, with headings if it is new, in complete blocks, so that others can
 * read it meanwhile. BASE_E_IO with a message. */
int bench_table_append(const struct bench_table *table, const char *path);
/* The same for all columns of a record, as in package.c; record NULL: only the headings of a new
 * file. */
int bench_table_append_record(const struct cJSON *record, const char *name, const char *path);

/* A table with one row per record: a file, or each *.json of a folder. */
enum { BENCH_TABLE_CONDITIONS = 16 };
struct bench_table_request {
  int n_sources;
  char *const *sources; /* files and folders */
  const char *columns;  /* "PATH[=TITLE],..."; TITLE with its unit: "error [m]"; NULL: every field
                           that is one value of a run, headed by its path */
  int n_where;
  const char *where[BENCH_TABLE_CONDITIONS]; /* all must hold (frame/condition.c) */
  const char *sort;                          /* "PATH,-PATH,..." or NULL: by name of the file */
  const char *pivot; /* "PATH=VALUE[,REDUCTION]": a row for all records that agree in the columns,
                        with VALUE in a column for each value of PATH (frame/group.c); NULL: a row
                        for each record */
  int is_flattened;  /* a row for each entry of columns that are lists; other values are repeated */
  enum bench_table_format format;
  int digits;
  int is_appended; /* append CSV rows to the output in blocks, unsorted; only with columns */
  const char *output;
};
/* BASE_E_INPUT with a message if a path is unknown: no field of records (record/fields.h) and in
 * none of the records. Damaged records are left out with a message; *damaged counts them. */
int bench_table_of_records(const struct bench_table_request *request, int *damaged);

/* A package of tables (Frictionless Data Package): a folder with all columns of the records in CSV,
 * and datapackage.json with the type, unit and meaning of each column (package.c). */
#define BENCH_PACKAGE "table" /* its folder beside records */
#define BENCH_PACKAGE_TABLE "records.csv"
#define BENCH_PACKAGE_FILE "datapackage.json"
int bench_package(const char *folder, int n_sources, char *const *sources, int *damaged);
/* The same while a suite runs: begin writes the description and headings, add appends a row, also
 * from several processes. name: that of the record's file, without .json. */
int bench_package_begin(const char *folder);
int bench_package_is_there(
    const char *folder); /* does it exist, with the columns of this program? */
int bench_package_add(const char *folder, const char *name, const struct cJSON *record);
/* Complete the table for all records of a folder, except the file `apart`, in order. If each record
 * has a row, the rows (the last of each) are sorted; otherwise all rows are made again. */
int bench_package_end(const char *folder, const char *records, const char *apart, int *damaged);

#endif
