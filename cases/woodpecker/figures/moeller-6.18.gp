# SPDX-License-Identifier: GPL-3.0-or-later
#
# Phase plane of the woodpecker; tables twostep, limits.

set xlabel axis('φ', 'rad') enhanced
set ylabel axis('dφ/dt', 'rad/s') enhanced
set xrange [-0.6:0.2]
set key inside left top
stats data.'/limits.dat' using 1 nooutput
set arrow from STATS_min, graph 0 to STATS_min, graph 1 nohead linestyle ls_limit
plot data.'/twostep.dat' using 4:7 with lines linestyle ls_consistent_twostep linewidth 1.2 title 'two-step', \
     NaN with lines linestyle ls_limit title 'contact'
