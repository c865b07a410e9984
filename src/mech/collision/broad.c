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
 *
 * Balls are asked for again rather than held twice: scratch is 54 bytes a shape, 40 of them for the
 * ball in its place in the order of keys, and 8 a pair.
 */
#include "mech/collision/parts.h"

#include "base/clock.h"
#include "base/memory/memory.h"
#include "base/sort.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

enum {
  LEVELS = 64,           /* sizes below R_max / 2^63 share the last */
  FEW = 24,              /* balls a level that are compared directly */
  CELLS = (1 << 20) - 4, /* cells from the median to the border: keys stay below 2^63 */
  MEDIAN_SAMPLE = 63,    /* centres that the median is taken of */
  SMALLEST_ROOM = 1024,  /* pairs */
  FIRST_GUESS = 4,       /* pairs a shape */
  SLACK = 16             /* one pair more for so many, so that few calls need more room */
};

/* Cells are wider than what they hold by more than the round-off of the numbers of cells. */
static const double ROUND_UP = 1 + 1e-9;

struct ball {
  double x[3], R; /* R = bound + reach / 2 [m] */
  int shape, group;
};

struct mech_broad {
  struct base_arena *store; /* of what was found */
  int shapes_room, pairs_room;
  int *start, *second; /* see mech_pairs */
  long last;           /* pairs found last */
};

/* What is needed to find pairs, in scratch; n: shapes. */
struct search {
  const struct mech_broad_shapes *shapes;
  struct base_arena *scratch;
  double reach;
  signed char *level;  /* n: by shape; -1: takes no part in levels */
  unsigned char *kind; /* n: by shape */
  int *of;             /* n: shape of the entry */
  uint64_t *key;       /* n: cell of the entry */
  struct ball *sorted; /* n: by entry; as long as keys are not in order, scratch to sort them */
  long n, room;        /* pairs */
  int *first, *second; /* n: as found */
};

static struct search search_begin(const struct mech_broad_shapes *shapes, double reach, long last,
                                  struct base_arena *scratch) {
  const size_t n = (size_t)shapes->n;
  struct search s = {.shapes = shapes, .scratch = scratch, .reach = reach};
  s.room = (last > 0 ? last + last / SLACK : FIRST_GUESS * (long)n) + SMALLEST_ROOM;
  s.level = base_arena_push(scratch, n * sizeof *s.level);
  s.kind = base_arena_push(scratch, n * sizeof *s.kind);
  s.of = base_arena_room(scratch, n * sizeof *s.of);
  s.key = base_arena_room(scratch, n * sizeof *s.key);
  s.sorted = base_arena_room(scratch, n * sizeof *s.sorted);
  s.first = base_arena_room(scratch, (size_t)s.room * sizeof *s.first);
  s.second = base_arena_room(scratch, (size_t)s.room * sizeof *s.second);
  return s;
}

/* The ball about a shape. */
static void ball_of(const struct search *s, int shape, struct ball *out) {
  struct mech_broad_ball given;
  s->shapes->ball(s->shapes->data, shape, &given);
  v3_copy(given.x, out->x);
  out->R = fmax(given.bound + s->reach / 2, 0);
  out->shape = shape;
  out->group = given.group;
}

/* Room for more pairs as found; the ones there stay. */
static void make_pairs_room(struct search *s) {
  const long room = 2 * s->room;
  base_memory_int(s->n); /* no list could hold them in the end */
  int *first = base_arena_room(s->scratch, (size_t)room * sizeof *first);
  int *second = base_arena_room(s->scratch, (size_t)room * sizeof *second);
  memcpy(first, s->first, (size_t)s->n * sizeof *first);
  memcpy(second, s->second, (size_t)s->n * sizeof *second);
  s->first = first;
  s->second = second;
  s->room = room;
}

struct mech_broad *mech_broad_alloc(struct base_arena *arena) {
  struct mech_broad *b = base_arena_push(arena, sizeof *b);
  b->store = base_arena_child(arena);
  b->shapes_room = b->pairs_room = -1;
  return b;
}

