/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of bench/bundle; see bundle.h.
 */
#ifndef BENCH_BUNDLE_PARTS_H
#define BENCH_BUNDLE_PARTS_H

#include "base/memory/arena.h"
#include "base/process/child.h"

struct cJSON;

#define BUNDLE_RESULTS "results/"
#define BUNDLE_INPUTS "inputs.json"
#define BUNDLE_CRATE "ro-crate-metadata.json"
#define BUNDLE_SUMS "SHA256SUMS"
/* Words of a command of tar, independent of the environment. */
#define BUNDLE_TAR "env", "LC_ALL=C", "TAR_OPTIONS=", "tar", "--force-local", "--numeric-owner"

/* ---- scratch.c ---- */

/* Run work(scratch, data) in its own process, with a new folder below `parent` that is removed
 * afterwards, also after a crash or an interrupt of the work, which then ends this process too.
 * Returns the result of work, with its message. */
int bundle_in_scratch(const char *parent, int (*work)(const char *scratch, void *data), void *data);

/* Names of files below a folder, ascending. */
struct bundle_list {
  int n;
  const char **names;
};
void bundle_list_add(struct bundle_list *list, const char *name, struct base_arena *arena);
/* All files. is_source: of a folder of results, without hidden files and kept references; links
 * that leave the folder or lead to folders are refused. BASE_E_INPUT, BASE_E_IO with a message. */
int bundle_list_read(const char *folder, int is_source, struct base_arena *arena,
                     struct bundle_list *list);
/* The names, each with `before` in front and a NUL behind; *size bytes. */
char *bundle_join(const char *before, const struct bundle_list *list, struct base_arena *arena,
                  size_t *size);
/* Checksums of a folder's files, a line each: 64 hexadecimal digits, two blanks, the name. */
int bundle_sums(const char *folder, const struct bundle_list *list, struct base_arena *arena,
                char **text);
/* Run an external program with a NULL-terminated list of words, its input and its output. */
int bundle_run(const char *const *argv, const char *input, size_t size, struct base_arena *arena,
               struct base_child_end *end);

/* ---- verify.c ---- */

/* Is a JSON file a record (of a run, a solve), and is it complete and unchanged? Of figures only
 * the second is checked. BASE_E_INPUT with a message. */
int bundle_check(const char *path, const struct cJSON *file, int *is_record);

/* ---- command.c ---- */

enum { BUNDLE_WORDS = 400 };
struct bundle_command {
  const char *threads; /* "OMP_NUM_THREADS=N"; NULL: not said */
  int n;
  const char *words[BUNDLE_WORDS]; /* from "run" or "solve" on */
  int is_file[BUNDLE_WORDS];
};
/* The command of a record. BASE_UNSUPPORTED with the reason if it cannot be repeated: it starts
 * external programs or does more than make a record. */
int bundle_command_read(const struct cJSON *record, struct base_arena *arena,
                        struct bundle_command *command);

/* ---- crate.c ---- */

struct bundle {
  struct base_arena *arena;
  const char *name, *folder; /* name of the packed folder; folder with the files of the archive */
  struct bundle_list files;  /* in the archive */
  int n_records;
  char date[16];        /* of the newest record */
  struct cJSON *inputs; /* files in the archive by words of commands */
  /* The description: schemas by kind ("coulombench.result/2"), references to files, the files, the
   * software, and the command of each record. */
  struct cJSON *schemas, *parts, *described, *software, *actions;
};
void bundle_crate_begin(struct bundle *b);
/* Describe a file of the archive. schema: file with the schema of its kind; NULL: none. */
void bundle_crate_add(struct bundle *b, const char *name, const char *schema);
/* Describe the origin of a record, which is a file of the archive. */
void bundle_crate_add_record(struct bundle *b, const char *name, const struct cJSON *record);
/* Write the description and end it. BASE_E_IO with a message. */
int bundle_crate_write(struct bundle *b);

/* ---- again.c ---- */

enum bundle_verdict {
  BUNDLE_SAME,
  BUNDLE_ROUNDED,
  BUNDLE_DIFFERS,
  BUNDLE_NOT_RUN,
  BUNDLE_VERDICTS
};
/* Run a record's cell again, and print a line. root: the unpacked archive; name: below it; inputs:
 * its inputs.json; scratch: for files meanwhile. */
enum bundle_verdict bundle_again(const char *root, const char *name, const struct cJSON *inputs,
                                 double limit, const char *scratch, struct base_arena *arena);

#endif
