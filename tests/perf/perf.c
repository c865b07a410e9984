/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program behind `make perf`. Usage: perf [-r RUNS] [-t TEXT] [-o FILE] [-b BASELINE]
 *
 * Each measurement whose name holds TEXT: one run to warm up, then RUNS of them. Two clocks: wall,
 * and busy, the CPU time of the thread that had most of it. Where other programs share the machine
 * wall says little and busy nearly what an idle machine would show (caches are shared all the same,
 * and waiting at the end of a colour is missing); the minimum is the number to compare, the median
 * and the spread (third less first quartile, over the median) say how much to trust it.
 *
 * Record, schema coulombench.perf/1:
 *   {schema, provenance, peak_bytes,
 *    results[{name, unit, threads, runs, work, busy{minimum, median, spread}, wall{the same},
 *             memory{problem, solver, body, contact, moved}}],
 *    triad[bytes/s with 1, 2 ... threads]}
 * with times in ns a unit, work in units a run, memory in bytes a contact, and of whole runs in
 * bytes a body and bytes a contact beside it. Compared are
 * busy.minimum by name; a ratio above one is slower than BASELINE.
 *
 * Last comes a roofline: the bytes a unit has to move (`moved`), the bandwidth that makes at the
 * least time, and its share of what a triad (triad.c) gets from the memory with as many threads, in
 * the same program, just then. A share near one: only fewer bytes would be faster. A small one: the
 * time goes into arithmetic and waiting for single numbers, or the problem is held by a cache.
 */
#include "tests/perf/perf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/status.h"
#include "base/threads.h"
#include "bench/job/provenance.h"

#define SCHEMA "coulombench.perf/1"
enum { THREADS_MAX = 64, RUNS_MAX = 1000 };

#define PERF(name) extern const struct perf perf_##name;
#include "tests/perf/registry.h"
#undef PERF

static const struct {
  const char *name;
  const struct perf *perf;
} registry[] = {
#define PERF(name) {#name, &perf_##name},
#include "tests/perf/registry.h"
#undef PERF
};
enum { COUNT = sizeof registry / sizeof *registry };

struct options {
  int runs;
  const char *text, *output, *baseline;
};

static double clock_of(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU time of each thread of the team that base_threads() makes. */
static void thread_clocks(double *cpu) {
  const int threads = base_threads();
  (void)threads;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int k = 0; k < threads; ++k) {
    cpu[k] = clock_of(CLOCK_THREAD_CPUTIME_ID);
  }
}

