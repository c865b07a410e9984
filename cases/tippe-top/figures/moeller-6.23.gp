# SPDX-License-Identifier: GPL-3.0-or-later
#
# Inclination and energy against time; tables B, E.
# size: 17 15

set multiplot title title noenhanced
unset title
set lmargin at screen 0.13
set rmargin at screen 0.96
set xrange [0:8]
set key inside right top

set tmargin at screen 0.92
set bmargin at screen 0.49
set yrange [0:3.3]
set ylabel axis('inclination', 'rad')
set key inside right bottom
plot data.'/B.dat' using 1:2 with lines linestyle 1 title 'B_F' enhanced, \
     data.'/E.dat' using 1:2 with lines linestyle 4 dashtype (14,5) title 'E_F' enhanced, \
     pi with lines linestyle ls_limit title 'on its head'

set tmargin at screen 0.41
set bmargin at screen 0.11
set xlabel axis('t', 's')
set yrange [0:13]
set ylabel axis('energy', 'mJ')
set key inside right top
plot data.'/B.dat' using 1:(1e3 * $3) with lines linestyle 1 title 'B_F' enhanced, \
     data.'/E.dat' using 1:(1e3 * $3) with lines linestyle 4 dashtype (14,5) title 'E_F' enhanced
unset multiplot
