# SPDX-License-Identifier: GPL-3.0-or-later
#
# Inertial force of disc 10, all of the time and up to just after the first contact; table force.
# size: 17 14

set multiplot title title noenhanced
unset title
set lmargin at screen 0.14
set rmargin at screen 0.97
set ylabel axis('inertial force', 'N')

set tmargin at screen 0.92
set bmargin at screen 0.56
set xrange [0:8]
unset key
plot data.'/force.dat' using 1:4 with lines linewidth 1 linecolor rgb '#0072b2' notitle

set tmargin at screen 0.47
set bmargin at screen 0.11
set xrange [0:0.8]
set logscale y
set format y decades
set xlabel axis('t', 's')
set label 1 'the same, logarithmic, around the first contact' at graph 0.02, 0.10
plot data.'/force.dat' using 1:4 with lines linewidth 1 linecolor rgb '#0072b2' notitle
unset multiplot
