/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench papers`: a paper a block, an item a paragraph, a value a line; see papers.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/figure/figure.h"
#include "bench/papers/papers.h"

static void print_row(const struct bench_paper_row *row) {
  printf("  %-11s ", row->verdict);
  if (row->what[0] != '\0') {
    printf("%s", row->what);
    if (isfinite(row->measured)) {
      printf(": %.*g", row->digits, row->measured);
    }
  }
  if (row->published[0] != '\0') {
    printf(" [published: %s", row->published);
    if (isfinite(row->difference)) {
      printf("; %+.2g %%", 100 * row->difference);
    }
    printf("]");
  }
  if (row->reason[0] != '\0') {
    printf("%s%s", row->what[0] != '\0' ? "; " : "", row->reason);
  }
  printf("\n");
}

/* One block; returns how many of its lines are faults. */
static int print_paper(const struct bench_paper *paper, const cJSON *figures,
                       struct base_arena *arena) {
  int n, faults;
  const struct bench_paper_row *rows = bench_paper_rows(paper, figures, arena, &n);
  printf("%s: %s\n", paper->tag, paper->reference);
  for (int i = 0; i < n; ++i) {
    const struct bench_paper_item *item = rows[i].item;
    if (i == 0 || item != rows[i - 1].item) {
      printf("\n%s (%s): %s%s%s\n", item->item, item->section, item->says,
             item->figure != NULL ? " -> " : "", item->figure != NULL ? item->figure : "");
    }
    print_row(&rows[i]);
  }
  printf("\n%s: %s: %s\n\n", paper->tag, bench_paper_kinds(paper, arena),
         bench_paper_counts(rows, n, arena, &faults));
  return faults;
}

/* The records of all figures in a folder of results. */
static int load_figures(const char *folder, struct base_arena *arena, cJSON *figures) {
  struct dirent **names = NULL;
  const char *path = base_arena_printf(arena, "%s/figures", folder);
  const int n = scandir(path, &names, base_json_is_name, alphasort);
  int status = n >= 0 ? BASE_OK
                      : base_fail(BASE_E_INPUT,
                                  "%s: no such folder: run `coulombench bench paper` and "
                                  "`coulombench report` first",
                                  path);
  for (int i = 0; i < n; ++i) {
    const char *file = base_arena_printf(arena, "%s/%s", path, names[i]->d_name);
    cJSON *figure = status == BASE_OK ? base_json_read_regular(file) : NULL;
    if (figure != NULL) {
      cJSON_AddItemToArray(figures, figure);
      status = bench_figure_check(figure, file);
    } else if (status == BASE_OK) {
      status = BASE_E_INPUT;
    }
    free(names[i]);
  }
  free(names);
  return status;
}

static int print_papers(const struct bench_paper *papers, int n, const char *tag,
                        const cJSON *figures, struct base_arena *arena, int *faults) {
  const char **tags = base_arena_push(arena, (size_t)n * sizeof *tags);
  for (int i = 0; i < n; ++i) {
    tags[i] = papers[i].tag;
  }
  const int only = tag != NULL ? base_name_find("paper", tag, n, tags) : -1;
  if (tag != NULL && only < 0) {
    return BASE_E_INPUT;
  }
  for (int i = 0; i < n; ++i) {
    if (only < 0 || i == only) {
      *faults += print_paper(&papers[i], figures, arena);
    }
  }
  return BASE_OK;
}

int bench_papers(const char *folder, const char *paper, int *faults) {
  struct base_arena *arena = base_arena_alloc();
  cJSON *files = NULL, *figures = cJSON_CreateArray();
  struct bench_paper *papers = NULL;
  int n = 0, status = bench_papers_load(arena, &files, &n, &papers);
  status = status != BASE_OK ? status : load_figures(folder, arena, figures);
  *faults = 0;
  status = status != BASE_OK ? status : print_papers(papers, n, paper, figures, arena, faults);
  cJSON_Delete(figures);
  cJSON_Delete(files);
  base_arena_free(arena);
  return status;
}
