# SPDX-License-Identifier: GPL-3.0-or-later
#
# Time of inversion against the step, both friction sets; tables B, E: dt, T, largest inclination.

set logscale x
set format x decades
set xrange [1e-5:1.3e-3]
set yrange [1.456:1.472]
set ytics 0.004
set format y '%.3f'
set xlabel axis('step dt', 's')
set ylabel axis('time of inversion', 's')
set key enhanced
plot data.'/B.dat' using 1:2 with linespoints linestyle 1 title 'B_F', \
     data.'/E.dat' using 1:2 with linespoints linestyle 4 title 'E_F', \
     data.'/B.dat' using 1:($3 > 3 ? NaN : 1.4565) with points linestyle ls_mark pointtype 2 \
       title 'not inverted'
