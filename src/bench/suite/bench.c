/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pool of processes; see bench.h. What each of them does for a run: carry_out.c.
 *
 * A child ends with exit status CHILD_DONE + status when its record is written, CHILD_ERROR - error
 * when it could not be. Both lie away from 0 ... 3 and what the system and libraries exit with, so
 * that an unplanned end is never taken for a result; it gets a record of its own, written by the
 * parent. What a child has to tell comes back through memory shared with it: messages, to be
 * printed once, and times.
 *
 * An interrupt (^C, termination, hang-up) ends the children, removes what they left half-written,
 * and then ends the program by that same signal; records written so far stay, for --resume.
 */
#include "bench/suite/bench.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/sort.h"
#include "base/status.h"
#include "bench/job/output.h"
#include "bench/record/record.h"
#include "bench/suite/progress.h"
#include "bench/suite/resume.h"
#include "bench/table/table.h"

/* A cell that does not notice its own time limit is ended after this many limits (steps and
 * reference have one each) and seconds. */
static const double KILL_FACTOR = 2;
static const double KILL_GRACE = 5;
static const double POLL_INTERVAL = 0.002; /* [s] */
enum { CHILD_DONE = 64, CHILD_ERROR = 96, CHILD_ERROR_MAX = 96 - BASE_E_INTERNAL };
#define REFERENCES "references" /* folder of those made before, in the folder of the records */

/* What a child tells. */
struct told {
  double reference; /* time the reference took [s] */
  char message[1024];
};

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
  struct told *told;    /* jobs, shared with the children */
  const char **reasons; /* why each cell is made; NULL: all are */
  int *statuses;        /* of each cell that is done */
  int running, busy;    /* processes; their threads */
  struct bench_progress progress;
};

/* As many jobs a cell counts for: no more than there are. */
static int threads_of(const struct pool *pool, int cell) {
  const int threads = pool->suite->cells[cell].request.threads, jobs = pool->options->jobs;
  return threads < 1 ? 1 : threads < jobs ? threads : jobs;
}

static const char *record_path(const struct pool *pool, int cell) {
  return base_arena_printf(pool->arena, "%s/%s.json", pool->options->folder,
                           pool->suite->cells[cell].place.id);
}

/* Runs have a row in the folder's table (table/table.h): one more while the suite is run, at its
 * end all in order. */
static const char *table_of(const struct pool *pool) {
  return base_arena_printf(pool->arena, "%s/" BENCH_PACKAGE, pool->options->folder);
}

/* A cell of either kind, in the child. */
static int run_cell(const struct pool *pool, int cell, int *status, double *reference) {
  const struct bench_cell *c = &pool->suite->cells[cell];
  const char *path = record_path(pool, cell);
  if (c->solve == NULL) {
    struct bench_request request = c->request;
    request.place = &c->place;
    request.references = base_arena_printf(pool->arena, "%s/" REFERENCES, pool->options->folder);
    request.table = table_of(pool);
    if (pool->options->references) {
      const double begin = base_clock_work();
      const int result = bench_suite_keep_reference(&request, status);
      *reference = base_clock_work() - begin;
      return result;
    }
    return bench_run_to_file(&request, path, status, reference);
  }
  struct bench_solve_request request = *c->solve;
  request.place = &c->place;
  request.output = path;
  return bench_solve(&request, status);
}

/* The record of a cell whose process died. */
static int write_obituary(struct pool *pool, int cell, int status, const char *reason) {
  const struct bench_cell *c = &pool->suite->cells[cell];
  if (pool->options->references) {
    return BASE_OK; /* its cells make it, or tell in their records */
  }
  if (c->solve != NULL) {
    struct bench_solve_request request = *c->solve;
    request.place = &c->place;
    request.output = record_path(pool, cell);
    return bench_solve_died(&request, status, reason);
  }
  struct base_arena_mark mark = base_arena_mark(pool->arena);
  struct bench_request request = c->request;
  request.place = &c->place;
  struct bench_job job;
  struct bench_outcome outcome;
  int result = bench_job_resolve(&request, pool->arena, &job);
  if (result == BASE_OK) {
    bench_outcome_end_early(&outcome, status, reason);
    cJSON *record = bench_record(&job, &outcome);
    result = bench_output_write(record_path(pool, cell), record);
    result = result != BASE_OK ? result : bench_package_add(table_of(pool), c->place.id, record);
    cJSON_Delete(record);
  }
  base_arena_release(pool->arena, mark);
  return result;
}

