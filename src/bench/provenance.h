/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a record comes from: build, machine, libraries, command. Kept apart from results, which
 * must not depend on it.
 */
#ifndef BENCH_PROVENANCE_H
#define BENCH_PROVENANCE_H

struct cJSON;

/* A JSON object: program, version, commit, dirty, compiler, flags, cpu, libraries{}, command. */
struct cJSON *bench_provenance(const char *command);
const char *bench_version(void);

#endif
