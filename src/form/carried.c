/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists of contacts that carried; see carried.h.
 */
#include "form/carried.h"

#include <limits.h>
#include <string.h>

#include "base/sort.h"
#include "base/status.h"
#include "form/form.h"

enum { SLACK = 32 }; /* room for one more of so many: contacts change slowly */

void form_carried_init(struct form_carried *carried, struct base_arena *arena) {
  *carried = (struct form_carried){.store = base_arena_child(arena)};
}

static void reserve(struct form_carried *carried, int n) {
  if (n > carried->capacity) {
    const size_t capacity = (size_t)n + (size_t)n / SLACK + SLACK;
    carried->id = base_arena_resize(carried->store, carried->id, (size_t)carried->n * sizeof(long),
                                    capacity * sizeof(long));
    carried->capacity = (int)capacity;
  }
}

/* How many of n ids are not in the list; both ascend. */
static int count_new(const struct form_carried *carried, int n, const long *id) {
  int found = 0;
  for (int i = 0, k = 0; i < n; ++i) {
    found += base_sorted_find(carried->n, carried->id, id[i], &k) < 0;
  }
  return found;
}

void form_carried_add(struct form_carried *carried, int n, const long *id) {
  const int more = count_new(carried, n, id);
  reserve(carried, carried->n + more);
  int i = n - 1, k = carried->n - 1;
  carried->n += more;
  for (int to = carried->n - 1; to > k; --to) { /* from the end: what is read stays unwritten */
    if (k >= 0 && (i < 0 || carried->id[k] >= id[i])) {
      i -= i >= 0 && carried->id[k] == id[i];
      carried->id[to] = carried->id[k--];
    } else {
      carried->id[to] = id[i--];
    }
  }
}

int form_carried_onsets(struct form_carried *before, const struct form_report *report) {
  const int n = report->n_carrying, onsets = count_new(before, n, report->carrying);
  before->n = 0;
  reserve(before, n);
  if (n > 0) {
    memcpy(before->id, report->carrying, (size_t)n * sizeof *before->id);
  }
  before->n = n;
  return onsets;
}

void form_carried_pass(struct form_carried *carried, struct base_blob *blob) {
  const int n = (int)base_blob_count(blob, carried->n, INT_MAX / 2, sizeof *carried->id);
  if (blob->reading) {
    carried->n = 0;
    reserve(carried, n);
    carried->n = n;
  }
  base_blob_pass(blob, carried->id, (size_t)n * sizeof *carried->id);
}
