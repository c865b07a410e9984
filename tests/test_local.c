/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The analytic solvers of one contact: maximum dissipation against an independent minimisation of
 * its energy on random problems of every branch of preclik's structogram, Coulomb's law against a
 * scan of the sliding direction, the convex law against random feasible points, all of them against
 * the residual of their law. The numbers of preclik's table 1 are in the figure preclik-t1.
 */
#include "contact/law.h"
#include "la/dense.h"
#include "problem/local/kit.h"
#include "problem/local/local.h"
#include "tests/random_problem.h"
#include "tests/test.h"

enum { DRAWS = 100000, KINDS_ROUND = 20 }; /* a round of draws has every kind of problem */

static struct base_rng *rng;

static double uniform(double lo, double hi) { return base_rng_uniform(rng, lo, hi); }
static double decade(double lo, double hi) { return pow(10, uniform(lo, hi)); }

struct one {
  int dim;
  double mu, A[9], b[3];
};

static void velocity(const struct one *p, const double *r, double *v) {
  for (int k = 0; k < p->dim; k++) {
    v[k] = p->b[k] + la_dot(p->dim, p->A + p->dim * k, r);
  }
}

static double relative_residual(const struct one *p, enum contact_law law, const double *r) {
  double v[3];
  velocity(p, r, v);
  const struct contact_model model = {.law = law, .dim = p->dim, .nc = 1, .mu = &p->mu};
  return contact_residual(&model, p->A, r, v, p->b).relative_max;
}

/* A_NN = mu |A_TN| without rounding: mu = 1/2, A_TN one of (2, 0), (0, -2), ... times A_NN. */
static void tangent_block(struct one *p) {
  const double c = ldexp(1, base_rng_below(rng, 9) - 4);
  const int turn = base_rng_below(rng, 4);
  const double a = turn % 2 ? -2 * c : 2 * c, off = uniform(-0.5, 0.5) * c;
  const double along = c * uniform(4.5, 9), across = c * uniform(0.5, 3);
  p->mu = 0.5;
  const double first[9] = {c, a, 0, a, along, off, 0, off, across};
  const double second[9] = {c, 0, a, 0, across, off, a, off, along};
  memcpy(p->A, turn < 2 ? first : second, sizeof p->A);
}

/* One of several kinds of problem in turn, so that each branch is met. */
static void random_problem(struct one *p, int draw) {
  const int kind = draw % 10;
  p->dim = 3;
  p->mu = decade(-1.5, 1);
  random_block(rng, 3, 1, p->A);
  base_rng_normals(rng, 3, p->b);
  p->b[0] = kind == 0 ? p->b[0] : -fabs(p->b[0]);
  if (kind == 1) {
    p->mu = 0;
  } else if (kind == 2) {
    p->b[0] = 0;
  } else if (kind == 3) {
    tangent_block(p);
    p->b[0] *= draw % 20 < 10;
  } else if (kind == 4) { /* a sphere */
    const double m = decade(-2, 2), A[9] = {m, 0, 0, 0, 3.5 * m, 0, 0, 0, 3.5 * m};
    memcpy(p->A, A, sizeof A);
  } else if (kind == 5) { /* strong coupling, heavy friction */
    p->mu = decade(0, 2);
  } else if (kind == 6) { /* slow approach */
    p->b[0] *= decade(-9, -3);
  } else if (kind == 7) {
    random_block(rng, 3, 3, p->A);
  }
  const double unit_A = decade(-6, 6), unit_b = decade(-6, 6);
  for (int k = 0; k < 9 && kind != 3; k++) {
    p->A[k] *= unit_A;
  }
  for (int k = 0; k < 3; k++) {
    p->b[k] *= unit_b;
  }
}

static double trace(const struct one *p) {
  double sum = 0;
  for (int k = 0; k < p->dim; k++) {
    sum += p->A[(p->dim + 1) * k];
  }
  return sum;
}

/* Cone, Signorini and pressure of a solution: violation relative to the size of what is compared.
 */
