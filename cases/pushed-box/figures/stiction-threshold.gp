# SPDX-License-Identifier: GPL-3.0-or-later
#
# What pushes below (left) and above (right) the limit add to the speed; tables by subject.
# size: 17 13

sharp = 'moreau lcp-st lcp-ap lcp-dca ccp ncp consistent-twostep consistent-quaternion consistent-quaternion-twostep event'
soft = 'mdp penalty'
least(x) = abs(x) > 1e-17 ? abs(x) : 1e-17
set multiplot title title noenhanced
unset title
set logscale xy
set format xy decades
set yrange [3e-18:1]
set ytics 1e-16, 1e4
set tmargin at screen 0.90
set bmargin at screen 0.36
unset key

set lmargin at screen 0.13
set rmargin at screen 0.52
set xrange [0.3:3e-8]
set xlabel '1 - P/limit [-]' offset 0, 0.4
set ylabel 'rise of the speed/(μ g t) [-]' enhanced offset 1
plot for [f in sharp.' '.soft] data.'/'.f.'.dat' using ($1 < 0 ? -$1 : 1/0):(least($2)) with linespoints linestyle style(f), \
     data.'/penalty-spring.dat' using ($1 < 0 ? -$1 : 1/0):(least($2)) with linespoints linestyle style('penalty') pointtype 2, \
     data.'/lcp-st-edge.dat' using ($1 < 0 ? -$1 : 1/0):(least($2)) with linespoints linestyle style('lcp-st') pointtype 2

set lmargin at screen 0.55
set rmargin at screen 0.97
set xrange [3e-8:0.3]
set xlabel 'P/limit - 1 [-]' offset 0, 0.4
unset ylabel
set format y ''
plot x with lines linestyle ls_reference linewidth 5, \
     for [f in sharp.' '.soft] data.'/'.f.'.dat' using ($1 > 0 ? $1 : 1/0):(least($2)) with linespoints linestyle style(f), \
     data.'/penalty-spring.dat' using ($1 > 0 ? $1 : 1/0):(least($2)) with linespoints linestyle style('penalty') pointtype 2, \
     data.'/lcp-st-edge.dat' using ($1 > 0 ? $1 : 1/0):(least($2)) with linespoints linestyle style('lcp-st') pointtype 2

unset logscale
unset border
unset tics
unset grid
unset xlabel
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen 0.24
set bmargin at screen 0.01
set xrange [0:1]
set yrange [0:1]
set key inside center center vertical maxrows 5 font ',7' samplen 2
plot for [f in sharp.' '.soft] NaN with linespoints linestyle style(f) title f, \
     NaN with linespoints linestyle style('penalty') pointtype 2 title 'penalty, tangential=spring', \
     NaN with linespoints linestyle style('lcp-st') pointtype 2 title 'lcp-st, n_dir=8, edge', \
     NaN with lines linestyle ls_reference linewidth 5 title 'closed form'
unset multiplot
