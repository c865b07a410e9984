/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing with gnuplot. A driver script is left beside the figure's tables (plot.gp): it names the
 * line style of every formulation and solver, with the look that these bring, then runs the common
 * style and the figure's script once for each terminal (terminal.h: which, and sizes on screen and
 * in print); script.h is how texts get into it. gnuplot runs with its defaults
 * alone (no start-up files of the user) and is ended when it takes longer than any figure should.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes/hash.h"
#include "base/clock.h"
#include "base/data.h"
#include "base/json/json.h"
#include "base/status.h"
#include "base/threads.h"
#include "bench/report/kit/report.h"
#include "bench/report/kit/script.h"
#include "form/form.h"

/* [s] for one figure, of which the largest takes a few; COULOMBENCH_DRAW_LIMIT is another. */
static const double DRAW_LIMIT = 120;
enum { HUNG_MOST = 2 }; /* figures beyond the limit after which gnuplot is started no more */
static const double POLL_INTERVAL = 0.002; /* [s] */

/* Line styles of solvers have numbers from here on, behind those of formulations and style.gp. */
enum { SOLVER_STYLES = 200 };

static double draw_limit(void) {
  const char *text = getenv("COULOMBENCH_DRAW_LIMIT");
  const double given = text != NULL ? strtod(text, NULL) : 0;
  return given > 0 ? given : DRAW_LIMIT;
}

/* A figure and its files, all absolute. */
struct figure_files {
  const char *id, *title;
  const char *folder;         /* of tables and driver */
  const char *style, *script; /* of the program */
  const char *const *drawn;   /* TERMINALS */
};

/* The look of an object that brings none: of its name alone, so that it does not change when
 * others are added. */
static struct base_look look_of_name(const char *name) {
  static const unsigned colours[] = {0x0072b2, 0xe69f00, 0x009e73, 0xd55e00, 0xcc79a7,
                                     0x56b4e9, 0x882255, 0x999933, 0x332288, 0x44aa99};
  static const double dashes[][4] = {{0}, {14, 5}, {5, 4}, {3, 3}, {14, 4, 3, 4}};
  const uint64_t hash = base_hash_text(BASE_HASH_EMPTY, name);
  struct base_look look = {
      .colour = colours[hash % 10], .point = 1 + (int)(hash / 10 % 15), .point_size = 1};
  memcpy(look.dashes, dashes[hash / 150 % 5], sizeof look.dashes);
  return look;
}

static void set_formulations(struct report_script *driver) {
  const char **names = base_arena_push(driver->arena, (size_t)form_count() * sizeof *names);
  for (int i = 0; i < form_count(); ++i) {
    names[i] = form_get(i)->name;
    char *variable = base_arena_printf(driver->arena, "ls_%s", names[i]);
    for (char *c = variable; *c != '\0'; ++c) {
      *c = *c == '-' ? '_' : *c;
    }
    report_script_real(driver, variable, i + 1);
  }
  report_script_names(driver, "formulations", form_count(), names);
  for (int i = 0; i < form_count(); ++i) {
    const struct base_look *own = &form_get(i)->look;
    const struct base_look look = own->point > 0 ? *own : look_of_name(form_get(i)->name);
    names[i] = base_arena_printf(driver->arena, "c%06x", look.colour);
  }
  report_script_names(driver, "form_colours", form_count(), names);
}

static void set_solvers(struct report_script *driver) {
  const int n = problem_solver_count();
  const char **names = base_arena_push(driver->arena, (size_t)n * sizeof *names);
  for (int i = 0; i < n; ++i) {
    names[i] = problem_solver_get(i)->name;
  }
  report_script_names(driver, "all_solvers", n, names);
}

static void set_look(struct report_script *driver, int style, const char *name,
                     const struct base_look *own) {
  const struct base_look x = own->point > 0 ? *own : look_of_name(name);
  const double *d = x.dashes;
  report_script_line(driver,
                     "set style line %d linecolor rgb '#%06x' linewidth 2 pointtype %d "
                     "pointsize %g",
                     style, x.colour, x.point, x.point_size);
  if (d[0] > 0 && d[2] > 0) {
    report_script_line(driver, "set style line %d dashtype (%g,%g,%g,%g)", style, d[0], d[1], d[2],
                       d[3]);
  } else if (d[0] > 0) {
    report_script_line(driver, "set style line %d dashtype (%g,%g)", style, d[0], d[1]);
  }
}

/* Line style i + 1 of formulation i, SOLVER_STYLES + i + 1 of solver i; style.gp. */
static void set_looks(struct report_script *driver) {
  for (int i = 0; i < form_count(); ++i) {
    set_look(driver, i + 1, form_get(i)->name, &form_get(i)->look);
  }
  for (int i = 0; i < problem_solver_count(); ++i) {
    const struct problem_solver *solver = problem_solver_get(i);
    set_look(driver, SOLVER_STYLES + i + 1, solver->name, &solver->look);
  }
}

