/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of a case's parameter file, and of what a scene's file has in common with it. All return
 * BASE_OK, or BASE_E_INPUT with a message that names path, the file, and the key. Internal to
 * cases/.
 */
#ifndef CASES_PARAMETERS_CHECK_H
#define CASES_PARAMETERS_CHECK_H

struct cJSON;

/* All of the file of the case `name` but the entries of "parameters". */
int case_check_file(const struct cJSON *file, const char *name, const char *path);
/* One entry of "parameters": its keys, but for the value and its choices. */
int case_check_parameter(const struct cJSON *entry, const char *path);
/* "formulations": an object of {dt, t_end, options} a formulation; which formulations and options
 * exist is not known on this layer and is checked where they are used. */
int case_check_formulations(const struct cJSON *file, const char *path);

#endif
