/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pool of processes and its progress display; see bench.h.
 */
#include "bench/bench.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/status.h"
#include "bench/record.h"

/* A cell that does not notice its own time limit is ended after this many limits and seconds. */
static const double KILL_FACTOR = 2;
static const double KILL_GRACE = 5;
static const double POLL_INTERVAL = 0.002; /* [s] */

struct worker {
  pid_t pid; /* 0: free */
  int cell;
  double begin;
  int killed;
};

struct pool {
  const struct bench_suite *suite;
  const struct bench_options *options;
  struct base_arena *arena;
  struct worker *workers;
  int done, bad, kept;
  int counts[8]; /* by status */
  double begin;
  int on_terminal;
};

static const char *record_path(const struct pool *pool, int cell) {
  return base_arena_printf(pool->arena, "%s/%s.json", pool->options->folder,
                           pool->suite->cells[cell].id);
}

int bench_run_to_file(const struct bench_request *request, const char *path, int *status) {
  struct base_arena *arena = base_arena_alloc();
  struct bench_job job;
  struct bench_outcome outcome;
  int result = bench_job_resolve(request, arena, &job);
  result = result != BASE_OK ? result : bench_run(&job, arena, &outcome);
  if (result == BASE_OK) {
    cJSON *record = bench_record(&job, &outcome);
    result = base_json_write(path, record);
    cJSON_Delete(record);
    *status = outcome.status;
  }
  base_arena_free(arena);
  return result;
}

/* The record of a cell whose process died. */
static int write_obituary(struct pool *pool, int cell, int status, const char *reason) {
  struct base_arena_mark mark = base_arena_mark(pool->arena);
  struct bench_job job;
  struct bench_outcome outcome = {.status = status};
  int result = bench_job_resolve(&pool->suite->cells[cell].request, pool->arena, &job);
  if (result == BASE_OK) {
    snprintf(outcome.reason, sizeof outcome.reason, "%s", reason);
    outcome.reference.kind = "none";
    outcome.reference.bound = NAN;
    outcome.errors.q_linf = outcome.errors.q_l2 = outcome.errors.q_final =
        outcome.errors.u_hausdorff = NAN;
    outcome.law.residual_max = outcome.law.residual_p50 = outcome.law.relative_b_max = NAN;
    cJSON *record = bench_record(&job, &outcome);
    result = base_json_write(record_path(pool, cell), record);
    cJSON_Delete(record);
  }
  base_arena_release(pool->arena, mark);
  return result;
}

/* Status of a record that may be kept, -1 when the cell has to be run. */
static int kept_status(struct pool *pool, int cell) {
  int status = -1;
  struct base_arena_mark mark = base_arena_mark(pool->arena);
  const char *path = record_path(pool, cell);
  struct bench_job job;
  cJSON *record = access(path, R_OK) == 0 ? base_json_read(path) : NULL;
  if (record != NULL && bench_record_check(record, path) == BASE_OK &&
      bench_job_resolve(&pool->suite->cells[cell].request, pool->arena, &job) == BASE_OK &&
      strcmp(base_json_text_at(record, "provenance.command"), job.command) == 0) {
    base_status_parse(base_json_text_at(record, "status"), &status);
    status = status == BASE_TIMEOUT ? -1 : status;
  }
  cJSON_Delete(record);
  base_arena_release(pool->arena, mark);
  return status;
}

static void show_bar(const struct pool *pool) {
  enum { WIDTH = 30 };
  const int n = pool->suite->n;
  const double elapsed = base_clock_now() - pool->begin;
  const int fresh = pool->done - pool->kept;
  const double eta = fresh > 0 ? elapsed / fresh * (n - pool->done) : NAN;
  char bar[WIDTH + 1];
  const int filled = n > 0 ? WIDTH * pool->done / n : WIDTH;
  memset(bar, '#', (size_t)filled);
  memset(bar + filled, '.', (size_t)(WIDTH - filled));
  bar[WIDTH] = '\0';
  fprintf(stderr, "\r[%s] %d/%d  %.0f s", bar, pool->done, n, elapsed);
  if (isfinite(eta)) {
    fprintf(stderr, ", about %.0f s left ", eta);
  }
  fprintf(stderr, "\033[K");
  fflush(stderr);
}

static void account(struct pool *pool, int cell, int status, double seconds) {
  const struct bench_cell *c = &pool->suite->cells[cell];
  const int surprise =
      status != BASE_OK && status != BASE_UNSUPPORTED && (c->expected & (1u << status)) == 0;
  ++pool->done;
  pool->bad += surprise;
  ++pool->counts[status];
  if (pool->on_terminal) {
    if (surprise) {
      fprintf(stderr, "\r\033[K%s: %s\n", c->id, base_status_name(status));
    }
    show_bar(pool);
  } else {
    fprintf(stderr, "[%d/%d] %s  %s%s  %.2f s\n", pool->done, pool->suite->n, c->id,
            base_status_name(status), surprise ? " (not expected)" : "", seconds);
  }
}