static const char *driver_text(const struct report *report, const struct figure_files *f,
                               const struct report_script *variables,
                               const struct report_size *size) {
  struct report_script driver = {.arena = report->arena};
  report_script_line(&driver, "# Draws the figure again: gnuplot -d plot.gp");
  report_script_text(&driver, "id", f->id);
  report_script_text(&driver, "title", report->width_mm > 0 ? "" : f->title);
  report_script_path(&driver, "data", f->folder);
  report_script_real(&driver, "width_mm", report->width_mm);
  report_script_real(&driver, "narrow",
                     report->width_mm > 0 && report->width_mm < REPORT_NARROW_MM);
  report_script_real(&driver, "page_wide", size->width);
  report_script_real(&driver, "page_high", size->height);
  report_script_real(&driver, "page_shown", size->shown);
  set_formulations(&driver);
  set_solvers(&driver);
  report_script_real(&driver, "solver_styles", SOLVER_STYLES);
  report_script_append(&driver, variables);
  for (int i = 0; i < report_terminals(report->width_mm); ++i) {
    report_script_line(&driver, "\nreset");
    report_terminal_set(&driver, i, report->width_mm, size);
    report_script_path(&driver, "set_output", f->drawn[i]);
    report_script_line(&driver, "set output set_output");
    report_script_path(&driver, "script", f->style);
    report_script_line(&driver, "load script");
    set_looks(&driver);
    report_script_path(&driver, "script", f->script);
    report_script_line(&driver, "load script\nunset multiplot\nunset output");
  }
  return driver.gnuplot_lines;
}

/* Other ends of gnuplot than wait statuses. */
enum { TOOK_TOO_LONG = -1, NOT_STARTED = -2, GIVEN_UP = -3 };

/* What a child becomes: gnuplot on a driver. */
struct becoming {
  const char *driver;
  int in, out;
  pid_t parent;
};

static int become_gnuplot(void *data) {
  const struct becoming *b = data;
  const char *driver = b->driver;
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive a report that is killed */
  if (getppid() != b->parent || dup2(b->in, 0) < 0 || dup2(b->out, 1) < 0 || dup2(b->out, 2) < 0) {
    _exit(126);
  }
  execlp("gnuplot", "gnuplot", "-d", driver, (char *)NULL);
  dprintf(2, "gnuplot: %s\n", strerror(errno));
  _exit(127);
}

/* Start gnuplot on a driver; d->ended says where that is not to be. Until the child is another
 * program it shares the memory of the report, which waits, and has a stack of its own: a copy for
 * each figure, page tables and all, would be a quarter of the time of a report. */