static double violation(const struct one *p, const double *r) {
  double v[3];
  velocity(p, r, v);
  const double size_r = la_norm2(p->dim, r), size_v = la_norm2(p->dim, p->b) + trace(p) * size_r;
  const double pressure = la_dot(p->dim, p->A, r);
  double worst = fmax(-r[0], la_norm2(p->dim - 1, r + 1) - p->mu * r[0]) / fmax(size_r, 1e-300);
  worst = fmax(worst, -v[0] / size_v);
  worst = fmax(worst, r[0] > 0 ? fabs(v[0]) / size_v : 0);
  return fmax(worst, -pressure / size_v);
}

/* The search takes far longer than the rest: it is asked for a quarter of the problems, rounds of
 * all kinds. */
TEST(mdp_is_the_least_energy_on_random_problems_of_every_branch) {
  rng = test_rng(0);
  int counts[PROBLEM_LOCAL_BRANCH_COUNT] = {0}, searched[PROBLEM_LOCAL_BRANCH_COUNT] = {0};
  for (int draw = 0; draw < DRAWS; draw++) {
    struct one p;
    double r[3], least[3];
    random_problem(&p, draw);
    const enum problem_local_branch branch = problem_local_mdp(3, p.mu, p.A, p.b, r);
    counts[branch]++;
    if (draw / KINDS_ROUND % 4 == 0) {
      const double best = contact_minimum_energy(3, p.mu, p.A, p.b, least);
      const double energy = contact_energy(3, p.A, p.b, r);
      CHECK_MESSAGE(fabs(energy - best) <= 1e-9 * fabs(best),
                    "draw %d branch %d: %.17g, least %.17g", draw, branch, energy, best);
      searched[branch]++;
    }
    CHECK_MESSAGE(violation(&p, r) <= 1e-12, "draw %d branch %d: violation %g", draw, branch,
                  violation(&p, r));
    CHECK_MESSAGE(relative_residual(&p, CONTACT_LAW_MDP, r) <= 1e-12,
                  "draw %d branch %d: residual %g", draw, branch,
                  relative_residual(&p, CONTACT_LAW_MDP, r));
  }
  const int expected[] = {
      PROBLEM_LOCAL_SEPARATING, PROBLEM_LOCAL_FRICTIONLESS, PROBLEM_LOCAL_STICKING,
      PROBLEM_LOCAL_POINT,      PROBLEM_LOCAL_RAY,          PROBLEM_LOCAL_DEGENERATE_HYPERBOLA,
      PROBLEM_LOCAL_ELLIPSE,    PROBLEM_LOCAL_PARABOLA,     PROBLEM_LOCAL_HYPERBOLA};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    CHECK_MESSAGE(searched[expected[k]] > 300, "branch %d searched %d times", expected[k],
                  searched[expected[k]]);
  }
  CHECK_INT(counts[PROBLEM_LOCAL_FALLBACK], 0);
}

/* Least energy of the wedge that the cone leaves of v_N = 0 where b_N = 0, by a scan of the cone's
 * rim and inside, each direction at its best. *by_side: that of the ray on the side of x_0, as eq.
 * (9) has it. p: A_NN < mu |A_TN|, x_0 = -A^-1 b outside the cone. */
static double least_of_wedge(const struct one *p, const double *x0, double *by_side) {
  enum { STEPS = 2000 };
  const double middle = atan2(p->A[6], p->A[3]);
  const double half = acos(-p->A[0] / (p->mu * hypot(p->A[3], p->A[6])));
  const int side = p->A[6] * x0[1] - p->A[3] * x0[2] >= 0 ? -1 : 1;
  double least = 0;
  *by_side = 0;
  for (int k = 0; k <= STEPS; ++k) { /* from alpha_0 + half to alpha_0 + 2 pi - half */
    const double angle = middle + half + 2 * (M_PI - half) * k / STEPS;
    const double d[2] = {cos(angle), sin(angle)};
    double r[3] = {-(p->A[1] * d[0] + p->A[2] * d[1]) / p->A[0], d[0], d[1]}, v[3];
    velocity(p, r, v);
    const double rate = la_dot(3, r, p->b), stiffness = la_dot(3, r, v) - rate;
    const double here = rate < 0 ? -0.5 * rate * rate / stiffness : 0;
    least = fmin(least, here);
    if (k == (side > 0 ? 0 : STEPS)) {
      *by_side = here;
    }
  }
  return least;
}