static int start(struct pool *pool, struct worker *worker, int cell) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid < 0) {
    return base_fail(BASE_E_INTERNAL, "cannot start a process: %s", strerror(errno));
  }
  if (pid == 0) {
    int status = BASE_OK;
    const int result =
        bench_run_to_file(&pool->suite->cells[cell].request, record_path(pool, cell), &status);
    if (result != BASE_OK) {
      fprintf(stderr, "%scoulombench: %s: %s\n", pool->on_terminal ? "\r\033[K" : "",
              pool->suite->cells[cell].id, base_message());
      fflush(stderr);
    }
    _exit(result == BASE_OK ? status : 100 - result);
  }
  *worker = (struct worker){.pid = pid, .cell = cell, .begin = base_clock_now()};
  return BASE_OK;
}

/* A worker has ended with the given wait status. */
static int finish(struct pool *pool, struct worker *worker, int wait_status) {
  const double seconds = base_clock_now() - worker->begin;
  const int cell = worker->cell;
  worker->pid = 0;
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) < 8) {
    account(pool, cell, WEXITSTATUS(wait_status), seconds);
    return BASE_OK;
  }
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) > 100) {
    return base_fail(100 - WEXITSTATUS(wait_status), "%s: no record could be written",
                     pool->suite->cells[cell].id);
  }
  char reason[120];
  const int status = worker->killed ? BASE_TIMEOUT : BASE_FAILED;
  if (worker->killed) {
    snprintf(reason, sizeof reason, "ended after %.0f s: it did not heed its time limit", seconds);
  } else {
    snprintf(reason, sizeof reason, "the process ended by signal %d",
             WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0);
  }
  const int result = write_obituary(pool, cell, status, reason);
  account(pool, cell, status, seconds);
  return result;
}

static void kill_overdue(struct pool *pool) {
  for (int i = 0; i < pool->options->jobs; ++i) {
    struct worker *w = &pool->workers[i];
    const double limit = w->pid != 0 ? pool->suite->cells[w->cell].request.time_limit : 0;
    if (limit > 0 && !w->killed && base_clock_now() - w->begin > KILL_FACTOR * limit + KILL_GRACE) {
      w->killed = 1;
      kill(w->pid, SIGKILL);
    }
  }
}

/* Wait until some worker ends and account for it; *running counts the busy ones. */
static int collect(struct pool *pool, int *running) {
  for (;;) {
    int wait_status;
    const pid_t pid = waitpid(-1, &wait_status, WNOHANG);
    for (int i = 0; pid > 0 && i < pool->options->jobs; ++i) {
      if (pool->workers[i].pid == pid) {
        --*running;
        return finish(pool, &pool->workers[i], wait_status);
      }
    }
    if (pid <= 0) {
      kill_overdue(pool);
      const struct timespec pause = {.tv_nsec = (long)(1e9 * POLL_INTERVAL)};
      nanosleep(&pause, NULL);
    }
  }
}

static void summarise(const struct pool *pool) {
  fprintf(stderr, "%s%d cells in %.1f s:", pool->on_terminal ? "\r\033[K" : "", pool->suite->n,
          base_clock_now() - pool->begin);
  for (int status = 0; status < 8; ++status) {
    if (pool->counts[status] > 0) {
      fprintf(stderr, " %d %s", pool->counts[status], base_status_name(status));
    }
  }
  if (pool->kept > 0) {
    fprintf(stderr, " (%d kept)", pool->kept);
  }
  fprintf(stderr, "; records in %s\n", pool->options->folder);
}

int bench_suite_run(const struct bench_suite *suite, const struct bench_options *options,
                    struct base_arena *arena, int *bad) {
  struct pool pool = {.suite = suite,
                      .options = options,
                      .arena = arena,
                      .begin = base_clock_now(),
                      .on_terminal = isatty(STDERR_FILENO)};
  pool.workers = base_arena_push(arena, (size_t)options->jobs * sizeof *pool.workers);
  int result = base_file_make_folder(options->folder);
  int running = 0;
  for (int next = 0; result == BASE_OK && next < suite->n;) {
    const int kept = options->resume ? kept_status(&pool, next) : -1;
    if (kept >= 0) {
      ++pool.kept;
      account(&pool, next++, kept, 0);
    } else if (running < options->jobs) {
      struct worker *free_worker = pool.workers;
      while (free_worker->pid != 0) {
        ++free_worker;
      }
      result = start(&pool, free_worker, next++);
      running += result == BASE_OK;
    } else {
      result = collect(&pool, &running);
    }
  }
  while (running > 0) {
    const int ended = collect(&pool, &running);
    result = result != BASE_OK ? result : ended;
  }
  if (result == BASE_OK) {
    summarise(&pool);
  }
  *bad = pool.bad;
  return result;
}
