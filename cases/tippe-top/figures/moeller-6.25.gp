# SPDX-License-Identifier: GPL-3.0-or-later
#
# Gap functions of the midpoint rule and of the quaternion schemes in one and two steps, and how the
# drift of the first depends on dt; tables moreau, onestep, twostep, drift.
# size: 17 16

set multiplot title title noenhanced
unset title
set xrange [0:8]
set xlabel axis('t', 's')
set ylabel axis('gap', 'mm')
unset key

set lmargin at screen 0.11
set rmargin at screen 0.48
set tmargin at screen 0.90
set bmargin at screen 0.59
set yrange [-3:3]
set label 1 'moreau' at graph 0, 1.06
plot data.'/moreau.dat' using 1:2 with lines linestyle ls_moreau notitle, \
     data.'/moreau.dat' using 1:3 with lines linestyle ls_moreau linecolor rgb '#d55e00' notitle, \
     0 with lines linestyle ls_limit notitle

set lmargin at screen 0.61
set rmargin at screen 0.98
set yrange [-40:25]
set label 1 'consistent-quaternion'
set key inside left bottom
plot data.'/onestep.dat' using 1:2 with lines linestyle ls_moreau title 'main sphere', \
     data.'/onestep.dat' using 1:3 with lines linestyle ls_moreau linecolor rgb '#d55e00' \
       title 'handle', \
     0 with lines linestyle ls_limit notitle

set lmargin at screen 0.11
set rmargin at screen 0.48
set tmargin at screen 0.42
set bmargin at screen 0.11
set yrange [-3:3]
set label 1 'consistent-quaternion-twostep'
unset key
plot data.'/twostep.dat' using 1:2 with lines linestyle ls_moreau, \
     data.'/twostep.dat' using 1:3 with lines linestyle ls_moreau linecolor rgb '#d55e00', \
     0 with lines linestyle ls_limit notitle

set lmargin at screen 0.61
set rmargin at screen 0.98
set logscale xy
set xrange [7e-5:1.5e-3]
set yrange [5e-5:5e-3]
set format xy decades
set xlabel axis('dt', 's')
set ylabel axis('penetration', 'm')
set key inside right bottom
unset label 1
plot data.'/drift.dat' using 1:2 with linespoints linestyle ls_moreau title 'moreau', \
     2 * x with lines linestyle ls_limit title 'slope 1'
unset multiplot
