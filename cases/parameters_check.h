/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys of a case's parameter file (coulombench.case/1), and those shared with scene files.
 * Internal to cases/.
 */
#ifndef CASES_PARAMETERS_CHECK_H
#define CASES_PARAMETERS_CHECK_H

#include "base/json/keys.h"

/* An entry of "formulations". Names of formulations and options are not known on this layer; they
 * are checked where they are used. */
extern const struct base_table case_formulation_table;

/* The file of the case `name`, but for the values of its parameters: BASE_OK, or BASE_E_INPUT with
 * a message that names path, the file, and the key. */
int case_check_file(const struct cJSON *file, const char *name, const char *path);

#endif
