/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Registered names, kind by kind: for lists, and for descriptions of one name.
 */
#ifndef BENCH_LIST_H
#define BENCH_LIST_H

struct cJSON;

enum { KIND_CASE, KIND_FORMULATION, KIND_SOLVER, KIND_FIGURE, KIND_STUDY, KIND_COUNT };
const char *bench_kind_name(int kind); /* "case" */

/* Sees an entry: name, laws with friction as bits (0: has none), summary, source. */
typedef void (*bench_list_visitor)(void *context, const char *name, unsigned laws,
                                   const char *summary, const char *source);
void bench_list_visit(int kind, bench_list_visitor see, void *context);

/* describe_json.c: an entry with all its options or parameters; to be freed. NULL with a message.
 */
struct cJSON *bench_describe_entry(int kind, const char *name);

#endif
