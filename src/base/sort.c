/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See sort.h. By key: least significant digit first, a counting sort each (Knuth, The Art of
 * Computer Programming 3, 5.2.5); of numbers in place: insertion for few, else a heap (5.2.3).
 */
#include "base/sort.h"

#include <string.h>

enum {
  DIGIT = 11,        /* bits a pass of the sort by key */
  INSERTION_MAX = 32 /* longest list sorted by insertion */
};

void base_sort_by_key(int n, uint64_t *key, int *value, uint64_t largest, void *scratch) {
  uint64_t *from = key, *to = scratch;
  int *value_from = value, *value_to = (int *)(to + n);
  for (int shift = 0; shift == 0 || (shift < 64 && largest >> shift > 0); shift += DIGIT) {
    int count[1 << DIGIT] = {0};
    for (int e = 0; e < n; ++e) {
      count[from[e] >> shift & ((1 << DIGIT) - 1)]++;
    }
    for (int d = 0, sum = 0; d < 1 << DIGIT; ++d) {
      const int here = count[d];
      count[d] = sum;
      sum += here;
    }
    for (int e = 0; e < n; ++e) {
      const int at = count[from[e] >> shift & ((1 << DIGIT) - 1)]++;
      to[at] = from[e];
      value_to[at] = value_from[e];
    }
    uint64_t *const sorted = to;
    int *const value_sorted = value_to;
    to = from;
    value_to = value_from;
    from = sorted;
    value_from = value_sorted;
  }
  if (from != key) {
    memcpy(key, from, (size_t)n * sizeof *key);
    memcpy(value, value_from, (size_t)n * sizeof *value);
  }
}

/* Restore the heap below `root`, whose children are heaps. */
static void sift_down(int *x, int n, int root) {
  const int moved = x[root];
  for (int child; (child = 2 * root + 1) < n; root = child) {
    child += child + 1 < n && x[child + 1] > x[child];
    if (x[child] <= moved) {
      break;
    }
    x[root] = x[child];
  }
  x[root] = moved;
}

void base_sort_ints(int n, int *x) {
  int in_order = 1;
  for (int i = 1; i < n && in_order; ++i) {
    in_order = x[i - 1] <= x[i];
  }
  if (in_order) {
    return;
  }
  if (n <= INSERTION_MAX) {
    for (int i = 1; i < n; ++i) {
      const int moved = x[i];
      int k = i;
      for (; k > 0 && x[k - 1] > moved; --k) {
        x[k] = x[k - 1];
      }
      x[k] = moved;
    }
    return;
  }
  for (int root = n / 2 - 1; root >= 0; --root) {
    sift_down(x, n, root);
  }
  for (int last = n - 1; last > 0; --last) {
    const int top = x[0];
    x[0] = x[last];
    x[last] = top;
    sift_down(x, last, 0);
  }
}

void base_group(int n, const int *group, int groups, int *start, int *item) {
  for (int i = 0; i < n; ++i) {
    if (group[i] >= 0) {
      ++start[group[i] + 2];
    }
  }
  for (int g = 1; g <= groups; ++g) {
    start[g + 1] += start[g];
  }
  for (int i = 0; i < n; ++i) {
    if (group[i] >= 0) {
      item[start[group[i] + 1]++] = i; /* start is shifted by one until done */
    }
  }
}
