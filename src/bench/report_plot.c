/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing with gnuplot. A driver script is left beside the figure's tables (plot.gp): it names the
 * line style of every formulation by its place in the registry, then runs the common style and the
 * figure's script once for each of three terminals. Text is 12 pt in the PDF; the SVG is made for
 * screens. gnuplot runs with its defaults alone (no start-up files of the user) and is ended when
 * it takes longer than any figure should.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/data.h"
#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/report.h"
#include "form/form.h"

static const double DRAW_LIMIT = 120;          /* [s] for one figure; the largest takes a few */
static const double POLL_INTERVAL = 0.002;     /* [s] */
static const double WIDTH = 17, HEIGHT = 10.5; /* [cm] unless the script says otherwise */
static const double SIZE_MAX_CM = 100;

static void quote(FILE *file, const char *name, const char *text) {
  fprintf(file, "%s = '", name);
  for (; *text != '\0'; ++text) {
    if (*text == '\'') {
      fputc('\'', file);
    }
    fputc(*text == '\n' ? ' ' : *text, file);
  }
  fputs("'\n", file);
}

/* The comment "# size: 17 20" of a script, in cm. */
static int script_size(const char *script, double *width, double *height) {
  char *text;
  size_t size;
  *width = WIDTH;
  *height = HEIGHT;
  const int status = base_file_read(script, &text, &size);
  if (status != BASE_OK) {
    return status;
  }
  static const char mark[] = "# size:";
  const char *line = strstr(text, mark);
  if (line != NULL) {
    char *end;
    *width = strtod(line + strlen(mark), &end);
    *height = strtod(end, &end);
    if (!(*width > 1 && *width<SIZE_MAX_CM && * height> 1 && *height < SIZE_MAX_CM)) {
      free(text);
      return base_fail(BASE_FAILED, "%s: '# size: WIDTH HEIGHT' must be two lengths in cm", script);
    }
  }
  free(text);
  return BASE_OK;
}

static void write_formulations(FILE *file) {
  char list[2048] = "", name[128];
  for (int i = 0; i < form_count(); ++i) {
    const char *form = form_name(form_get(i));
    snprintf(name, sizeof name, "ls_%s", form);
    for (char *c = name; *c != '\0'; ++c) {
      *c = *c == '-' ? '_' : *c;
    }
    fprintf(file, "%s = %d\n", name, i + 1);
    const size_t end = strlen(list);
    snprintf(list + end, sizeof list - end, "%s%s", i > 0 ? " " : "", form);
  }
  quote(file, "formulations", list);
}

/* The driver's text, to be freed by free(). */
static char *driver_text(const struct report *report, const char *id, const char *title,
                         const char *style, const char *script, const char *extra,
                         const double size[2]) {
  static const char *const extensions[] = {"pdf", "svg", "png"};
  const double w = size[0], h = size[1];
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  fprintf(file, "# Draws figure %s again: gnuplot -d plot.gp\n", id);
  quote(file, "id", id);
  quote(file, "title", title);
  quote(file, "data", base_arena_printf(report->arena, "%s/figures/%s", report->output, id));
  write_formulations(file);
  fputs(extra, file);
  for (int i = 0; i < 3; ++i) {
    fputs("\nreset\n", file);
    switch (i) {
    case 0: /* fontscale 0.75: 12 pt as printed (measured; 0.5, the default, gives 8 pt) */
      fprintf(file,
              "set terminal pdfcairo color enhanced font 'sans-serif,12' fontscale 0.75 "
              "linewidth 0.9 size %gcm,%gcm\n",
              w, h);
      break;
    case 1: /* 47 px a centimetre: 17 cm fill a text column of 800 px with 16 px letters */
      fprintf(file,
              "set terminal svg enhanced font 'sans-serif,12' fontscale 1.3333 size %.0f,%.0f "
              "dynamic background '#ffffff'\n",
              47 * w, 47 * h);
      break;
    default: /* 240 dpi */
      fprintf(file,
              "set terminal pngcairo color enhanced font 'sans-serif,12' fontscale 2.4 "
              "linewidth 2.2 pointscale 2.6 size %.0f,%.0f\n",
              240 / 2.54 * w, 240 / 2.54 * h);
    }
    quote(file, "set_output",
          base_arena_printf(report->arena, "%s/figures/%s.%s", report->output, id, extensions[i]));
    fputs("set output set_output\n", file);
    quote(file, "script", style);
    fputs("load script\n", file);
    quote(file, "script", script);
    fputs("load script\nunset multiplot\nunset output\n", file);
  }
  fclose(file);
  return text;
}