/* preclik (9) chooses by the side of x_0; the energy chooses here. */
TEST(mdp_takes_the_ray_of_less_energy_and_not_the_one_on_the_side_of_x_0) {
  int met[2] = {0}, wrong[2] = {0};
  rng = base_rng_alloc(93);
  for (int draw = 0; draw < 8000; ++draw) {
    const int isotropic = draw % 2;
    struct one p = {.dim = 3, .mu = decade(-1, 1), .b = {0, uniform(-1, 1), uniform(-1, 1)}};
    random_block(rng, 3, 0.5, p.A);
    if (isotropic) { /* in the plane v_N = 0: A_TT = h E + a a^T / A_NN */
      const double h = decade(-1, 1);
      for (int k = 0; k < 4; ++k) {
        p.A[3 * (k / 2 + 1) + k % 2 + 1] =
            h * (k % 3 == 0) + p.A[k / 2 + 1] * p.A[k % 2 + 1] / p.A[0];
      }
    }
    double r[3], x0[3], v[3], by_side;
    if (!(p.A[0] < p.mu * hypot(p.A[3], p.A[6])) || !problem_local_stick(3, p.A, p.b, x0) ||
        problem_local_in_cone(3, p.mu, x0)) {
      continue;
    }
    problem_local_mdp(3, p.mu, p.A, p.b, r);
    velocity(&p, r, v);
    const double energy = 0.5 * (la_dot(3, r, v) + la_dot(3, r, p.b));
    const double least = least_of_wedge(&p, x0, &by_side);
    const double stake = 0.5 * fabs(la_dot(3, x0, p.b));
    CHECK_NEAR(energy, least, 1e-10 * stake);
    ++met[isotropic];
    wrong[isotropic] += by_side > least + 1e-10 * stake;
  }
  CHECK(met[0] > 500 && met[1] > 500);
  CHECK_MESSAGE(wrong[0] > met[0] / 50, "the side of x_0 is wrong in %d of %d", wrong[0], met[0]);
  CHECK_INT(wrong[1], 0);
  base_rng_free(rng);
}

/* b_N next to zero: on a hyperbola the solution stays finite while the curve's angle cannot tell it
 * from the pole. */
TEST(mdp_is_the_least_energy_of_slow_approaches) {
  rng = test_rng(0);
  int counts[PROBLEM_LOCAL_BRANCH_COUNT] = {0}, searched[PROBLEM_LOCAL_BRANCH_COUNT] = {0};
  for (int draw = 0; draw < DRAWS / 5; draw++) {
    struct one p = {.dim = 3, .mu = decade(-1.5, 1)};
    double r[3], least[3];
    random_block(rng, 3, 1 + draw % 4, p.A);
    base_rng_normals(rng, 3, p.b);
    p.b[0] = -fabs(p.b[0]) * decade(-14, -6);
    const enum problem_local_branch branch = problem_local_mdp(3, p.mu, p.A, p.b, r);
    counts[branch]++;
    if (draw % 3 == 0) { /* every spread of eigenvalues in turn */
      const double best = contact_minimum_energy(3, p.mu, p.A, p.b, least);
      const double energy = contact_energy(3, p.A, p.b, r);
      const double rounding = 1e-14 * trace(&p) * la_dot(3, r, r); /* of r . v with v_N = 0 */
      CHECK_MESSAGE(energy <= best + 1e-9 * fabs(best) + rounding, "draw %d: %.17g, least %.17g",
                    draw, energy, best);
      searched[branch]++;
    }
    CHECK_LE(violation(&p, r), 1e-12);
  }
  CHECK_LE(1000, searched[PROBLEM_LOCAL_HYPERBOLA]);
  CHECK_LE(1000, searched[PROBLEM_LOCAL_ELLIPSE]);
  CHECK_INT(counts[PROBLEM_LOCAL_FALLBACK], 0);
}

/* The iteration in place of the quartics, where these could have answered: the same minimum, but
 * for a few problems on which Newton's method gets there from none of its directions. */
