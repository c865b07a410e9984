/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sorting without allocation (the C library's qsort may allocate), and search in sorted arrays.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sort key: n ascending, and value: n with it; equal keys keep their order. largest: a bound of all
 * keys. scratch: BASE_SORT_SCRATCH bytes per element, aligned as uint64_t. Radix sort: time O(n)
 * times the number of digits of `largest`. */
enum { BASE_SORT_SCRATCH = sizeof(uint64_t) + sizeof(int) };
void base_sort_by_key(int n, uint64_t *key, int *value, uint64_t largest, void *scratch);
/* Sort x: n ascending, in place; in time O(n) if it is already sorted. */
void base_sort_ints(int n, int *x);

/* List items by groups. Item i = 0 ... n - 1 is in group[i]; -1: in none. On return the items of
 * group g are item[start[g]] ... item[start[g + 1] - 1], ascending. start: groups + 2, zero on
 * entry; its last entry is scratch. */
void base_group(int n, const int *group, int groups, int *start, int *item);

/* The least i with x[i] >= value, for x: n ascending; n if there is none. */
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

/* The index i with x[i] == value, for x: n ascending; -1 if there is none. Successive calls must
 * have ascending values; *cursor, 0 before the first, is the place where the search continues. */
static inline int base_sorted_find(int n, const long *x, long value, int *cursor) {
  while (*cursor < n && x[*cursor] < value) {
    ++*cursor;
  }
  return *cursor < n && x[*cursor] == value ? *cursor : -1;
}

#endif
