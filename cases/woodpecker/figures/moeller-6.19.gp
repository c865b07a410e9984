# SPDX-License-Identifier: GPL-3.0-or-later
#
# The two-step solution at the coarse step in four panels; tables twostep, moreau, event.
# size: 17 17

set multiplot title title noenhanced
unset title
set xrange [0:0.2]
set xlabel axis('t', 's')
set xtics 0, 0.05
set key inside left bottom

set lmargin at screen 0.15
set rmargin at screen 0.47
set tmargin at screen 0.92
set bmargin at screen 0.58
set ylabel axis('y', 'mm')
plot data.'/event.dat' using 1:($2*1e3) with lines linestyle ls_reference linewidth 5 title 'event', \
     data.'/twostep.dat' using 1:($2*1e3) with lines linestyle ls_consistent_twostep title 'two-step', \
     data.'/moreau.dat' using 1:($2*1e3) with lines linestyle ls_moreau dashtype (8,8) title 'moreau'

unset key
set lmargin at screen 0.66
set rmargin at screen 0.96
set ylabel axis('dy/dt', 'm/s')
plot data.'/event.dat' using 1:5 with lines linestyle ls_reference linewidth 5, \
     data.'/twostep.dat' using 1:5 with lines linestyle ls_consistent_twostep, \
     data.'/moreau.dat' using 1:5 with lines linestyle ls_moreau dashtype (8,8)

set lmargin at screen 0.15
set rmargin at screen 0.47
set tmargin at screen 0.45
set bmargin at screen 0.10
set ylabel axis('α', 'rad') enhanced
plot data.'/event.dat' using 1:3 with lines linestyle ls_reference linewidth 5, \
     data.'/twostep.dat' using 1:3 with lines linestyle ls_consistent_twostep, \
     data.'/moreau.dat' using 1:3 with lines linestyle ls_moreau dashtype (8,8)

set lmargin at screen 0.66
set rmargin at screen 0.96
set ylabel axis('φ', 'rad') enhanced
plot data.'/event.dat' using 1:4 with lines linestyle ls_reference linewidth 5, \
     data.'/twostep.dat' using 1:4 with lines linestyle ls_consistent_twostep, \
     data.'/moreau.dat' using 1:4 with lines linestyle ls_moreau dashtype (8,8)
unset multiplot