/* Room for what was found; nothing is held twice. */
static void make_room(struct mech_broad *b, int n, long pairs) {
  if (n <= b->shapes_room && pairs <= b->pairs_room) {
    return;
  }
  if (pairs > INT_MAX - INT_MAX / SLACK - 1) {
    base_memory_end(1, (size_t)pairs, sizeof *b->second);
  }
  const int room = (int)(pairs + pairs / SLACK);
  base_arena_empty(b->store);
  b->shapes_room = b->pairs_room = -1; /* should there be no memory or time for them */
  b->start = base_arena_push(b->store, ((size_t)n + 1) * sizeof *b->start);
  b->second = base_arena_push(b->store, (size_t)room * sizeof *b->second);
  b->shapes_room = n;
  b->pairs_room = room;
}

static void add_pair(struct search *b, const struct ball *p, const struct ball *q) {
  if (p->group == q->group) {
    return;
  }
  if (b->n == b->room) {
    make_pairs_room(b);
  }
  const int i = p->shape, j = q->shape;
  b->first[b->n] = i < j ? i : j;
  b->second[b->n++] = i < j ? j : i;
}

/* Whether a ball reaches the box of another; balls about long boxes are mostly empty. */
static int reaches_box(const struct search *b, const struct ball *p, const struct ball *box) {
  struct mech_broad_ball given;
  struct mech_pose pose;
  double c[3], half[3], squared = 0;
  b->shapes->ball(b->shapes->data, p->shape, &given);
  b->shapes->pose(b->shapes->data, box->shape, &pose, half);
  pose_local(&pose, p->x, c);
  for (int j = 0; j < 3; ++j) {
    const double over = fabs(c[j]) - half[j];
    squared += over > 0 ? over * over : 0;
  }
  const double within = given.bound + b->reach;
  return squared <= within * within;
}

static inline int near(const struct ball *p, const struct ball *q) {
  const double dx = p->x[0] - q->x[0], dy = p->x[1] - q->x[1], dz = p->x[2] - q->x[2];
  const double R = p->R + q->R;
  return dx * dx + dy * dy + dz * dz <= R * R;
}

static void try_pair(struct search *b, const struct ball *p, const struct ball *q) {
  const int first = b->kind[p->shape], second = b->kind[q->shape];
  if (first != MECH_SHAPE_SPHERE || second != MECH_SHAPE_SPHERE) {
    if ((first == MECH_SHAPE_POINT && second == MECH_SHAPE_POINT) ||
        (first == MECH_SHAPE_BOX && !reaches_box(b, q, p)) ||
        (second == MECH_SHAPE_BOX && !reaches_box(b, p, q))) {
      return;
    }
  }
  add_pair(b, p, q);
}

/* Cells of a level: centre c, edge s, extents of what is clamped to +-CELLS cells about it. */
struct cells {
  double centre[3], edge;
  int64_t low[3], stride_y, stride_z;
  uint64_t largest; /* no key is larger */
};

static inline int64_t cell_at(const struct cells *c, const double *x, int j) {
  const double at = floor((x[j] - c->centre[j]) / c->edge);
  return (int64_t)fmin(fmax(at, -CELLS), CELLS);
}

