/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Broad phase: pairs of balls within reach in time O(n + pairs) for every distribution in space, by
 * sorting instead of by a table.
 *
 *   levels   balls by size, level k holds those with R = bound + reach / 2 in (R_max / 2^(k+1),
 *            R_max / 2^k]; those of one level live in cells of edge 2 max R of that level
 *   keys     a cell (x, y, z) has the number (z ny + y) nx + x, so that the three cells of a row
 *            x-1 ... x+1 are neighbours in the order of keys
 *   scan     with the balls of a level sorted by key (radix sort), the rows beside a cell begin at
 *            keys that grow with the key of the cell: one pointer a row, moved forward only, finds
 *            them all. Own level: 4 rows ahead and the rest of the own one; balls of finer levels:
 *            sorted by the keys of this level, 9 rows
 *   few      a level of few balls (walls) is compared with all finer ones directly
 *
 * Cells far from the median of the centres are clamped to a border: bodies that fly off cost time,
 * not correctness. The pairs found are put in order by a counting sort on the first index. Nothing
 * depends on addresses; the result is a set put in order.
 */
#include "mech/collision_parts.h"

#include <stdint.h>
#include <string.h>

enum {
  LEVELS = 64,           /* sizes below R_max / 2^63 share the last */
  FEW = 24,              /* balls a level that are compared directly */
  CELLS = (1 << 20) - 4, /* cells from the median to the border: keys stay below 2^63 */
  DIGIT = 11,            /* bits a pass of the radix sort */
  INSERTION_MAX = 32,    /* longest run of pairs sorted by insertion */
  MEDIAN_SAMPLE = 63,    /* centres that the median is taken of */
  SMALLEST_ROOM = 1024   /* entries */
};

/* Cells are wider than what they hold by more than the round-off of the numbers of cells. */
static const double ROUND_UP = 1 + 1e-9;

struct ball {
  double x[3], R; /* R = bound + reach / 2 [m] */
  int shape, group, level;
  int sphere; /* nothing of its shape needs a look */
};

struct mech_broad {
  struct base_arena *arena;
  int room;                   /* of the arrays of one entry a shape */
  int *of, *of_sorted;        /* n: shape of the entry */
  uint64_t *key, *key_sorted; /* n: cell of the entry */
  struct ball *ball;          /* n: by shape */
  struct ball *sorted;        /* n: by entry */
  long *start;                /* n + 1: first pair of a shape */
  long n, pairs_room;
  int *first, *second; /* n: as found */
  int *ordered[2];     /* n: in order */
  const struct mech_shape *shapes;
  const struct mech_pose *poses;
  const double *bound;
  const int *group;
  double reach;
};

static void make_room(struct mech_broad *b, int n) {
  if (b->room > 0 && n <= b->room) {
    return;
  }
  const int room = n < SMALLEST_ROOM ? SMALLEST_ROOM : n + n / 2;
  const size_t entries = (size_t)room;
  b->room = room;
  b->of = base_arena_ints(b->arena, room);
  b->of_sorted = base_arena_ints(b->arena, room);
  b->start = base_arena_longs(b->arena, room + 1);
  b->key = base_arena_push(b->arena, entries * sizeof *b->key);
  b->key_sorted = base_arena_push(b->arena, entries * sizeof *b->key_sorted);
  b->ball = base_arena_push(b->arena, entries * sizeof *b->ball);
  b->sorted = base_arena_push(b->arena, entries * sizeof *b->sorted);
}

/* Room for more pairs as found; the ones there stay. */
static void make_pairs_room(struct mech_broad *b) {
  const long room = b->pairs_room < SMALLEST_ROOM ? SMALLEST_ROOM : 2 * b->pairs_room;
  int *first = base_arena_push(b->arena, (size_t)room * sizeof *first);
  int *second = base_arena_push(b->arena, (size_t)room * sizeof *second);
  if (b->n > 0) {
    memcpy(first, b->first, (size_t)b->n * sizeof *first);
    memcpy(second, b->second, (size_t)b->n * sizeof *second);
  }
  b->first = first;
  b->second = second;
  b->ordered[0] = base_arena_push(b->arena, (size_t)room * sizeof *first);
  b->ordered[1] = base_arena_push(b->arena, (size_t)room * sizeof *second);
  b->pairs_room = room;
}

