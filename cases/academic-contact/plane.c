/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The problem of a record, and its energy in the plane of maximum compression v_N = 0. There r_N =
 * -(b_N + a . x)/A_NN with x = r_T, a = A_TN, and (preclik 3.2, with the sign of b turned)
 *
 *   E = x . H x/2 + x . g + c,  H = A_TT - a a^T/A_NN,  g = b_T - a b_N/A_NN,  c = -b_N^2/(2 A_NN)
 *
 * so that E = level is the ellipse x_0 + s L^-T (cos, sin), H = L L^T, s^2 = 2 (level - E(x_0)).
 */
#include "cases/academic-contact/academic-contact.h"

#include "base/status.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

static int read_list(const cJSON *block, const char *key, int n, double *x) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(block, key);
  for (int k = 0; k < n; ++k) {
    const cJSON *item = cJSON_GetArrayItem(list, k);
    if (!cJSON_IsNumber(item)) {
      return base_fail(BASE_FAILED, "the record has no contact.%s of %d numbers", key, n);
    }
    x[k] = item->valuedouble;
  }
  return BASE_OK;
}

static int read_solution(const cJSON *block, struct academic_solution *s) {
  const cJSON *energy = cJSON_GetObjectItemCaseSensitive(block, "energy");
  s->energy = cJSON_IsNumber(energy) ? energy->valuedouble : NAN;
  const int status = read_list(block, "r", 3, s->r);
  return status == BASE_OK ? read_list(block, "v", 3, s->v) : status;
}

int academic_contact_read(const struct case_series *s, struct academic_problem *out) {
  const cJSON *block = cJSON_GetObjectItemCaseSensitive(s->record, "contact");
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(block, "coulomb"), *item;
  *out = (struct academic_problem){.mu = case_number(s, "contact.mu")};
  int status = read_list(block, "A", 9, out->A);
  status = status == BASE_OK ? read_list(block, "b", 3, out->b) : status;
  status = status == BASE_OK
               ? read_solution(cJSON_GetObjectItemCaseSensitive(block, "max_dissipation"),
                               &out->max_dissipation)
               : status;
  cJSON_ArrayForEach(item, list) {
    if (status == BASE_OK && out->n_coulomb < ACADEMIC_COULOMB_MAX) {
      status = read_solution(item, &out->coulomb[out->n_coulomb++]);
    }
  }
  return status;
}

struct academic_plane academic_contact_plane(const struct academic_problem *p) {
  const double *A = p->A, *b = p->b;
  struct academic_plane plane = {.c = -b[0] * b[0] / (2 * A[0])};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      plane.H[i][j] = A[3 * (i + 1) + j + 1] - A[i + 1] * A[j + 1] / A[0];
    }
    plane.g[i] = b[i + 1] - A[i + 1] * b[0] / A[0];
  }
  const double det = plane.H[0][0] * plane.H[1][1] - plane.H[0][1] * plane.H[1][0];
  plane.x0[0] = (plane.H[0][1] * plane.g[1] - plane.H[1][1] * plane.g[0]) / det;
  plane.x0[1] = (plane.H[1][0] * plane.g[0] - plane.H[0][0] * plane.g[1]) / det;
  return plane;
}

double academic_contact_energy(const struct academic_plane *plane, const double x[2]) {
  double E = plane->c;
  for (int i = 0; i < 2; ++i) {
    E += x[i] * (plane->g[i] + 0.5 * (plane->H[i][0] * x[0] + plane->H[i][1] * x[1]));
  }
  return E;
}

void academic_contact_contours(const struct academic_plane *plane, int count, const double *levels,
                               struct case_plot *plot) {
  enum { AROUND = 361 };
  const double lowest = academic_contact_energy(plane, plane->x0);
  const double l00 = sqrt(plane->H[0][0]), l10 = plane->H[1][0] / l00;
  const double l11 = sqrt(plane->H[1][1] - l10 * l10);
  for (int k = 0; k < count; ++k) {
    double ring[AROUND][2];
    char name[CASE_TEXT];
    if (!(levels[k] > lowest)) {
      continue;
    }
    const double s = sqrt(2 * (levels[k] - lowest));
    for (int i = 0; i < AROUND; ++i) {
      const double angle = 2 * M_PI * i / (AROUND - 1);
      ring[i][1] = s * sin(angle) / l11;
      ring[i][0] = plane->x0[0] + (s * cos(angle) - l10 * ring[i][1]) / l00;
      ring[i][1] += plane->x0[1];
    }
    snprintf(name, sizeof name, levels[k] == 0 ? "contour-zero" : "contour%g", levels[k]);
    case_plot_table(plot, name, "r_t[Ns] r_o[Ns]", AROUND, 2, ring[0]);
  }
}