/* ---- interrupts ---- */

static volatile sig_atomic_t interrupted; /* the signal, 0: none */
static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};
enum { INTERRUPTS = sizeof interrupts / sizeof *interrupts };

static void note_interrupt(int number) { interrupted = number; }

/* That a child has ended ends the pause of `collect`, and no more. */
static void wake(int number) { (void)number; }

static void catch_interrupts(struct sigaction before[INTERRUPTS]) {
  const struct sigaction waking = {.sa_handler = wake, .sa_flags = SA_RESTART};
  interrupted = 0;
  sigaction(SIGCHLD, &waking, NULL);
  for (int i = 0; i < INTERRUPTS; ++i) {
    struct sigaction action = {.sa_handler = note_interrupt};
    sigaction(interrupts[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN) { /* nohup stays in force */
      sigaction(interrupts[i], &action, NULL);
    }
  }
}

static void release_interrupts(const struct sigaction before[INTERRUPTS]) {
  signal(SIGCHLD, SIG_DFL);
  for (int i = 0; i < INTERRUPTS; ++i) {
    sigaction(interrupts[i], &before[i], NULL);
  }
}

/* Remove what processes that were killed have left half-written, ours or those of an earlier start;
 * not the files another program is writing. */
static void tidy(const struct pool *pool) {
  base_file_clean(pool->options->folder);
  base_file_clean(base_arena_printf(pool->arena, "%s/solve", pool->options->folder));
  base_file_clean(base_arena_printf(pool->arena, "%s/" REFERENCES, pool->options->folder));
}

/* End all children and tidy up behind them. */
static void abandon(struct pool *pool) {
  for (int i = 0; i < pool->options->jobs; ++i) {
    struct worker *w = &pool->workers[i];
    if (w->pid != 0) {
      kill(w->pid, SIGKILL);
      while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR) {
      }
      w->pid = 0;
    }
  }
  pool->running = 0;
  tidy(pool);
}

/* ---- processes ---- */

static void run_child(const struct pool *pool, int cell, struct told *told,
                      const struct sigaction before[INTERRUPTS], pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM); /* no child outlives a parent that is killed */
  release_interrupts(before);
  signal(SIGINT, SIG_IGN); /* from a terminal these reach all processes; the parent decides */
  signal(SIGHUP, SIG_IGN);
  if (getppid() != parent) {
    _exit(CHILD_DONE - 1);
  }
  int status = BASE_OK;
  base_file_defer(1); /* until the end of the suite: a record damaged before is made again */
  const int result = run_cell(pool, cell, &status, &told->reference);
  if (result != BASE_OK) {
    snprintf(told->message, sizeof told->message, "%s", base_message());
  }
  _exit(result == BASE_OK ? CHILD_DONE + status : CHILD_ERROR - result);
}

static int start(struct pool *pool, int cell, const struct sigaction before[INTERRUPTS]) {
  int slot = 0;
  while (pool->workers[slot].pid != 0) {
    ++slot;
  }
  pool->told[slot] = (struct told){0};
  fflush(NULL);
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0) {
    return base_fail(BASE_E_INTERNAL, "cannot start a process: %s", strerror(errno));
  }
  if (pid == 0) {
    run_child(pool, cell, &pool->told[slot], before, parent);
  }
  pool->workers[slot] = (struct worker){.pid = pid, .cell = cell, .begin = base_clock_now()};
  ++pool->running;
  pool->busy += threads_of(pool, cell);
  return BASE_OK;
}

static void account(struct pool *pool, int cell, int status, double seconds) {
  const struct bench_cell *c = &pool->suite->cells[cell];
  pool->statuses[cell] = status;
  bench_progress_make(&pool->progress, c->place.id, status, bench_expect_is_bad(c, status),
                      pool->reasons[cell], seconds, bench_cell_seconds(c));
}

/* Begin the table, unless rows of records that are kept are there. */
static int begin_table(const struct pool *pool) {
  return pool->options->references ||
                 (pool->options->resume && bench_package_is_there(table_of(pool)))
             ? BASE_OK
             : bench_package_begin(table_of(pool));
}