/* The keys of n entries. */
static void make_keys(struct search *b, int n, struct cells *c) {
  double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
  int64_t low[3], high[3];
  for (int e = 0; e < n; ++e) {
    struct ball ball;
    ball_of(b, b->of[e], &ball);
    for (int j = 0; j < 3; ++j) {
      const double x = ball.x[j];
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
  c->largest = (uint64_t)(c->stride_z * (high[2] - low[2] + 3));
  for (int e = 0; e < n; ++e) {
    struct ball ball;
    ball_of(b, b->of[e], &ball);
    const double *x = ball.x;
    b->key[e] =
        (uint64_t)((cell_at(c, x, 2) - c->low[2]) * c->stride_z +
                   (cell_at(c, x, 1) - c->low[1]) * c->stride_y + cell_at(c, x, 0) - c->low[0]);
  }
}

/* Entries in ascending order of keys, and their balls beside them. */
static void sort_entries(struct search *b, int n, const struct cells *c) {
  base_sort_by_key(n, b->key, b->of, c->largest, b->sorted);
  for (int e = 0; e < n; ++e) {
    ball_of(b, b->of[e], &b->sorted[e]);
  }
}

/* Pairs among the entries, sorted by key, of which at least one is of this level. With all of them
 * of this level (finer == 0) half of the neighbours are looked at, else all of them from the
 * entries of this level. */
static void scan_rows(struct search *b, int n, const struct cells *c, int level, int finer) {
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
    if (b->level[p->shape] != level) {
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
        if (near(p, q) && (!finer || k > e || b->level[q->shape] != level)) {
          try_pair(b, p, q);
        }
      }
    }
  }
}

enum { ASKED_EACH = 64 };

/* Every entry with every ball of its level behind it, and with those of finer levels. */
static void find_directly(struct search *b, int n, int level, int entries) {
  for (int e = 0; e < entries; ++e) {
    ball_of(b, b->of[e], &b->sorted[e]);
  }
  for (int i = 0; i < n; ++i) {
    if (i % ASKED_EACH == 0) {
      base_clock_ask(); /* with so many entries n^2 pairs may be under way */
    }
    if (b->level[i] < level) {
      continue;
    }
    struct ball p;
    ball_of(b, i, &p);
    for (int e = 0; e < entries; ++e) {
      const struct ball *q = &b->sorted[e];
      if ((b->level[i] > level || i < q->shape) && near(&p, q)) {
        try_pair(b, &p, q);
      }
    }
  }
}

/* Pairs of the balls of a level with each other and with those of finer levels. */
static void find_in_level(struct search *b, int n, int level, int members, int finer,
                          double largest, const double *centre) {
  const int direct = members <= FEW || !(largest < INFINITY);
  int entries = 0;
  for (int i = 0; i < n; ++i) {
    if (b->level[i] == level || (b->level[i] > level && !direct)) {
      b->of[entries++] = i;
    }
  }
  if (direct) {
    find_directly(b, n, level, entries);
    return;
  }
  struct cells cells = {.edge = largest > 0 ? 2 * largest * ROUND_UP : 1};
  v3_copy(centre, cells.centre);
  make_keys(b, entries, &cells);
  sort_entries(b, entries, &cells);
  scan_rows(b, entries, &cells, level, finer);
}

/* A half-space: e . x = height, e into the open. */
struct plane {
  struct ball ball;
  double e[3], height;
};

/* Half-spaces with every ball near them. */
static void find_planes(struct search *b, int n) {
  int planes = 0;
  for (int k = 0; k < n; ++k) {
    planes += b->kind[k] == MECH_SHAPE_HALFSPACE;
  }
  struct plane *plane = base_arena_push(b->scratch, (size_t)planes * sizeof *plane);
  planes = 0;
  for (int k = 0; k < n; ++k) {
    struct plane *to = &plane[planes];
    struct mech_pose pose;
    double half[3];
    if (b->kind[k] != MECH_SHAPE_HALFSPACE) {
      continue;
    }
    ball_of(b, k, &to->ball);
    if (to->ball.group != MECH_GROUP_NONE) {
      b->shapes->pose(b->shapes->data, k, &pose, half);
      pose_axis(&pose, 2, to->e);
      to->height = mech_dot3(to->e, pose.x);
      ++planes;
    }
  }
  for (int i = 0; i < n && planes > 0; ++i) {
    if (b->level[i] < 0) {
      continue;
    }
    struct mech_broad_ball p;
    b->shapes->ball(b->shapes->data, i, &p);
    const struct ball ball = {.shape = i, .group = p.group};
    for (int k = 0; k < planes; ++k) {
      if (mech_dot3(plane[k].e, p.x) - plane[k].height <= p.bound + b->reach) {
        add_pair(b, &ball, &plane[k].ball);
      }
    }
  }
}

