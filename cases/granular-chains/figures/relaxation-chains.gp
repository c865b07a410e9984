# SPDX-License-Identifier: GPL-3.0-or-later
#
# Distances from the event-driven motion and of ccp from ncp: over time at dt = 1 ms, and over the
# step. Tables time, steps.
# size: 17 9.5

set multiplot title title noenhanced
unset title
set logscale y
set format y decades
set tmargin at screen 0.88
set bmargin at screen 0.28
set yrange [1e-5:1e-2]

set lmargin at screen 0.12
set rmargin at screen 0.49
set xrange [0:0.8]
set xtics 0, 0.2
set xlabel axis('t', 's') offset 0, 0.4
set ylabel axis('distance', 'm') offset 0.5
set label 1 'dt = 1 ms' at graph 0.97, 0.06 right font ',9'
unset key
plot data.'/time.dat' using 1:2 with lines linestyle ls_ccp, \
     data.'/time.dat' using 1:3 with lines linestyle ls_ncp, \
     data.'/time.dat' using 1:4 with lines linestyle ls_reference linewidth 2
unset label 1

set lmargin at screen 0.62
set rmargin at screen 0.97
set logscale x
set xrange [1e-4:5e-3]
set xtics ('1/8' 1.25e-4, '1/4' 2.5e-4, '1/2' 5e-4, '1' 1e-3, '2' 2e-3, '4' 4e-3)
set xlabel axis('dt', 'ms') offset 0, 0.4
set ylabel axis('distance, rms', 'm') offset 0.5
plot data.'/steps.dat' using 1:2 with linespoints linestyle ls_ccp, \
     data.'/steps.dat' using 1:3 with linespoints linestyle ls_ncp, \
     data.'/steps.dat' using 1:4 with linespoints linestyle ls_reference linewidth 2 pointtype 6, \
     [1.25e-4:4e-3] 0.5*x with lines linestyle ls_limit

unset logscale
unset border
unset tics
unset grid
unset xlabel
unset ylabel
set lmargin at screen 0.06
set rmargin at screen 0.98
set tmargin at screen 0.13
set bmargin at screen 0.02
set xrange [0:1]
set yrange [0:1]
set key inside center center horizontal font ',9' samplen 3
plot NaN with linespoints linestyle ls_ccp title 'ccp from event', \
     NaN with linespoints linestyle ls_ncp title 'ncp (mdp, lcp-st) from event', \
     NaN with linespoints linestyle ls_reference linewidth 2 pointtype 6 title 'ccp from ncp', \
     NaN with lines linestyle ls_limit title 'slope 1'
unset multiplot