struct mech_broad *mech_broad_alloc(struct base_arena *arena) {
  struct mech_broad *b = base_arena_push(arena, sizeof *b);
  b->arena = arena;
  make_pairs_room(b);
  return b;
}

static void add_pair(struct mech_broad *b, const struct ball *p, const struct ball *q) {
  if (p->group == q->group) {
    return;
  }
  if (b->n == b->pairs_room) {
    make_pairs_room(b);
  }
  const int i = p->shape, j = q->shape;
  b->first[b->n] = i < j ? i : j;
  b->second[b->n++] = i < j ? j : i;
}

/* Whether the ball about shape i reaches the box of shape k; balls about long boxes are mostly
 * empty. */
static int reaches_box(const struct mech_broad *b, int i, int k) {
  double c[3], squared = 0;
  pose_local(&b->poses[k], b->poses[i].x, c);
  for (int j = 0; j < 3; ++j) {
    const double over = fabs(c[j]) - b->shapes[k].half[j];
    squared += over > 0 ? over * over : 0;
  }
  const double within = b->bound[i] + b->reach;
  return squared <= within * within;
}

static inline int near(const struct ball *p, const struct ball *q) {
  const double dx = p->x[0] - q->x[0], dy = p->x[1] - q->x[1], dz = p->x[2] - q->x[2];
  const double R = p->R + q->R;
  return dx * dx + dy * dy + dz * dz <= R * R;
}

static void try_pair(struct mech_broad *b, const struct ball *p, const struct ball *q) {
  if (!p->sphere || !q->sphere) {
    const int i = p->shape, j = q->shape;
    const enum mech_shape_kind a = b->shapes[i].kind, c = b->shapes[j].kind;
    if ((a == MECH_SHAPE_POINT && c == MECH_SHAPE_POINT) ||
        (a == MECH_SHAPE_BOX && !reaches_box(b, j, i)) ||
        (c == MECH_SHAPE_BOX && !reaches_box(b, i, j))) {
      return;
    }
  }
  add_pair(b, p, q);
}

/* Cells of a level: centre c, edge s, extents of what is clamped to +-CELLS cells about it. */
struct cells {
  double centre[3], edge;
  int64_t low[3], stride_y, stride_z;
  int passes; /* of the radix sort */
};

static inline int64_t cell_at(const struct cells *c, const double *x, int j) {
  const double at = floor((x[j] - c->centre[j]) / c->edge);
  return (int64_t)fmin(fmax(at, -CELLS), CELLS);
}

/* The keys of n entries. */
static void make_keys(struct mech_broad *b, int n, struct cells *c) {
  double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
  int64_t low[3], high[3];
  for (int e = 0; e < n; ++e) {
    for (int j = 0; j < 3; ++j) {
      const double x = b->ball[b->of[e]].x[j];
      least[j] = x < least[j] ? x : least[j];
      most[j] = x > most[j] ? x : most[j];
    }
  }
  for (int j = 0; j < 3; ++j) {
    low[j] = cell_at(c, least, j);
    high[j] = cell_at(c, most, j);
  }
  /* A border of one empty cell on every side keeps rows apart. */
  c->stride_y = high[0] - low[0] + 3;
  c->stride_z = c->stride_y * (high[1] - low[1] + 3);
  for (int j = 0; j < 3; ++j) {
    c->low[j] = low[j] - 1;
  }
  uint64_t largest = (uint64_t)(c->stride_z * (high[2] - low[2] + 3));
  for (c->passes = 1; (largest >>= DIGIT) > 0;) {
    c->passes++;
  }
  for (int e = 0; e < n; ++e) {
    const double *x = b->ball[b->of[e]].x;
    b->key[e] =
        (uint64_t)((cell_at(c, x, 2) - c->low[2]) * c->stride_z +
                   (cell_at(c, x, 1) - c->low[1]) * c->stride_y + cell_at(c, x, 0) - c->low[0]);
  }
}

