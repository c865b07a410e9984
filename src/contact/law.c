/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of the contact laws, and the tangent frame of a contact.
 */
#include "contact/law.h"

#include "base/names.h"
#include "base/status.h"

#include <math.h>

/* sin(80 degrees): an axis whose cosine with the normal is larger is steeper than 80 degrees. */
static const double STEEPEST = 0.98480775301220806;

static const char *const law_names[CONTACT_LAW_COUNT] = {
#define X(id, name, meaning) [CONTACT_LAW_##id] = (name),
    CONTACT_LAW_LIST(X)
#undef X
};

const char *contact_law_name(enum contact_law law) { return law_names[law]; }

int contact_law_parse(const char *name, enum contact_law *law) {
  const int at = base_name_find("contact law", name, CONTACT_LAW_COUNT, law_names);
  if (at < 0) {
    return BASE_E_INPUT; /* the message is there */
  }
  *law = (enum contact_law)at;
  return BASE_OK;
}

void contact_frame(const double n[3], double t1[3], double t2[3]) {
  int axis = 0;
  while (axis < 2 && !(fabs(n[axis]) < STEEPEST)) {
    axis++;
  }
  double length = 0;
  for (int k = 0; k < 3; k++) {
    t1[k] = (k == axis) - n[axis] * n[k];
    length += t1[k] * t1[k];
  }
  length = sqrt(length);
  for (int k = 0; k < 3; k++) {
    t1[k] /= length;
  }
  t2[0] = n[1] * t1[2] - n[2] * t1[1];
  t2[1] = n[2] * t1[0] - n[0] * t1[2];
  t2[2] = n[0] * t1[1] - n[1] * t1[0];
}
