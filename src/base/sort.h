/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sorting without allocation: the C library's qsort may allocate. Looking up in what is sorted.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* key: n, ascending afterwards, value: n along with it; equal keys stay in order. largest: no key
 * is larger. scratch: BASE_SORT_SCRATCH bytes an element, aligned as uint64_t. In time O(n) for
 * keys of so many digits. */
enum { BASE_SORT_SCRATCH = sizeof(uint64_t) + sizeof(int) };
void base_sort_by_key(int n, uint64_t *key, int *value, uint64_t largest, void *scratch);
/* x: n, ascending afterwards, in place; in time O(n) where it is in order already. */
void base_sort_ints(int n, int *x);

/* Members of groups: of item i = 0 ... n - 1 group[i], -1: it is in none. item: those of group g from
 * start[g] on, ascending; start: groups + 2, zeros before, the last not used afterwards. */
void base_group(int n, const int *group, int groups, int *start, int *item);

/* First place in x, n, ascending, of what is not below a value; n: none. */
static inline int base_sorted_from(int n, const long *x, long value) {
  int lo = 0;
  while (lo < n) {
    const int middle = lo + (n - lo) / 2;
    if (x[middle] < value) {
      lo = middle + 1;
    } else {
      n = middle;
    }
  }
  return lo;
}

/* Place of a value in x: n, ascending; -1: not there. For values that ascend from call to call:
 * *cursor, 0 at first, goes along. */
static inline int base_sorted_find(int n, const long *x, long value, int *cursor) {
  while (*cursor < n && x[*cursor] < value) {
    ++*cursor;
  }
  return *cursor < n && x[*cursor] == value ? *cursor : -1;
}

#endif
