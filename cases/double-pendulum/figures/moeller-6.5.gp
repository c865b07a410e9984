# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rod angles; tables twostep, moreau, event.
# size: 17 15

set multiplot title title noenhanced
unset title
set lmargin at screen 0.13
set rmargin at screen 0.97
set xrange [0:4]
set xlabel axis('t', 's')

set tmargin at screen 0.93
set bmargin at screen 0.58
set yrange [-0.5:2.6]
set ylabel axis('α_1', 'rad') enhanced
set key inside right top horizontal
plot data.'/event.dat' using 1:2 with lines linestyle ls_reference linewidth 4 title 'event', \
     data.'/twostep.dat' using 1:2 with lines linestyle ls_consistent_twostep title 'two-step', \
     data.'/moreau.dat' using 1:2 with lines linestyle ls_moreau dashtype (8,4) title 'moreau'

set tmargin at screen 0.45
set bmargin at screen 0.11
set yrange [-1.5:4]
set ylabel axis('α_2', 'rad') enhanced
unset key
plot data.'/event.dat' using 1:3 with lines linestyle ls_reference linewidth 4 notitle, \
     data.'/twostep.dat' using 1:3 with lines linestyle ls_consistent_twostep notitle, \
     data.'/moreau.dat' using 1:3 with lines linestyle ls_moreau dashtype (8,4) notitle
unset multiplot
