/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys: the inputs of a result as one short text in its record (provenance.key). Results with the
 * same key are equal, so a resumed suite does not repeat them. A key is
 *
 *   cell=H data=H case=H sources=H build=H [limit=S]
 *
 * with hashes (base/bytes/hash.h) of
 *
 *   cell     case, parameters, formulation and solver with every option, step or search, horizon,
 *            sampling, threads; of solves law, solver, options
 *   data     the bytes of the files read: of the case or scene; of the problem and a warm start
 *   case     the sources of the case
 *   sources  all other sources a result depends on, see scripts/provenance.sh
 *   build    compiler, flags, libraries and the kernel of the BLAS
 *
 * The time limit [s] is part of the key only if it cut the result: an earlier end is the same under
 * any limit. A checksum beside the key covers the record except timing and provenance, and reveals
 * changes and damage.
 */
#ifndef BENCH_KEY_H
#define BENCH_KEY_H

#include <stdint.h>

#include "base/memory/arena.h"

struct cJSON;
struct bench_job;

/* The key of a resolved job, and of a solve whose law, solver and options `asked` holds; data: hash
 * of the files read. From the arena. */
const char *bench_key_run(const struct bench_job *job, uint64_t data, struct base_arena *arena);
const char *bench_key_solve(const struct cJSON *asked, uint64_t data, struct base_arena *arena);

/* Add key and checksum to the block `provenance` of a record that is otherwise complete. limit [s]:
 * the time limit where it has cut the result, else negative. */
void bench_key_add(struct cJSON *record, const char *key, double limit);
/* Is the record unchanged since it was written? BASE_E_INPUT with a message. A record without
 * checksum is from an older version, and passes. */
int bench_key_check(const struct cJSON *record, const char *file);
/* NULL if two keys are equal, else a short text naming the first part that differs. */
const char *bench_key_compare(const char *found, const char *key);
/* The same of the key that a record has, under this time limit. */
const char *bench_key_difference(const struct cJSON *record, const char *key, double limit);

#endif
