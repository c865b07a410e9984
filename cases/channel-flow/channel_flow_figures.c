/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cases/channel-flow/channel_flow.h"
const struct case_figure channel_flow_figures[] = {{.id = NULL}};
