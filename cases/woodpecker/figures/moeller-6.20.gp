# SPDX-License-Identifier: GPL-3.0-or-later
#
# Total energy from sticking to sliding, from its value at the start of the window: both schemes
# reach it with energies of their own. Tables twostep, moreau, event.

set xlabel axis('t', 's')
set ylabel axis('E - E(0.03 s)', 'μJ') enhanced
set xrange [0.03:0.075]
set yrange [-1.2:0.4]
set key inside left bottom
set rmargin 5
start(name) = system("awk '$1 > 0.0299 && $1 < 0.0301 {print $2; exit}' ".data.'/'.name.'.dat') + 0
E_two = start('twostep')
E_moreau = start('moreau')
E_event = start('event')
plot data.'/event.dat' using 1:(($2-E_event)*1e6) with lines linestyle ls_reference linewidth 4 title 'event', \
     data.'/twostep.dat' using 1:(($2-E_two)*1e6) with linespoints linestyle ls_consistent_twostep title 'two-step', \
     data.'/moreau.dat' using 1:(($2-E_moreau)*1e6) with linespoints linestyle ls_moreau title 'moreau'
