/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Origin of a record: build, machine, libraries, command. It is separate from results, which must
 * not depend on it.
 */
#ifndef BENCH_PROVENANCE_H
#define BENCH_PROVENANCE_H

#include <stdint.h>

struct cJSON;

/* A JSON object: program, version, commit, dirty, compiler, flags, cpu, libraries{}, command. */
struct cJSON *bench_provenance(const char *command);
const char *bench_version(void);

/* Hash (base/bytes/hash.h) of what this program was built from: the sources of the rooms of a list
 * that NULL ends. A room is a folder of src/, "cases" (what cases share), or "cases/<name>"; one
 * without sources adds nothing. */
uint64_t bench_provenance_sources(const char *const *rooms);
/* The same of compiler, flags and libraries, with the kernel the BLAS has chosen. */
uint64_t bench_provenance_build(void);

#endif