/* Entries in ascending order of keys, and their balls beside them. */
static void sort_keys(struct mech_broad *b, int n, int passes) {
  for (int pass = 0; pass < passes; ++pass) {
    int count[1 << DIGIT] = {0};
    const int shift = pass * DIGIT;
    for (int e = 0; e < n; ++e) {
      count[b->key[e] >> shift & ((1 << DIGIT) - 1)]++;
    }
    for (int d = 0, sum = 0; d < 1 << DIGIT; ++d) {
      const int here = count[d];
      count[d] = sum;
      sum += here;
    }
    for (int e = 0; e < n; ++e) {
      const int to = count[b->key[e] >> shift & ((1 << DIGIT) - 1)]++;
      b->key_sorted[to] = b->key[e];
      b->of_sorted[to] = b->of[e];
    }
    uint64_t *const key = b->key;
    int *const of = b->of;
    b->key = b->key_sorted;
    b->of = b->of_sorted;
    b->key_sorted = key;
    b->of_sorted = of;
  }
  for (int e = 0; e < n; ++e) {
    b->sorted[e] = b->ball[b->of[e]];
  }
}

/* Pairs among the entries, sorted by key, of which at least one is of this level. With all of them
 * of this level (finer == 0) half of the neighbours are looked at, else all of them from the
 * entries of this level. */
static void scan_rows(struct mech_broad *b, int n, const struct cells *c, int level, int finer) {
  int64_t row[9];
  int from[9] = {0}, rows = 0;
  for (int z = finer ? -1 : 0; z <= 1; ++z) {
    for (int y = -1; y <= 1; ++y) {
      if (finer || z > 0 || y > 0) {
        row[rows++] = z * c->stride_z + y * c->stride_y;
      }
    }
  }
  for (int e = 0; e < n; ++e) {
    const struct ball *p = &b->sorted[e];
    if (p->level != level) {
      continue;
    }
    for (int k = e + 1; !finer && k < n && b->key[k] <= b->key[e] + 1; ++k) {
      if (near(p, &b->sorted[k])) {
        try_pair(b, p, &b->sorted[k]);
      }
    }
    for (int r = 0; r < rows; ++r) {
      const uint64_t middle = (uint64_t)((int64_t)b->key[e] + row[r]);
      int k = from[r];
      for (; k < n && b->key[k] + 1 < middle; ++k) {
      }
      from[r] = k;
      for (; k < n && b->key[k] <= middle + 1; ++k) {
        /* Of two of this level the earlier entry finds the pair. */
        const struct ball *q = &b->sorted[k];
        if (near(p, q) && (!finer || k > e || q->level != level)) {
          try_pair(b, p, q);
        }
      }
    }
  }
}

/* Pairs of the balls of a level with each other and with those of finer levels. */
static void find_in_level(struct mech_broad *b, int n, int level, int members, int finer,
                          double largest, const double *centre) {
  const int direct = members <= FEW || !(largest < INFINITY);
  int entries = 0;
  for (int i = 0; i < n; ++i) {
    if (b->ball[i].level == level || (b->ball[i].level > level && !direct)) {
      b->of[entries++] = i;
    }
  }
  if (direct) {
    for (int i = 0; i < n; ++i) {
      for (int e = 0; e < entries && b->ball[i].level >= level; ++e) {
        const int k = b->of[e];
        if ((b->ball[i].level > level || i < k) && near(&b->ball[i], &b->ball[k])) {
          try_pair(b, &b->ball[i], &b->ball[k]);
        }
      }
    }
    return;
  }
  struct cells cells = {.edge = largest > 0 ? 2 * largest * ROUND_UP : 1};
  v3_copy(centre, cells.centre);
  make_keys(b, entries, &cells);
  sort_keys(b, entries, cells.passes);
  scan_rows(b, entries, &cells, level, finer);
}

/* Half-spaces with every ball near them. */
static void find_planes(struct mech_broad *b, int n) {
  for (int k = 0; k < n; ++k) {
    if (b->shapes[k].kind != MECH_SHAPE_HALFSPACE || b->group[k] == MECH_GROUP_NONE) {
      continue;
    }
    double e[3];
    pose_axis(&b->poses[k], 2, e);
    const double height = mech_dot3(e, b->poses[k].x);
    for (int i = 0; i < n; ++i) {
      if (b->ball[i].level >= 0 && mech_dot3(e, b->poses[i].x) - height <= b->bound[i] + b->reach) {
        add_pair(b, &b->ball[i], &b->ball[k]);
      }
    }
  }
}

