/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys of a case's parameter file (coulombench.case/1), and what a scene's file has in common
 * with it. Internal to cases/.
 */
#ifndef CASES_PARAMETERS_CHECK_H
#define CASES_PARAMETERS_CHECK_H

#include "base/json/keys.h"

/* One of "formulations": which of them and which of their options exist is not known on this layer
 * and is checked where they are used. */
extern const struct base_table case_formulation_table;

/* The file of the case `name`, but for the values of its parameters: BASE_OK, or BASE_E_INPUT with
 * a message that names path, the file, and the key. */
int case_check_file(const struct cJSON *file, const char *name, const char *path);

#endif
