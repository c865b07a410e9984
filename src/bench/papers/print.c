/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench papers`: a paper a block, an item a paragraph, a value a line; see papers.h.
 */
#include <math.h>
#include <unistd.h>

#include "base/json/folder.h"
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
static int print_paper(const cJSON *paper, const cJSON *figures, struct base_arena *arena) {
  int n, faults;
  const struct bench_paper_row *rows = bench_paper_rows(paper, figures, arena, &n);
  const char *tag = base_json_text_at(paper, "paper");
  printf("%s: %s\n", tag, base_json_text_at(paper, "reference"));
  for (int i = 0; i < n; ++i) {
    const cJSON *item = rows[i].item;
    if (i == 0 || item != rows[i - 1].item) {
      const char *figure = base_json_text_at(item, "figure");
      printf("\n%s (%s): %s%s%s\n", base_json_text_at(item, "item"),
             base_json_text_at(item, "section"), base_json_text_at(item, "says"),
             figure[0] != '\0' ? " -> " : "", figure);
    }
    print_row(&rows[i]);
  }
  printf("\n%s: %s: %s\n\n", tag, bench_paper_kinds(paper, arena),
         bench_paper_counts(rows, n, arena, &faults));
  return faults;
}

/* The records of all figures in a folder of results. */
static int load_figures(const char *folder, struct base_arena *arena, cJSON *figures) {
  const char *path = base_arena_printf(arena, "%s/figures", folder);
  return access(path, F_OK) == 0 ? base_json_read_folder(path, arena, bench_figure_check, figures)
                                 : base_fail(BASE_E_INPUT,
                                             "%s: no such folder: run `coulombench bench paper` "
                                             "and `coulombench report` first",
                                             path);
}

static int print_papers(const cJSON *papers, const char *tag, const cJSON *figures,
                        struct base_arena *arena, int *faults) {
  const char **tags = base_arena_push(arena, (size_t)cJSON_GetArraySize(papers) * sizeof *tags);
  const cJSON *paper;
  int n = 0, at = 0;
  cJSON_ArrayForEach(paper, papers) { tags[n++] = base_json_text_at(paper, "paper"); }
  const int only = tag != NULL ? base_name_find("paper", tag, n, tags) : -1;
  if (tag != NULL && only < 0) {
    return BASE_E_INPUT;
  }
  cJSON_ArrayForEach(paper, papers) {
    *faults += only < 0 || at == only ? print_paper(paper, figures, arena) : 0;
    ++at;
  }
  return BASE_OK;
}

int bench_papers(const char *folder, const char *paper, int *faults) {
  struct base_arena *arena = base_arena_alloc();
  cJSON *papers = NULL, *figures = cJSON_CreateArray();
  int status = bench_papers_load(arena, &papers);
  status = status != BASE_OK ? status : load_figures(folder, arena, figures);
  *faults = 0;
  status = status != BASE_OK ? status : print_papers(papers, paper, figures, arena, faults);
  cJSON_Delete(figures);
  cJSON_Delete(papers);
  base_arena_free(arena);
  return status;
}
