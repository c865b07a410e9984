/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs of balls: most pairs of a packing, and its contacts without poses. Each operation runs over
 * many pairs before the next, without a branch in between, so that the roots and quotients of one
 * pair do not wait for those of another. Results are those of mech_collide, to the last bit.
 */
#include "mech/assembly/parts.h"

#include <math.h>

/* Farther than reach by more than rounding, of squares. */
static const double SURELY = 1 + 1e-12;
/* Balls are fetched so far ahead. */
enum { AHEAD = 16 };

static inline double squared_distance(const struct mech_ball *a, const struct mech_ball *b) {
  const double x = b->x[0] - a->x[0], y = b->x[1] - a->x[1], z = b->x[2] - a->x[2];
  return x * x + y * y + z * z;
}

int mech_balls_near(const struct mech_ball *ball, int i, double reach, int n, const int *shape,
                    const int *end, int near[MECH_BALLS]) {
  const struct mech_ball at = ball[i];
  const long left = end - shape;
  int count = 0;
  for (int k = 0; k < n; ++k) { /* about every other pair is near, in no order to be foreseen */
    const struct mech_ball *other = &ball[shape[k]];
    const double far = at.radius + other->radius + reach;
    __builtin_prefetch(&ball[shape[k + AHEAD < left ? k + AHEAD : k]]);
    near[count] = shape[k];
    count += !(squared_distance(&at, other) > far * far * SURELY);
  }
  return count;
}

void mech_balls_gaps(const struct mech_ball *ball, double reach, struct mech_balls *s) {
  double gap[MECH_BALLS], *distance = s->distance;
  for (int k = 0; k < s->n; ++k) {
    distance[k] = squared_distance(&ball[s->first[k]], &ball[s->second[k]]);
    gap[k] = ball[s->first[k]].radius; /* for now */
  }
  for (int k = 0; k < s->n; ++k) {
    distance[k] = sqrt(distance[k]);
    gap[k] = distance[k] - gap[k] - ball[s->second[k]].radius;
  }
  int count = 0;
  for (int k = 0; k < s->n; ++k) {
    s->first[count] = s->first[k];
    s->second[count] = s->second[k];
    s->gap[count] = gap[k];
    distance[count] = distance[k];
    count += gap[k] <= reach;
  }
  s->n = count;
}

static void find_normals(const struct mech_ball *ball, struct mech_balls *s) {
  for (int k = 0; k < s->n; ++k) {
    const struct mech_ball *a = &ball[s->first[k]], *b = &ball[s->second[k]];
    const double inverse = 1 / s->distance[k];
    const int is_one = !(s->distance[k] > MECH_SAME_PLACE * (a->radius + b->radius));
    for (int j = 0; j < 3; ++j) {
      const double apart = inverse * (b->x[j] - a->x[j]);
      s->normal[j][k] = is_one ? j == 0 : apart;
    }
  }
}

/* Of most the first axis, projected. */
static void find_tangents(struct mech_balls *s) {
  for (int k = 0; k < s->n; ++k) {
    const double x = s->normal[0][k], y = s->normal[1][k], z = s->normal[2][k];
    const double a = 1 - x * x, b = 0 - x * y, c = 0 - x * z;
    const double size = sqrt(a * a + b * b + c * c);
    s->tangent[0][k] = a / size, s->tangent[1][k] = b / size, s->tangent[2][k] = c / size;
  }
  for (int k = 0; k < s->n; ++k) {
    const double normal[3] = {s->normal[0][k], s->normal[1][k], s->normal[2][k]};
    double frame[9];
    if (!mech_frame_has_axis(normal, 0)) {
      mech_contact_frame(normal, frame);
      s->tangent[0][k] = frame[3], s->tangent[1][k] = frame[4], s->tangent[2][k] = frame[5];
    }
  }
}

void mech_balls_touch(const struct mech_ball *ball, struct mech_balls *s) {
  find_normals(ball, s);
  find_tangents(s);
  for (int k = 0; k < s->n; ++k) {
    const struct mech_ball *a = &ball[s->first[k]];
    for (int j = 0; j < 3; ++j) {
      const double n = s->normal[j][k];
      s->point[j][k] = (a->x[j] + a->radius * n) + s->gap[k] / 2 * n;
    }
  }
}