static int end_table(const struct pool *pool) {
  int is_there = 0, damaged;
  for (int i = 0; i < pool->suite->n && !pool->options->references; ++i) {
    is_there = is_there || pool->suite->cells[i].solve == NULL;
  }
  return is_there && pool->progress.done > pool->progress.kept
             ? bench_package_end(table_of(pool), pool->options->folder, BENCH_SUITE_KEPT, &damaged)
             : BASE_OK;
}

/* The worker of a slot has ended with the given wait status. */
static int finish(struct pool *pool, int slot, int wait_status, const struct rusage *used) {
  struct worker *worker = &pool->workers[slot];
  const double seconds = base_clock_now() - worker->begin;
  const int cell = worker->cell, code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
  worker->pid = 0;
  --pool->running;
  pool->busy -= threads_of(pool, cell);
  pool->progress.in_references += pool->told[slot].reference;
  pool->progress.in_cells += (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
                             1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
  if (code >= CHILD_DONE && code < CHILD_DONE + BENCH_STATUS_MAX) {
    account(pool, cell, code - CHILD_DONE, seconds);
    return BASE_OK;
  }
  if (code > CHILD_ERROR && code <= CHILD_ERROR_MAX) {
    return base_fail(CHILD_ERROR - code, "%s: %s", pool->suite->cells[cell].place.id,
                     pool->told[slot].message);
  }
  char reason[120];
  const int status = worker->killed ? BASE_TIMEOUT : BASE_FAILED;
  if (worker->killed) {
    snprintf(reason, sizeof reason, "the process was ended: it did not heed its time limit");
  } else if (code >= 0) {
    snprintf(reason, sizeof reason, "the process ended with exit status %d", code);
  } else {
    snprintf(reason, sizeof reason, "the process was ended by signal %d (%s)",
             WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
  }
  const int result = write_obituary(pool, cell, status, reason);
  account(pool, cell, status, seconds);
  return result;
}

static void kill_overdue(struct pool *pool) {
  for (int i = 0; i < pool->options->jobs; ++i) {
    struct worker *w = &pool->workers[i];
    const struct bench_cell *cell = w->pid != 0 ? &pool->suite->cells[w->cell] : NULL;
    const double limit = cell == NULL          ? 0
                         : cell->solve != NULL ? cell->solve_limit
                                               : cell->request.time_limit;
    if (limit > 0 && !w->killed && base_clock_now() - w->begin > KILL_FACTOR * limit + KILL_GRACE) {
      w->killed = 1;
      kill(w->pid, SIGKILL);
    }
  }
}

/* Wait until some worker ends and account for it; returns early when interrupted. */
static int collect(struct pool *pool) {
  while (!interrupted) {
    for (int i = 0; i < pool->options->jobs; ++i) {
      int wait_status;
      struct rusage used;
      const pid_t pid = pool->workers[i].pid;
      if (pid != 0 && wait4(pid, &wait_status, WNOHANG, &used) == pid) {
        return finish(pool, i, wait_status, &used);
      }
    }
    kill_overdue(pool);
    bench_progress_tick(&pool->progress);
    const struct timespec pause = {.tv_nsec = (long)(1e9 * POLL_INTERVAL)};
    nanosleep(&pause, NULL);
  }
  return BASE_OK;
}

/* Does the cell have its result? It then counts as done. */
static int keep(struct pool *pool, int cell) {
  const struct bench_cell *c = &pool->suite->cells[cell];
  const struct base_arena_mark mark = base_arena_mark(pool->arena);
  int status = BASE_OK;
  pool->reasons[cell] = bench_resume_reason(c, record_path(pool, cell), pool->arena, &status);
  base_arena_release(pool->arena, mark); /* reasons are constants */
  if (pool->reasons[cell] == NULL) {
    pool->statuses[cell] = status;
    bench_progress_keep(&pool->progress, c->place.id, status, bench_expect_is_bad(c, status),
                        bench_cell_seconds(c));
  }
  return pool->reasons[cell] == NULL;
}

/* Cells to be made, those of most work first, so that no long one is left for the end while all but
 * one of the processes have nothing to do: their number. Work is estimated (job/job.h); of one-step
 * problems, of which nothing is known before, it may be any, and they come before the runs. Equals
 * stay in the order of the suite. */
static int plan(struct pool *pool, int *cells) {
  static const double most = 1e18; /* of numbers that 64 bits hold */
  const struct bench_suite *suite = pool->suite;
  const size_t n_cells = (size_t)suite->n;
  int n = 0;
  uint64_t *less = base_arena_push(pool->arena, n_cells * sizeof *less);
  void *scratch = base_arena_push(pool->arena, n_cells * BASE_SORT_SCRATCH);
  for (int i = 0; i < suite->n && !interrupted; ++i) {
    if (!pool->options->resume || !keep(pool, i)) {
      const struct bench_cell *c = &suite->cells[i];
      less[n] = c->solve != NULL ? 0 : (uint64_t)(most - fmin(c->work, most));
      cells[n++] = i;
    }
  }
  base_sort_by_key(n, less, cells, (uint64_t)most, scratch);
  return n;
}

static int run_cells(struct pool *pool, const struct sigaction before[INTERRUPTS]) {
  int result = BASE_OK;
  int *cells = base_arena_ints(pool->arena, pool->suite->n);
  const int n = plan(pool, cells);
  for (int next = 0; result == BASE_OK && !interrupted && next < n;) {
    if (pool->busy + threads_of(pool, cells[next]) > pool->options->jobs) {
      result = collect(pool);
    } else if (pool->options->resume && keep(pool, cells[next])) {
      ++next; /* meanwhile another program has made it */
    } else {
      result = start(pool, cells[next++], before);
    }
  }
  while (pool->running > 0 && !interrupted) {
    /* The first error is the one to report; later ones would replace its message. */
    const int ended = result == BASE_OK ? collect(pool) : BASE_OK;
    result = result != BASE_OK ? result : ended;
    if (result != BASE_OK) {
      break;
    }
  }
  abandon(pool);
  return result;
}

int bench_suite_run(const struct bench_suite *suite, const struct bench_options *options,
                    struct base_arena *arena, int *bad) {
  *bad = 0;
  struct pool pool = {.suite = suite, .options = options, .arena = arena};
  int result = base_file_make_folder(options->folder);
  /* The folder itself may be a link, of whoever gave its name. */
  result = result != BASE_OK
               ? result
               : base_file_check_folder(base_arena_printf(arena, "%s/.", options->folder));
  result =
      result != BASE_OK
          ? result
          : bench_output_check(base_arena_printf(arena, "%s/record.json", options->folder), NULL);
  result = result != BASE_OK ? result : bench_suite_keep(suite, options->folder, arena);
  for (int i = 0; i < suite->n && result == BASE_OK; ++i) {
    if (suite->cells[i].solve != NULL) {
      result = base_file_make_folder(base_arena_printf(arena, "%s/solve", options->folder));
      break;
    }
  }
  if (result != BASE_OK) {
    return result;
  }
  const size_t size = (size_t)options->jobs * sizeof *pool.told;
  pool.workers = base_arena_push(arena, (size_t)options->jobs * sizeof *pool.workers);
  pool.told = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pool.told == MAP_FAILED) {
    return base_fail(BASE_E_INTERNAL, "cannot share memory: %s", strerror(errno));
  }
  pool.reasons = base_arena_push(arena, (size_t)suite->n * sizeof *pool.reasons);
  pool.statuses = base_arena_ints(arena, suite->n);
  struct sigaction before[INTERRUPTS];
  catch_interrupts(before);
  tidy(&pool);
  double whole = 0;
  for (int i = 0; i < suite->n; ++i) {
    whole += bench_cell_seconds(&suite->cells[i]);
  }
  bench_progress_begin(&pool.progress, suite->n, whole);
  result = begin_table(&pool);
  result = result != BASE_OK ? result : run_cells(&pool, before);
  result = result != BASE_OK || interrupted ? result : end_table(&pool);
  const int settled = base_file_settle(options->folder);
  result = result != BASE_OK ? result : settled;
  munmap(pool.told, size);
  if (interrupted || result != BASE_OK) {
    bench_progress_clear(&pool.progress);
  } else {
    bench_progress_end(&pool.progress, options->references ? "references" : "records",
                       options->folder);
  }
  release_interrupts(before);
  if (interrupted) {
    fprintf(stderr, "coulombench: interrupted after %d of %d cells; --resume goes on\n",
            pool.progress.done, suite->n);
    raise(interrupted);
  }
  *bad = pool.progress.bad;
  *bad += result == BASE_OK ? bench_expect_unmet(suite, pool.statuses) : 0;
  return result;
}