/* Run gnuplot on a driver, its complaints into a file; the wait status, -1 when it took too long,
 * -2 when it could not be started. */
static int run_gnuplot(const char *driver, const char *complaints) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid < 0) {
    return -2;
  }
  if (pid == 0) {
    const int out = open(complaints, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int in = open("/dev/null", O_RDONLY);
    if (out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) {
      _exit(126);
    }
    unsetenv("GNUPLOT_LIB");
    execlp("gnuplot", "gnuplot", "-d", driver, (char *)NULL);
    fprintf(stderr, "gnuplot: %s\n", strerror(errno));
    _exit(127);
  }
  const double begin = base_clock_now();
  for (;;) {
    int status;
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) {
      return status;
    }
    if (ended < 0 && errno != EINTR) {
      return -2;
    }
    if (base_clock_now() - begin > DRAW_LIMIT) {
      kill(pid, SIGKILL);
      waitpid(pid, &status, 0);
      return -1;
    }
    const struct timespec pause = {.tv_nsec = (long)(1e9 * POLL_INTERVAL)};
    nanosleep(&pause, NULL);
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
static int judge(const struct report *report, const char *id, int outcome, const char *complaints) {
  char *text = NULL;
  size_t size;
  int status = BASE_OK;
  if (outcome == -1) {
    return base_fail(BASE_FAILED, "gnuplot took longer than %.0f s", DRAW_LIMIT);
  }
  if (outcome == -2 || base_file_read(complaints, &text, &size) != BASE_OK) {
    return base_fail(BASE_FAILED, "gnuplot could not be started");
  }
  if (!WIFEXITED(outcome) || WEXITSTATUS(outcome) != 0) {
    status = WIFEXITED(outcome) && WEXITSTATUS(outcome) == 127
                 ? base_fail(BASE_FAILED, "gnuplot is missing: %s", first_complaint(text))
                 : base_fail(BASE_FAILED, "gnuplot: %s", first_complaint(text));
  } else if (strstr(text, "no valid points") != NULL) {
    status = base_fail(BASE_FAILED, "gnuplot: an empty plot: %s", first_complaint(text));
  }
  static const char *const extensions[] = {"pdf", "svg", "png"};
  for (int i = 0; i < 3 && status == BASE_OK; ++i) {
    const char *path =
        base_arena_printf(report->arena, "%s/figures/%s.%s", report->output, id, extensions[i]);
    if (access(path, R_OK) != 0) {
      status = base_fail(BASE_FAILED, "gnuplot wrote no %s file", extensions[i]);
    }
  }
  free(text);
  return status;
}

int report_draw(const struct report *report, const char *id, const char *title, const char *script,
                const char *extra) {
  static const char *const extensions[] = {"pdf", "svg", "png"};
  struct base_arena *arena = report->arena;
  const char *folder = base_arena_printf(arena, "%s/figures/%s", report->output, id);
  const char *driver = base_arena_printf(arena, "%s/plot.gp", folder);
  const char *complaints = base_arena_printf(arena, "%s/plot.log", folder);
  for (int i = 0; i < 3; ++i) { /* an older drawing must not pass for this one */
    unlink(base_arena_printf(arena, "%s.%s", folder, extensions[i]));
  }
  const char *style = base_data_path(arena, "scripts/plot/style.gp");
  const char *file = style != NULL ? base_data_path(arena, script) : NULL;
  if (file == NULL) {
    return BASE_FAILED;
  }
  double size[2];
  int status = script_size(file, &size[0], &size[1]);
  if (status != BASE_OK) {
    return status;
  }
  char *text = driver_text(report, id, title, style, file, extra, size);
  status = base_file_write(driver, text, strlen(text));
  free(text);
  if (status != BASE_OK) {
    return status;
  }
  status = judge(report, id, run_gnuplot(driver, complaints), complaints);
  if (status == BASE_OK) {
    unlink(complaints);
  }
  return status;
}
