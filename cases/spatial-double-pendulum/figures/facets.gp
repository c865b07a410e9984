# SPDX-License-Identifier: GPL-3.0-or-later
#
# Facets: tables facets (n_dir, unknowns, and for lcp-st and lcp-ap error, pivots, time a step) and
# cone (error and time a step of ncp).
# size: 17 20

set multiplot title title noenhanced
unset title
set lmargin at screen 0.14
set rmargin at screen 0.97
set logscale xy
set format y decades
set xrange [2.7:72]
set xtics (3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
set xlabel 'friction directions'
stats data.'/cone.dat' using 1 nooutput name 'cone_error'
stats data.'/cone.dat' using 2 nooutput name 'cone_step'

set tmargin at screen 0.93
set bmargin at screen 0.68
set ylabel axis('error', 'm')
set key inside right top
plot data.'/facets.dat' using 1:3 with linespoints linestyle ls_lcp_st title 'lcp-st', \
     data.'/facets.dat' using 1:6 with linespoints linestyle ls_lcp_ap title 'lcp-ap', \
     cone_error_max with lines linestyle ls_ncp title 'ncp'

set tmargin at screen 0.60
set bmargin at screen 0.38
set ylabel 'per contact'
set format y '%g'
set yrange [2:100]
set key inside left top
plot data.'/facets.dat' using 1:2 with linespoints linestyle ls_mark title 'unknowns of the LCP', \
     data.'/facets.dat' using 1:4 with linespoints linestyle ls_lcp_st title 'pivots, lcp-st', \
     data.'/facets.dat' using 1:7 with linespoints linestyle ls_lcp_ap title 'pivots, lcp-ap'

set tmargin at screen 0.30
set bmargin at screen 0.08
set ylabel axis('time a step', 's')
set format y decades
set yrange [*:*]
unset key
plot data.'/facets.dat' using 1:5 with linespoints linestyle ls_lcp_st notitle, \
     data.'/facets.dat' using 1:8 with linespoints linestyle ls_lcp_ap notitle, \
     cone_step_max with lines linestyle ls_ncp notitle
unset multiplot
