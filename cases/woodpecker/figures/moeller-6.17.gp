# SPDX-License-Identifier: GPL-3.0-or-later
#
# Phase plane of the sleeve; tables twostep, limits.

set xlabel axis('α', 'rad') enhanced
set ylabel axis('dα/dt', 'rad/s') enhanced
set xrange [-0.13:0.13]
set key at graph 0.62, graph 0.66
stats data.'/limits.dat' using 1 nooutput
set arrow from STATS_min, graph 0 to STATS_min, graph 1 nohead linestyle ls_limit
set arrow from STATS_max, graph 0 to STATS_max, graph 1 nohead linestyle ls_limit
plot data.'/twostep.dat' using 3:6 with lines linestyle ls_consistent_twostep linewidth 1.2 title 'two-step', \
     NaN with lines linestyle ls_limit title 'contact'