TEST(search_finds_the_minimum_by_itself) {
  rng = test_rng(0);
  int searched = 0, missed = 0;
  for (int draw = 0; draw < DRAWS / 20; draw++) {
    struct one p;
    struct local_sliding s;
    double r[3], x[3], least[3];
    random_problem(&p, draw);
    const enum problem_local_branch branch = problem_local_mdp(3, p.mu, p.A, p.b, r);
    const double unit = problem_local_scale(p.mu, p.A, p.b, &s);
    if ((branch != PROBLEM_LOCAL_ELLIPSE && branch != PROBLEM_LOCAL_HYPERBOLA) ||
        problem_local_isotropic(p.A) || draw % 10 == 6) {
      continue; /* 6: slow approaches, beyond the search */
    }
    s.B[4] = s.B[8] = 1;
    s.B[3] = p.mu * p.mu * s.A[3] / s.A[0];
    s.B[6] = p.mu * p.mu * s.A[6] / s.A[0];
    searched++;
    if (!problem_local_search(&s, x)) {
      missed++;
      continue;
    }
    for (int k = 0; k < 3; k++) {
      x[k] *= unit;
    }
    const double best = contact_minimum_energy(3, p.mu, p.A, p.b, least);
    CHECK_NEAR(contact_energy(3, p.A, p.b, x), best, 1e-9 * fabs(best));
  }
  CHECK_LE(1000, searched);
  CHECK_LE(missed, 0.005 * searched);
}

/* Blocks near the limit of double precision (condition up to 1e16), where the quartics lose their
 * roots: the iteration is called by the solvers, and what it returns obeys the law: Coulomb's to
 * rounding; of maximum dissipation on near-parabolas, whose far end is flat, the residual alone. */
TEST(fallback_is_met_and_obeys_the_laws) {
  rng = test_rng(0);
  int met_ncp = 0, met_mdp = 0;
  for (int draw = 0; draw < DRAWS / 2; draw++) {
    struct one p = {.dim = 3, .mu = decade(-1.5, 1)};
    double r[3];
    random_block(rng, 3, 8, p.A);
    base_rng_normals(rng, 3, p.b);
    p.b[0] = -fabs(p.b[0]);
    if (problem_local_coulomb(3, p.mu, p.A, p.b, r) == PROBLEM_LOCAL_FALLBACK) {
      met_ncp++;
      CHECK_LE(relative_residual(&p, CONTACT_LAW_NCP, r), 1e-12);
    }
    p.mu = p.A[0] / hypot(p.A[1], p.A[2]) * (1 + (draw % 2 ? 1 : -1) * decade(-16, -8));
    if (problem_local_mdp(3, p.mu, p.A, p.b, r) == PROBLEM_LOCAL_FALLBACK) {
      met_mdp++;
      CHECK_LE(relative_residual(&p, CONTACT_LAW_MDP, r), 1e-7);
    }
  }
  CHECK_LE(10, met_ncp);
  CHECK_LE(10, met_mdp);
}

/* Number of sliding solutions by sign changes of v_T x d over a fine scan of the direction d of
 * r_T, on the curve v_N = 0, where v_T opposes d; the impulses into r (max x 3). */
static int scan_coulomb(const struct one *p, int max, double *r) {
  enum { SCAN = 20000 };
  int count = 0;
  double last = 0, last_f = 0, last_x[3] = {0};
  for (int k = 0; k <= SCAN; k++) {
    const double alpha = 2 * M_PI * k / SCAN, c = cos(alpha), s = sin(alpha);
    const double f = p->A[0] + p->mu * (p->A[1] * c + p->A[2] * s), r_N = -p->b[0] / f;
    const double x[3] = {r_N, p->mu * r_N * c, p->mu * r_N * s};
    double v[3] = {0};
    velocity(p, x, v);
    const double here = f * (v[1] * s - v[2] * c);
    if (k > 0 && r_N > 0 && last_f * f > 0 && last * here <= 0 && v[1] * c + v[2] * s < 0) {
      const double t = last / (last - here); /* secant between the two */
      for (int j = 0; j < 3 && count < max; j++) {
        r[3 * count + j] = last_x[j] + t * (x[j] - last_x[j]);
      }
      count++;
    }
    last = here;
    last_f = f;
    memcpy(last_x, x, sizeof x);
  }
  return count;
}

