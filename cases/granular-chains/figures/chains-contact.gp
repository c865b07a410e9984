# SPDX-License-Identifier: GPL-3.0-or-later
#
# Error of the time of first contact against the step; one table a formulation.

names = 'moreau lcp-st lcp-ap ccp ncp mdp consistent-twostep penalty'
set logscale xy
set format y decades
set xrange [4e-4:5e-3]
set xtics ('5e-4' 5e-4, '1e-3' 1e-3, '2e-3' 2e-3, '4e-3' 4e-3)
set xlabel axis('dt', 's')
set ylabel axis('|t_c - t_{event}|', 's')
plot x with lines linestyle ls_limit title 'dt', \
     for [name in names] data.'/'.name.'.dat' using 1:3 with linespoints linestyle style(name) \
       title name
