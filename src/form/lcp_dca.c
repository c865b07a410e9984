/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bhalerao, Anderson and Trinkle's hybrid: the discrete equations of lcp-st (bhalerao 13 to 16,
 * g_S/dt in the joints), with bilateral constraints eliminated by divide and conquer (dca.h) and
 * the mixed complementarity problem (32) or (33) for the contacts (mcp.h). A step is linear in the
 * number of bodies of a chain, a tree or a loop, and forms nothing dense in it.
 *
 * The problem's free rows are solved for the velocities of the handles at sight; what is left goes
 * to any solver of polyhedral friction, Lemke's by default. Both problems have the same solutions;
 * (33) is larger and its contact rows are sparse. The report holds the number of unknowns posed,
 * 12 + 2 X + X n_dir or 12 + 6 B_u + 2 X + X n_dir in space (4.2.2); in the plane 6, 3 B_u, and
 * two directions.
 */
#include "base/status.h"
#include "form/lcp_st.h"

struct lcp_dca_options {
  int n_dir;
  double mu_ratio; /* [-] */
  double delta;    /* [m] */
  int restitution;
  int corrections;
  int mcp, threads;
};

static const struct base_option lcp_dca_options[] = {
    FORM_ST_OPTIONS(struct lcp_dca_options),
    BASE_OPTION_CHOICE(struct lcp_dca_options, mcp, FORM_MCP_SMALL, "32|33",
                       "the mixed complementarity problem: with the velocities of the terminal "
                       "handles (bhalerao 32), or of all bodies with contacts too (33)"),
    BASE_OPTION_INT(struct lcp_dca_options, threads, 1, 1, 64,
                    "for subtrees; results do not depend on it"),
    BASE_OPTION_END};

static void lcp_dca_shift(const void *options, const struct form_impulse_contact *contact,
                          double *s) {
  const struct lcp_dca_options *o = options;
  s[0] = form_st_shift((enum form_restitution)o->restitution, contact);
}

static int lcp_dca_check(const struct form_setup *setup) {
  const int status = form_dca_check(setup->mech);
  return status != BASE_OK ? status : form_impulse_check(setup, CONTACT_LAW_LCP);
}

static void *lcp_dca_alloc(const struct form_setup *setup, const struct form_state *start) {
  (void)start;
  const struct lcp_dca_options *options = setup->options;
  struct form_impulse_scheme scheme = form_st_scheme(
      options->n_dir, options->mu_ratio, options->delta, options->corrections, setup->arena);
  scheme.shift = lcp_dca_shift;
  scheme.joints = (struct form_elimination_choice){.joints = FORM_JOINTS_DCA,
                                                   .mcp = (enum form_mcp_kind)options->mcp,
                                                   .threads = options->threads};
  return form_impulse_alloc(setup, &scheme);
}

const struct form form_lcp_dca = {
    .summary = "Stewart-Trinkle with divide and conquer for the joints: linear in the bodies",
    .source = "bhalerao 13 to 35",
    .has_law = 1,
    .law = CONTACT_LAW_LCP,
    .solver = "lemke",
    .options = lcp_dca_options,
    .options_size = sizeof(struct lcp_dca_options),
    .check = lcp_dca_check,
    .alloc = lcp_dca_alloc,
    .step = form_impulse_step,
    .keep = form_impulse_keep,
    .free = form_impulse_free};