/* Level and kind of every shape; balls a level and the largest of each. */
static void make_levels(struct search *b, int n, int members[LEVELS], double largest[LEVELS]) {
  double most = 0;
  for (int i = 0; i < n; ++i) {
    struct mech_broad_ball given;
    b->shapes->ball(b->shapes->data, i, &given);
    const int out = given.kind == MECH_SHAPE_HALFSPACE || given.group == MECH_GROUP_NONE;
    b->level[i] = out ? -1 : 0;
    b->kind[i] = (unsigned char)given.kind;
    most = out ? most : fmax(most, fmax(given.bound + b->reach / 2, 0));
  }
  for (int i = 0; i < n; ++i) {
    if (b->level[i] < 0) {
      continue;
    }
    struct ball ball;
    ball_of(b, i, &ball);
    const double R = ball.R;
    int exponent = 0;
    if (most > 0 && most < INFINITY) {
      frexp(R / most, &exponent);
      exponent = R > 0 ? exponent : -LEVELS;
    }
    const int level = exponent > 0 ? 0 : exponent <= -LEVELS ? LEVELS - 1 : -exponent;
    b->level[i] = (signed char)level;
    members[level]++;
    largest[level] = fmax(largest[level], R);
  }
}

/* Medians of a sample of the centres, which a few bodies far away do not move. */
static void find_centre(const struct search *b, int n, double centre[3]) {
  const int step = n / MEDIAN_SAMPLE + 1;
  for (int j = 0; j < 3; ++j) {
    double x[MEDIAN_SAMPLE + 1];
    int count = 0;
    for (int i = 0; i < n; i += step) {
      struct ball ball;
      ball_of(b, i, &ball);
      int k = b->level[i] < 0 ? -1 : count++;
      for (; k > 0 && x[k - 1] > ball.x[j]; --k) {
        x[k] = x[k - 1];
      }
      if (k >= 0) {
        x[k] = ball.x[j];
      }
    }
    centre[j] = count > 0 ? x[count / 2] : 0;
  }
}

/* Pairs as found to ascending (first, second). */
static void order_pairs(const struct search *s, struct mech_broad *b, int n) {
  int *const start = b->start;
  memset(start, 0, ((size_t)n + 1) * sizeof *start);
  for (long k = 0; k < s->n; ++k) {
    start[s->first[k] + 1]++;
  }
  for (int i = 0; i < n; ++i) {
    start[i + 1] += start[i];
  }
  for (long k = 0; k < s->n; ++k) {
    b->second[start[s->first[k]]++] = s->second[k];
  }
  for (int i = n; i > 0; --i) { /* start[i] is the end of run i by now */
    start[i] = start[i - 1];
  }
  start[0] = 0;
  for (int i = 0; i < n; ++i) {
    base_sort_ints(start[i + 1] - start[i], b->second + start[i]);
  }
}

struct mech_pairs mech_broad_find(struct mech_broad *b, const struct mech_broad_shapes *shapes,
                                  double reach, struct base_arena *scratch) {
  const struct base_arena_mark mark = base_arena_mark(scratch);
  const int n = shapes->n;
  int members[LEVELS] = {0}, finer = 0;
  double largest[LEVELS] = {0}, centre[3];
  struct search s = search_begin(shapes, reach, b->last, scratch);
  make_levels(&s, n, members, largest);
  find_centre(&s, n, centre);
  for (int level = LEVELS - 1; level >= 0; --level) {
    if (members[level] > 0) {
      find_in_level(&s, n, level, members[level], finer, largest[level], centre);
      finer = 1;
    }
  }
  find_planes(&s, n);
  make_room(b, n, s.n);
  order_pairs(&s, b, n);
  b->last = s.n;
  base_arena_release(scratch, mark);
  return (struct mech_pairs){.n_shapes = n, .is_new = 1, .start = b->start, .second = b->second};
}
