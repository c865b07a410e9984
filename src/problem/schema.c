/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys of a problem's file (base/json/keys.h); what values have to be to each other io.c
 * checks.
 */
#include "problem/problem.h"

#include "base/json/keys.h"
#include "problem/foreign.h"

#define TEXT .types = BASE_TEXT
#define NEEDED .needs = BASE_ALWAYS
#define REALS .types = BASE_REAL, .forms = BASE_LIST
#define INDICES .types = BASE_WHOLE, .range = BASE_NOT_NEGATIVE, .forms = BASE_LIST
#define WHOLE(min_, max_) .types = BASE_WHOLE, .range = BASE_WITHIN, .min = (min_), .max = (max_)

/* Kinds of problems, by the key "kind". */
static const char *kind_name(int i) {
  static const char *const kinds[] = {"friction", "lcp", NULL};
  return kinds[i];
}
enum { FRICTION = 1, LCP = 2 };
#define OF(kinds_) .of = (kinds_), .needs = (kinds_)

static const char *law_name(int i) {
  return i < CONTACT_LAW_COUNT ? contact_law_name((enum contact_law)i) : NULL;
}

static const struct base_key block_keys[] = {
    {.name = "storage", TEXT, NEEDED, .choices = "block-csr"},
    {.name = "row_ptr", INDICES, NEEDED, .help = "contacts + 1: where the rows of blocks begin"},
    {.name = "col", INDICES, NEEDED, .help = "of each block, ascending in a row"},
    {.name = "blocks",
     REALS,
     NEEDED,
     .unit = "1/kg",
     .help = "dim dim of each, row by row, normal first"},
    {0}};
static const struct base_table block_table = {.keys = block_keys};

static const struct base_key dense_keys[] = {
    {.name = "storage", TEXT, NEEDED, .choices = "dense"},
    {.name = "values", REALS, NEEDED, .help = "n n, row by row"},
    {0}};
static const struct base_table dense_table = {.keys = dense_keys};

static const struct base_key root_keys[] = {
    {.name = "schema", TEXT, NEEDED, .choices = PROBLEM_SCHEMA},
    {.name = "kind", TEXT, NEEDED},
    {.name = "name", TEXT},
    {.name = "dim", WHOLE(1, 3), OF(FRICTION), .help = "components of a contact"},
    {.name = "contacts", WHOLE(0, PROBLEM_CONTACTS_MAX), OF(FRICTION), .help = "how many"},
    {.name = "mu",
     REALS,
     OF(FRICTION),
     .range = BASE_NOT_NEGATIVE,
     .unit = "-",
     .help = "contacts: coefficients of friction"},
    {.name = "W",
     .types = BASE_OBJECT,
     .in = &block_table,
     OF(FRICTION),
     .help = "the operator of v = W r + b, of blocks dim x dim"},
    {.name = "compliance",
     REALS,
     .of = FRICTION,
     .range = BASE_NOT_NEGATIVE,
     .unit = "1/kg",
     .help = "dim contacts: R, diagonal: the law is to hold for (W + R) r + b"},
    {.name = "b",
     REALS,
     OF(FRICTION),
     .unit = "m/s",
     .help = "dim contacts: velocities without impulses, normal first"},
    {.name = "law", TEXT, .of = FRICTION, .choice = law_name, .help = "default ncp"},
    {.name = "n_dir",
     WHOLE(3, 1000),
     .of = FRICTION,
     .help = "directions of a polygon, of law lcp in space"},
    {.name = "dirs",
     REALS,
     .of = FRICTION,
     .help = "2 n_dir: those of a polygon that is not regular"},
    {.name = "n", WHOLE(0, PROBLEM_DENSE_MAX), OF(LCP), .help = "unknowns"},
    {.name = "M",
     .types = BASE_OBJECT,
     .in = &dense_table,
     OF(LCP),
     .help = "the matrix of w = M z + b"},
    {.name = "b", REALS, OF(LCP), .help = "n"},
    {.name = "solve",
     .types = BASE_OBJECT,
     .help = "how it is to be solved, for programs; not of the problem"},
    {0}};
const struct base_table problem_keys = {
    .what = "problem", .keys = root_keys, .kind_key = "kind", .kind = kind_name};
