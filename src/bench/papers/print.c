/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench papers`: a paper a block, an item a paragraph, a value a line; see papers.h.
 */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/json/folder.h"
#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/figure/figure.h"
#include "bench/papers/papers.h"

static void print_row(const cJSON *row) {
  const char *what = base_json_text_at(row, "quantity"), *shown = base_json_text_at(row, "shown"),
             *published = base_json_text_at(row, "published"),
             *reason = base_json_text_at(row, "reason");
  const double difference = base_json_real_at(row, "difference");
  printf("  %-11s %s%s%s", base_json_text_at(row, "verdict"), what, shown[0] != '\0' ? ": " : "",
         shown);
  if (published[0] != '\0') {
    printf(" [published: %s", published);
    if (isfinite(difference)) {
      printf("; %+.2g %%", difference);
    }
    printf("]");
  }
  printf("%s%s\n", reason[0] != '\0' && what[0] != '\0' ? "; " : "", reason);
}

/* One block; *faults grows by those of its lines. */
static void print_paper(const cJSON *paper, const cJSON *figures, struct base_arena *arena,
                        int *faults) {
  cJSON *rows = bench_paper_rows(paper, figures, arena);
  const char *tag = base_json_text_at(paper, "paper"), *last = "";
  const cJSON *row;
  printf("%s: %s\n", tag, base_json_text_at(paper, "reference"));
  cJSON_ArrayForEach(row, rows) {
    const char *item = base_json_text_at(row, "item"), *figure = base_json_text_at(row, "figure");
    if (strcmp(item, last) != 0) {
      printf("\n%s (%s): %s%s%s\n", item, base_json_text_at(row, "section"),
             base_json_text_at(row, "says"), figure[0] != '\0' ? " -> " : "", figure);
    }
    last = item;
    print_row(row);
  }
  printf("\n%s: %s: %s\n\n", tag, bench_paper_kinds(paper, arena),
         bench_paper_counts(rows, arena, faults));
  cJSON_Delete(rows);
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
    if (only < 0 || at == only) {
      print_paper(paper, figures, arena, faults);
    }
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
