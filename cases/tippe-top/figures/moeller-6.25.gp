# SPDX-License-Identifier: GPL-3.0-or-later
#
# Gap functions of the midpoint rule; tables moreau, drift.
# size: 17 16

set multiplot title title noenhanced
unset title
set lmargin at screen 0.14
set rmargin at screen 0.96

set tmargin at screen 0.93
set bmargin at screen 0.52
set xrange [0:8]
set xlabel axis('t', 's')
set ylabel axis('gap', 'mm')
set key inside right top
plot data.'/moreau.dat' using 1:2 with lines linestyle ls_moreau title 'moreau, main sphere', \
     data.'/moreau.dat' using 1:3 with lines linestyle ls_moreau linecolor rgb '#d55e00' \
       title 'moreau, handle', \
     0 with lines linestyle ls_limit notitle

set tmargin at screen 0.40
set bmargin at screen 0.11
set logscale xy
set xrange [7e-5:1.5e-3]
set yrange [5e-5:5e-3]
set format xy decades
set xlabel axis('dt', 's')
set ylabel axis('penetration', 'm')
set key inside left top
plot data.'/drift.dat' using 1:2 with linespoints linestyle ls_moreau title 'moreau', \
     2 * x with lines linestyle ls_limit title 'slope 1'
unset multiplot