static void start_gnuplot(struct report *report, struct report_drawing *d, const char *driver) {
  enum { STACK = 256 * 1024, ALIGNED = 16 };
  const struct base_arena_mark mark = base_arena_mark(report->arena);
  char *stack = base_arena_push(report->arena, STACK);
  struct becoming b = {.driver = driver,
                       .in = open("/dev/null", O_RDONLY | O_CLOEXEC),
                       .out = open(d->complaints, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
                       .parent = getpid()};
  unsetenv("GNUPLOT_LIB");
  fflush(NULL);
  d->begin = base_clock_now();
  const pid_t pid = b.in >= 0 && b.out >= 0 ? clone(become_gnuplot, stack + STACK - ALIGNED,
                                                    CLONE_VM | CLONE_VFORK | SIGCHLD, &b)
                                            : -1;
  d->pid = pid > 0 ? pid : 0;
  d->ended = NOT_STARTED;
  close(b.in);
  close(b.out);
  base_arena_release(report->arena, mark);
}

/* Wait for gnuplot to end, however it does. */
static void wait_for(struct report *report, struct report_drawing *d) {
  while (d->pid != 0) {
    const pid_t ended = waitpid(d->pid, &d->ended, WNOHANG);
    if (ended == 0 && base_clock_now() - d->begin > draw_limit()) {
      kill(d->pid, SIGKILL);
      waitpid(d->pid, &d->ended, 0);
      ++report->n_hung;
      d->ended = TOOK_TOO_LONG;
      d->pid = 0;
    } else if (ended == d->pid || (ended < 0 && errno != EINTR)) {
      d->ended = ended < 0 ? NOT_STARTED : d->ended;
      d->pid = 0;
    } else {
      const struct timespec pause = {.tv_nsec = (long)(1e9 * POLL_INTERVAL)};
      nanosleep(&pause, NULL);
    }
  }
  for (struct report_drawing **at = &report->drawing; *at != NULL; at = &(*at)->next) {
    if (*at == d) {
      *at = d->next;
      --report->n_drawing;
      break;
    }
  }
}

/* The line of gnuplot's output that says what is wrong, cut at its end: the one after its marker
 * of the place in the script, else the first with a word in it. */
static const char *first_complaint(char *text) {
  char *line = strstr(text, "line ");
  if (line == NULL) {
    line = text + strspn(text, " \t\n^");
  } else {
    while (line > text && line[-1] != '\n') {
      --line;
    }
  }
  line[strcspn(line, "\n")] = '\0';
  return line[0] != '\0' ? line : "it gave no reason";
}

/* What came of a run of gnuplot. Its warning that a plot had no data is a failure: the panel is
 * empty. */
static int judge(const struct report *report, const struct report_drawing *d) {
  char *text = NULL;
  size_t size;
  int status = BASE_OK;
  const int outcome = d->ended;
  if (outcome == TOOK_TOO_LONG) {
    return base_fail(BASE_FAILED, "gnuplot took longer than %g s", draw_limit());
  }
  if (outcome == GIVEN_UP) {
    return base_fail(BASE_FAILED, "gnuplot took longer than %g s for other figures: given up",
                     draw_limit());
  }
  if (outcome == NOT_STARTED || base_file_read(d->complaints, &text, &size) != BASE_OK) {
    return base_fail(BASE_FAILED, "gnuplot could not be started");
  }
  if (!WIFEXITED(outcome) || WEXITSTATUS(outcome) != 0) {
    status = WIFEXITED(outcome) && WEXITSTATUS(outcome) == 127
                 ? base_fail(BASE_FAILED, "gnuplot is missing: %s", first_complaint(text))
                 : base_fail(BASE_FAILED, "gnuplot: %s", first_complaint(text));
  } else if (strstr(text, "no valid points") != NULL) {
    status = base_fail(BASE_FAILED, "gnuplot: an empty plot: %s", first_complaint(text));
  }
  for (int i = 0; i < report_terminals(report->width_mm) && status == BASE_OK; ++i) {
    if (access(d->drawn[i], R_OK) != 0) {
      status = base_fail(BASE_FAILED, "gnuplot wrote no %s file", report_terminal_names[i]);
    }
  }
  free(text);
  return status;
}

/* Everything that gnuplot reads; *driver: the file it is given. */
static int prepare(const struct report *report, struct report_drawing *d, const char *id,
                   const char *title, const char *script, const struct report_script *variables,
                   const char **driver) {
  struct base_arena *arena = report->arena;
  const char *base =
      base_arena_printf(arena, "%s/%s/%s", report->output, report_figures_folder(report), id);
  struct figure_files f = {.id = id, .title = title, .folder = base, .drawn = d->drawn};
  for (int i = 0; i < TERMINALS; ++i) {
    d->drawn[i] = base_arena_printf(arena, "%s.%s", base, report_terminal_names[i]);
    unlink(d->drawn[i]); /* an older drawing must not pass for this one */
  }
  f.style = base_data_path(arena, "scripts/plot/style.gp");
  f.script = f.style != NULL ? base_data_path(arena, script) : NULL;
  if (f.script == NULL) {
    return BASE_FAILED;
  }
  struct report_size size;
  const int status = report_terminal_size(f.script, variables != NULL ? variables->size : NULL,
                                          report->width_mm, &size);
  if (status != BASE_OK) {
    return status;
  }
  *driver = base_arena_printf(arena, "%s/plot.gp", base);
  d->complaints = base_arena_printf(arena, "%s/plot.log", base);
  const char *text = driver_text(report, &f, variables, &size);
  return base_file_write(*driver, text, strlen(text));
}

struct report_drawing *report_draw_begin(struct report *report, const char *id, const char *title,
                                         const char *script,
                                         const struct report_script *variables) {
  struct report_drawing *d = base_arena_push(report->arena, sizeof *d);
  const char *driver;
  *d = (struct report_drawing){.ended = NOT_STARTED};
  d->status = prepare(report, d, id, title, script, variables, &driver);
  if (d->status != BASE_OK) {
    d->reason = base_arena_copy(report->arena, base_message());
    return d;
  }
  if (report->n_drawing > 0 && report->n_drawing >= base_threads_processors()) {
    wait_for(report, report->drawing);
  }
  if (report->n_hung >= HUNG_MOST) {
    d->ended = GIVEN_UP;
    return d;
  }
  start_gnuplot(report, d, driver);
  struct report_drawing **last = &report->drawing;
  while (*last != NULL) {
    last = &(*last)->next;
  }
  *last = d;
  ++report->n_drawing;
  return d;
}

int report_draw_end(struct report *report, struct report_drawing *d) {
  if (d->status != BASE_OK) {
    return base_fail(d->status, "%s", d->reason);
  }
  wait_for(report, d);
  int status = judge(report, d);
  if (status == BASE_OK) {
    unlink(d->complaints);
  }
  for (int i = 0; i < report_terminals(report->width_mm) && status == BASE_OK; ++i) {
    status = report_terminal_finish(i, d->drawn[i], report->width_mm);
  }
  return status;
}
