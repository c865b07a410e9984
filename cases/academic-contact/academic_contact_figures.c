/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cases/academic-contact/academic_contact.h"
const struct case_figure academic_contact_figures[] = {{.id = NULL}};
