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
