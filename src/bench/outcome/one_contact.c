/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The block `contact` of records; see one_contact.h:
 *
 *   contact { mu, A[dim dim], b[dim], coulomb[{r[], v[], energy}], max_dissipation{r[], v[],
 * energy}, impulse[dim] }
 *
 * normal component first. `impulse` is the r of the maximally dissipative solution. Solutions of
 * Coulomb's law come in the order of preclik's table 1, the least dissipative first.
 */
#include "bench/outcome/one_contact.h"

#include "base/json/json.h"
#include "base/status.h"

static void add_solution(cJSON *block, int dim, const struct bench_contact_solution *s) {
  base_json_add_reals(block, "r", dim, s->r);
  base_json_add_reals(block, "v", dim, s->v);
  base_json_add_real(block, "energy", s->energy);
}

void bench_one_contact_add(cJSON *block, const struct bench_one_contact *p) {
  base_json_add_real(block, "mu", p->mu);
  base_json_add_reals(block, "A", p->dim * p->dim, p->A);
  base_json_add_reals(block, "b", p->dim, p->b);
  cJSON *list = cJSON_AddArrayToObject(block, "coulomb");
  for (int i = 0; i < p->n_coulomb; ++i) {
    cJSON *item = cJSON_CreateObject();
    add_solution(item, p->dim, &p->coulomb[i]);
    cJSON_AddItemToArray(list, item);
  }
  add_solution(cJSON_AddObjectToObject(block, "max_dissipation"), p->dim, &p->max_dissipation);
  base_json_add_reals(block, "impulse", p->dim, p->max_dissipation.r);
}

/* Numbers, or where they may have overflown null too. */
static int is_number(const cJSON *item, int is_finite) {
  return cJSON_IsNumber(item) || (!is_finite && cJSON_IsNull(item));
}

static int is_list(const cJSON *list, int n, int is_finite) {
  const cJSON *item;
  int count = 0;
  cJSON_ArrayForEach(item, list) {
    if (!is_number(item, is_finite)) {
      return 0;
    }
    ++count;
  }
  return cJSON_IsArray(list) && count == n;
}

static int is_solution(const cJSON *block, int dim, int is_finite) {
  return is_list(base_json_at(block, "r"), dim, is_finite) &&
         is_list(base_json_at(block, "v"), dim, is_finite) &&
         is_number(base_json_at(block, "energy"), is_finite);
}

int bench_one_contact_check(const cJSON *block, int is_finite, const char *file) {
  const int dim = cJSON_GetArraySize(base_json_at(block, "b"));
  const cJSON *list = base_json_at(block, "coulomb"), *item;
  const char *wrong = dim < 2 || dim > 3 || !is_list(base_json_at(block, "b"), dim, is_finite) ? "b"
                      : !is_list(base_json_at(block, "A"), dim * dim, is_finite)               ? "A"
                      : !cJSON_IsNumber(base_json_at(block, "mu"))               ? "mu"
                      : !is_list(base_json_at(block, "impulse"), dim, is_finite) ? "impulse"
                      : !is_solution(base_json_at(block, "max_dissipation"), dim, is_finite)
                          ? "max_dissipation"
                      : !cJSON_IsArray(list) ? "coulomb"
                                             : NULL;
  cJSON_ArrayForEach(item, list) {
    wrong = wrong == NULL && !is_solution(item, dim, is_finite) ? "coulomb" : wrong;
  }
  return wrong == NULL ? BASE_OK
                       : base_fail(BASE_E_INPUT,
                                   "%s: key 'contact.%s': missing, or not of the numbers it is for",
                                   file, wrong);
}