/* Ball and level of every shape that takes part; balls a level and the largest of each. */
static void make_levels(struct mech_broad *b, int n, int members[LEVELS], double largest[LEVELS]) {
  double most = 0;
  for (int i = 0; i < n; ++i) {
    const enum mech_shape_kind kind = b->shapes[i].kind;
    b->ball[i] = (struct ball){
        .R = fmax(b->bound[i] + b->reach / 2, 0),
        .shape = i,
        .group = b->group[i],
        .level = kind == MECH_SHAPE_HALFSPACE || b->group[i] == MECH_GROUP_NONE ? -1 : 0,
        .sphere = kind == MECH_SHAPE_SPHERE};
    v3_copy(b->poses[i].x, b->ball[i].x);
    most = b->ball[i].level == 0 ? fmax(most, b->ball[i].R) : most;
  }
  for (int i = 0; i < n; ++i) {
    if (b->ball[i].level < 0) {
      continue;
    }
    const double R = b->ball[i].R;
    int exponent = 0;
    if (most > 0 && most < INFINITY) {
      frexp(R / most, &exponent);
      exponent = R > 0 ? exponent : -LEVELS;
    }
    const int level = exponent > 0 ? 0 : exponent <= -LEVELS ? LEVELS - 1 : -exponent;
    b->ball[i].level = level;
    members[level]++;
    largest[level] = fmax(largest[level], R);
  }
}

/* Medians of a sample of the centres, which a few bodies far away do not move. */
static void find_centre(const struct mech_broad *b, int n, double centre[3]) {
  const int step = n / MEDIAN_SAMPLE + 1;
  for (int j = 0; j < 3; ++j) {
    double x[MEDIAN_SAMPLE + 1];
    int count = 0;
    for (int i = 0; i < n; i += step) {
      int k = b->ball[i].level < 0 ? -1 : count++;
      for (; k > 0 && x[k - 1] > b->ball[i].x[j]; --k) {
        x[k] = x[k - 1];
      }
      if (k >= 0) {
        x[k] = b->ball[i].x[j];
      }
    }
    centre[j] = count > 0 ? x[count / 2] : 0;
  }
}

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

/* Ascending: by insertion when short or in order already, as a heap else. */
static void sort_run(int *x, int n) {
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

/* Pairs as found to ascending (first, second). */
static void order_pairs(struct mech_broad *b, int n) {
  long *const start = b->start;
  memset(start, 0, ((size_t)n + 1) * sizeof *start);
  for (long k = 0; k < b->n; ++k) {
    start[b->first[k] + 1]++;
  }
  for (int i = 0; i < n; ++i) {
    start[i + 1] += start[i];
  }
  for (long k = 0; k < b->n; ++k) {
    b->ordered[1][start[b->first[k]]++] = b->second[k];
  }
  for (int i = 0; i < n; ++i) { /* start[i] is the end of run i by now */
    const long from = i > 0 ? start[i - 1] : 0;
    sort_run(b->ordered[1] + from, (int)(start[i] - from));
    for (long k = from; k < start[i]; ++k) {
      b->ordered[0][k] = i;
    }
  }
}

struct mech_pairs mech_broad_find(struct mech_broad *b, int n, const struct mech_shape *shapes,
                                  const struct mech_pose *poses, const double *bound,
                                  const int *group, double reach) {
  int members[LEVELS] = {0}, finer = 0;
  double largest[LEVELS] = {0}, centre[3];
  b->shapes = shapes;
  b->poses = poses;
  b->bound = bound;
  b->group = group;
  b->reach = reach;
  b->n = 0;
  make_room(b, n);
  make_levels(b, n, members, largest);
  find_centre(b, n, centre);
  for (int level = LEVELS - 1; level >= 0; --level) {
    if (members[level] > 0) {
      find_in_level(b, n, level, members[level], finer, largest[level], centre);
      finer = 1;
    }
  }
  find_planes(b, n);
  order_pairs(b, n);
  return (struct mech_pairs){.n = b->n, .first = b->ordered[0], .second = b->ordered[1]};
}