TEST(coulomb_solutions_obey_the_law_on_random_problems) {
  rng = test_rng(0);
  int counts[PROBLEM_LOCAL_BRANCH_COUNT] = {0}, multiple = 0;
  for (int draw = 0; draw < DRAWS; draw++) {
    struct one p;
    double r[3], all[8 * 3];
    random_problem(&p, draw);
    const enum problem_local_branch branch = problem_local_coulomb(3, p.mu, p.A, p.b, r);
    counts[branch]++;
    CHECK_MESSAGE(relative_residual(&p, CONTACT_LAW_NCP, r) <= 1e-12, "draw %d branch %d: %g", draw,
                  branch, relative_residual(&p, CONTACT_LAW_NCP, r));
    if (draw % 4 == 0) {
      continue;
    }
    const int n = problem_local_coulomb_all(3, p.mu, p.A, p.b, 8, all);
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
      CHECK_LE(relative_residual(&p, CONTACT_LAW_NCP, all + 3 * i), 1e-12);
      least = fmin(least, contact_energy(3, p.A, p.b, all + 3 * i));
    }
    multiple += n > 1;
    CHECK_NEAR(contact_energy(3, p.A, p.b, r), least, 1e-9 * fabs(least));
  }
  const int expected[] = {PROBLEM_LOCAL_SEPARATING, PROBLEM_LOCAL_FRICTIONLESS,
                          PROBLEM_LOCAL_STICKING, PROBLEM_LOCAL_SLIDING};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    CHECK_MESSAGE(counts[expected[k]] > 100, "branch %d: %d", expected[k], counts[expected[k]]);
  }
  CHECK_LE(100, multiple);
  CHECK_INT(counts[PROBLEM_LOCAL_FALLBACK] + counts[PROBLEM_LOCAL_NONE], 0);
}

/* Every solution the scan finds is in the list of the quartic. */
TEST(coulomb_quartic_misses_no_solution_a_scan_finds) {
  rng = test_rng(0);
  int found = 0, several = 0;
  for (int draw = 0; draw < 400; draw++) {
    struct one p = {.dim = 3, .mu = decade(-0.5, 1)};
    double all[8 * 3], scanned[8 * 3];
    random_block(rng, 3, 1.5, p.A);
    base_rng_normals(rng, 3, p.b);
    if (draw % 4 == 0) { /* without symmetry, as after elimination of joints by some methods */
      p.A[1] += 0.2 * p.A[0] * base_rng_normal(rng);
      p.A[5] += 0.2 * p.A[0] * base_rng_normal(rng);
    }
    const int n = problem_local_coulomb_all(3, p.mu, p.A, p.b, 8, all);
    const int m = scan_coulomb(&p, 8, scanned);
    several += m > 1;
    for (int i = 0; i < m; i++) {
      double nearest = INFINITY;
      for (int k = 0; k < n; k++) {
        double d[3];
        for (int j = 0; j < 3; j++) {
          d[j] = scanned[3 * i + j] - all[3 * k + j];
        }
        nearest = fmin(nearest, la_norm2(3, d));
      }
      found++;
      CHECK_MESSAGE(nearest <= 1e-2 * la_norm2(3, scanned + 3 * i), "draw %d: missed by %g of %g",
                    draw, nearest, la_norm2(3, scanned + 3 * i));
    }
  }
  CHECK_LE(50, found);
  CHECK_LE(1, several);
}

TEST(ccp_solutions_obey_the_law_and_no_feasible_point_has_less_energy) {
  rng = test_rng(0);
  int counts[PROBLEM_LOCAL_BRANCH_COUNT] = {0}, lifting = 0;
  for (int draw = 0; draw < DRAWS; draw++) {
    struct one p;
    double r[3];
    random_problem(&p, draw);
    const enum problem_local_branch branch = problem_local_ccp(3, p.mu, p.A, p.b, r);
    counts[branch]++;
    lifting += branch == PROBLEM_LOCAL_SLIDING && p.b[0] > 0;
    CHECK_MESSAGE(relative_residual(&p, CONTACT_LAW_CCP, r) <= 1e-12, "draw %d branch %d: %g", draw,
                  branch, relative_residual(&p, CONTACT_LAW_CCP, r));
    const double energy = contact_energy(3, p.A, p.b, r);
    for (int k = 0; k < 4; k++) {
      double x[3], d[3];
      base_rng_normals(rng, 3, d);
      for (int j = 0; j < 3; j++) {
        x[j] = r[j] + decade(-4, 1) * la_norm2(3, p.b) / trace(&p) * d[j];
      }
      contact_project_cone(3, p.mu, x, x);
      /* the energy is convex: E(x) >= E(r) + v . (x - r), and v is known to round-off */
      const double size_v = la_norm2(3, p.b) + trace(&p) * la_norm2(3, r);
      CHECK_LE(energy,
               contact_energy(3, p.A, p.b, x) + 1e-14 * size_v * (la_norm2(3, x) + la_norm2(3, r)));
    }
  }
  CHECK_LE(100, counts[PROBLEM_LOCAL_SEPARATING]);
  CHECK_LE(100, counts[PROBLEM_LOCAL_FRICTIONLESS]);
  CHECK_LE(100, counts[PROBLEM_LOCAL_STICKING]);
  CHECK_LE(100, counts[PROBLEM_LOCAL_SLIDING]);
  CHECK_LE(100, lifting);
  CHECK_INT(counts[PROBLEM_LOCAL_FALLBACK], 0);
}