static int ascending(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

/* ns: runs, overwritten by its sorted self */
static cJSON *statistics(int runs, double *ns) {
  cJSON *out = cJSON_CreateObject();
  qsort(ns, (size_t)runs, sizeof *ns, ascending);
  const double median = 0.5 * (ns[(runs - 1) / 2] + ns[runs / 2]);
  base_json_add_real(out, "minimum", ns[0]);
  base_json_add_real(out, "median", median);
  base_json_add_real(out, "spread", (ns[3 * (runs - 1) / 4] - ns[(runs - 1) / 4]) / median);
  return out;
}

static cJSON *measure(const char *name, const struct perf *perf, int runs) {
  double busy[RUNS_MAX], wall[RUNS_MAX], before[THREADS_MAX], after[THREADS_MAX], units = 1;
  struct perf_memory memory = {0};
  base_threads_set(perf->threads);
  void *work = perf->start(perf->setting, &memory);
  for (int k = -1; k < runs; ++k) {
    perf->reset(work);
    thread_clocks(before);
    const double began = clock_of(CLOCK_MONOTONIC);
    units = perf->run(work);
    const double took = clock_of(CLOCK_MONOTONIC) - began;
    thread_clocks(after);
    double most = 0;
    for (int t = 0; t < base_threads(); ++t) {
      most = fmax(most, after[t] - before[t]);
    }
    if (k >= 0) {
      wall[k] = 1e9 * took / units;
      busy[k] = 1e9 * most / units;
    }
  }
  perf->end(work);
  cJSON *out = cJSON_CreateObject(), *bytes = cJSON_CreateObject();
  cJSON_AddStringToObject(out, "name", name);
  cJSON_AddStringToObject(out, "unit", perf->unit);
  base_json_add_real(out, "threads", base_threads());
  base_json_add_real(out, "runs", runs);
  base_json_add_real(out, "work", units);
  cJSON_AddItemToObject(out, "busy", statistics(runs, busy));
  cJSON_AddItemToObject(out, "wall", statistics(runs, wall));
  base_json_add_real(bytes, "problem", memory.problem);
  base_json_add_real(bytes, "solver", memory.solver);
  base_json_add_real(bytes, "body", memory.body);
  base_json_add_real(bytes, "contact", memory.contact);
  base_json_add_real(bytes, "moved", memory.moved);
  cJSON_AddItemToObject(out, "memory", bytes);
  base_threads_set(0);
  return out;
}

static const cJSON *find(const cJSON *record, const char *name) {
  const cJSON *each;
  cJSON_ArrayForEach(each, base_json_at(record, "results")) {
    if (strcmp(base_json_text_at(each, "name"), name) == 0) {
      return each;
    }
  }
  return NULL;
}

static void print_line(const cJSON *result, const cJSON *baseline) {
  const char *name = base_json_text_at(result, "name");
  const double minimum = base_json_real_at(result, "busy.minimum");
  printf("%-28s %9.1f %9.1f %6.0f%% %9.1f %9.1f", name, minimum,
         base_json_real_at(result, "busy.median"), 100 * base_json_real_at(result, "busy.spread"),
         base_json_real_at(result, "wall.minimum"),
         base_json_real_at(result, "memory.problem") + base_json_real_at(result, "memory.solver"));
  const cJSON *then = baseline != NULL ? find(baseline, name) : NULL;
  if (then != NULL) {
    printf(" %8.2f", minimum / base_json_real_at(then, "busy.minimum"));
  }
  const double body = base_json_real_at(result, "memory.body");
  if (body > 0) {
    printf("\n  peak of a whole run: %.0f bytes a body, %.0f a contact", body,
           base_json_real_at(result, "memory.contact"));
  }
  printf("\n");
  fflush(stdout);
}

/* Triads with as many threads as results have, and the results' share of them. */
static void print_roofline(const cJSON *results, cJSON *triads) {
  const cJSON *result;
  int begun = 0;
  cJSON_ArrayForEach(result, results) {
    const double bytes = base_json_real_at(result, "memory.moved");
    const int threads = (int)base_json_real_at(result, "threads");
    if (!(bytes > 0)) {
      continue;
    }
    while (cJSON_GetArraySize(triads) < threads) {
      const int next = cJSON_GetArraySize(triads) + 1;
      cJSON_AddItemToArray(triads, cJSON_CreateNumber(perf_triad(next)));
    }
    if (!begun++) {
      printf("\n%-28s %9s %9s %9s %9s\n", "roofline", "bytes", "GB/s", "triad", "share");
    }
    const double triad = 1e-9 * cJSON_GetArrayItem(triads, threads - 1)->valuedouble;
    const double rate = bytes / base_json_real_at(result, "busy.minimum"); /* bytes/ns */
    printf("%-28s %9.0f %9.2f %9.2f %8.0f%%\n", base_json_text_at(result, "name"), bytes, rate,
           triad, 100 * rate / triad);
  }
}

static cJSON *begin_record(void) {
  cJSON *record = cJSON_CreateObject();
  cJSON_AddStringToObject(record, "schema", SCHEMA);
  cJSON_AddItemToObject(record, "provenance", bench_provenance("make perf"));
  return record;
}

static int measure_all(const struct options *o, const cJSON *baseline) {
  cJSON *record = begin_record(), *results = cJSON_CreateArray();
  struct rusage usage;
  int status = BASE_OK;
  printf("%-28s %9s %9s %7s %9s %9s%s\n", "ns a unit", "minimum", "median", "spread", "wall min",
         "bytes", baseline != NULL ? "    ratio" : "");
  for (int k = 0; k < COUNT; ++k) {
    if (o->text == NULL || strstr(registry[k].name, o->text) != NULL) {
      cJSON *result = measure(registry[k].name, registry[k].perf, o->runs);
      print_line(result, baseline);
      cJSON_AddItemToArray(results, result);
    }
  }
  cJSON *triads = cJSON_CreateArray();
  getrusage(RUSAGE_SELF, &usage);
  print_roofline(results, triads);
  base_json_add_real(record, "peak_bytes", 1024.0 * (double)usage.ru_maxrss);
  cJSON_AddItemToObject(record, "results", results);
  cJSON_AddItemToObject(record, "triad", triads);
  if (o->output != NULL) {
    status = base_json_write(o->output, record);
  }
  cJSON_Delete(record);
  return status;
}

static int usage(void) {
  fprintf(stderr, "usage: perf [-r RUNS] [-t TEXT] [-o FILE] [-b BASELINE]\n");
  return 2;
}

int main(int argc, char **argv) {
  struct options o = {.runs = 9, .text = ""};
  for (int option; (option = getopt(argc, argv, "r:t:o:b:")) != -1;) {
    switch (option) {
    case 'r':
      o.runs = (int)strtol(optarg, NULL, 10);
      break;
    case 't':
      o.text = optarg;
      break;
    case 'o':
      o.output = optarg;
      break;
    case 'b':
      o.baseline = optarg;
      break;
    default:
      return usage();
    }
  }
  if (optind < argc || o.runs < 1 || o.runs > RUNS_MAX) {
    return usage();
  }
  cJSON *baseline = NULL;
  if (o.baseline != NULL) {
    baseline = base_json_read(o.baseline);
    if (baseline == NULL || base_json_expect_schema(baseline, o.baseline, SCHEMA) != BASE_OK) {
      fprintf(stderr, "%s\n", base_message());
      return 2;
    }
  }
  const int status = measure_all(&o, baseline);
  cJSON_Delete(baseline);
  if (status != BASE_OK) {
    fprintf(stderr, "%s\n", base_message());
  }
  return status == BASE_OK ? 0 : 3;
}
