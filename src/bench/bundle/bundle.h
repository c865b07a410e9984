/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench bundle` and `coulombench verify`: a folder of results as one archive (tar) that can
 * be checked elsewhere. In it, below one folder:
 *
 *   results/               all of the folder but hidden files and kept references
 *   inputs/, inputs.json   scenes, problems and starts that commands of records name, and where
 *                          each of these names is found
 *   schemas/               JSON Schemas of all kinds of files
 *   ro-crate-metadata.json what each file is and what made it (RO-Crate 1.1)
 *   SHA256SUMS             checksums of all of it
 *
 *   pack.c     the archive      crate.c    its description
 *   verify.c   what is in it    again.c    cells run again, and compared
 *   command.c  words of the commands in records
 *   scratch.c  a folder for the time of the work; lists and checksums of files
 */
#ifndef BENCH_BUNDLE_H
#define BENCH_BUNDLE_H

/* Pack a folder of results. output: NULL for <folder>.tar here. Same folder, same bytes. Missing
 * inputs are listed on standard error. BASE_E_INPUT, BASE_E_IO with a message. */
int bench_bundle(const char *folder, const char *output);

enum { BENCH_VERIFY_SAMPLE = 10, BENCH_VERIFY_SEED = 1, BENCH_VERIFY_LIMIT = 60 };
struct bench_verify_request {
  const char *archive;
  int sample, seed; /* number of random cells to run again; 0: all of them */
  double limit;     /* time of a record above which its cell is left out [s] */
};
/* Check an archive and run cells of it again, a line each on standard output. BASE_OK where all
 * that ran agree, BASE_FAILED where some do not; BASE_E_INPUT, BASE_E_IO with a message. */
int bench_verify(const struct bench_verify_request *request);

#endif