TEST(plane_and_line_obey_their_laws) {
  rng = test_rng(0);
  int many = 0;
  for (int draw = 0; draw < DRAWS / 5; draw++) {
    struct one p = {.dim = 1 + draw % 2, .mu = draw % 7 ? decade(-1, 1) : 0};
    double r[2], least[2], all[8];
    random_block(rng, p.dim, 1, p.A);
    base_rng_normals(rng, p.dim, p.b);
    p.b[0] *= draw % 11 != 0;
    problem_local_mdp(p.dim, p.mu, p.A, p.b, r);
    CHECK_LE(relative_residual(&p, CONTACT_LAW_MDP, r), 1e-12);
    const double best = contact_minimum_energy(p.dim, p.mu, p.A, p.b, least);
    CHECK_NEAR(contact_energy(p.dim, p.A, p.b, r), best, 1e-9 * fabs(best));
    problem_local_coulomb(p.dim, p.mu, p.A, p.b, r);
    CHECK_LE(relative_residual(&p, CONTACT_LAW_NCP, r), 1e-12);
    const int n = problem_local_coulomb_all(p.dim, p.mu, p.A, p.b, 4, all);
    many += n > 1;
    for (int i = 0; i < n; i++) {
      CHECK_LE(relative_residual(&p, CONTACT_LAW_NCP, all + p.dim * i), 1e-12);
    }
    problem_local_ccp(p.dim, p.mu, p.A, p.b, r);
    CHECK_LE(relative_residual(&p, CONTACT_LAW_CCP, r), 1e-12);
  }
  CHECK_LE(10, many);
}

TEST(ccp_in_the_plane_is_yus_closed_form) {
  const double m = 2.5, mu = 0.4, b[2] = {-0.3, 1.7}, A[4] = {1 / m, 0, 0, 1 / m};
  double r[2];
  CHECK_INT(problem_local_ccp(2, mu, A, b, r), PROBLEM_LOCAL_SLIDING);
  CHECK_NEAR(r[0], m * (-b[0] + mu * fabs(b[1])) / (1 + mu * mu), 1e-15);
  CHECK_NEAR(r[1], -mu * r[0], 1e-15);
}

/* Two spheres, or a sphere and a plane: A = diag(A_N, A_T, A_T). The least energy on the disk
 * opposes the sliding, so that maximum dissipation and Coulomb's law have one solution there, to
 * the last bit: flows of spheres cannot tell them apart (preclik 4.3). */
TEST(mdp_and_coulomb_are_one_in_contacts_of_spheres) {
  int slides = 0;
  rng = base_rng_alloc(43);
  for (int draw = 0; draw < 2000; ++draw) {
    const double m = decade(-3, 3), t = m * uniform(0.1, 5), mu = decade(-2, 1);
    const double A[9] = {m, 0, 0, 0, t, 0, 0, 0, t};
    double b[3], dissipates[3], opposes[3];
    base_rng_normals(rng, 3, b);
    problem_local_mdp(3, mu, A, b, dissipates);
    problem_local_coulomb(3, mu, A, b, opposes);
    for (int k = 0; k < 3; ++k) {
      CHECK(dissipates[k] == opposes[k]);
    }
    slides += b[0] < 0 && hypot(b[1], b[2]) * m > mu * -b[0] * t;
  }
  CHECK_MESSAGE(slides > 300, "%d slide", slides);
  base_rng_free(rng);
}
