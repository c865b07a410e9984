# SPDX-License-Identifier: GPL-3.0-or-later
#
# Both integrators at 1e-5 s; tables twostep, moreau, event, difference.
# size: 17 21

set multiplot title title noenhanced
unset title
set lmargin at screen 0.16
set rmargin at screen 0.97
set xrange [0:1]

set tmargin at screen 0.94
set bmargin at screen 0.70
set yrange [0.096:0.1165]
set xlabel axis('t', 's')
set ylabel axis('x_1, x_2', 'm') enhanced
set key inside right top horizontal
plot data.'/event.dat' using 1:2 with lines linestyle ls_reference linewidth 6 title 'event', \
     data.'/moreau.dat' using 1:2 with lines linestyle ls_moreau linewidth 3.5 title 'moreau', \
     data.'/twostep.dat' using 1:2 with lines linestyle ls_consistent_twostep linewidth 1.2 \
       title 'two-step', \
     data.'/event.dat' using 1:3 with lines linestyle ls_reference linewidth 6 notitle, \
     data.'/moreau.dat' using 1:3 with lines linestyle ls_moreau linewidth 3.5 notitle, \
     data.'/twostep.dat' using 1:3 with lines linestyle ls_consistent_twostep linewidth 1.2 notitle

set tmargin at screen 0.60
set bmargin at screen 0.40
set yrange [-160:160]
set ylabel 'x_1 less exact [μm]' enhanced
set key inside left bottom horizontal
plot data.'/difference.dat' using 1:(1e6 * $3) with lines linestyle ls_moreau title 'moreau', \
     data.'/difference.dat' using 1:(1e6 * $2) with lines linestyle ls_consistent_twostep \
       title 'two-step'

set tmargin at screen 0.30
set bmargin at screen 0.09
set yrange [-2.7:0.2]
set ylabel axis('E - E_0', 'mJ') enhanced
set key inside left bottom vertical
plot data.'/event.dat' using 1:(1e3 * $4) with lines linestyle ls_reference title 'event', \
     data.'/moreau.dat' using 1:(1e3 * $4) with lines linestyle ls_moreau title 'moreau', \
     data.'/twostep.dat' using 1:(1e3 * $4) with lines linestyle ls_consistent_twostep \
       title 'two-step'
unset multiplot
