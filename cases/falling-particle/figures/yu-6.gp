# SPDX-License-Identifier: GPL-3.0-or-later
#
# Displacements of the falling particle; tables event, ccp, marks.
# size: 17 14

set multiplot layout 2,1 title title noenhanced
unset title
set xrange [0:1.5]
set xlabel axis('t', 's')
set lmargin 9
set rmargin 3
set key inside right bottom

set ylabel axis('x', 'm')
set yrange [0:1.4]
plot data.'/event.dat' using 1:2 with lines linestyle ls_reference linewidth 5 title 'event', \
     data.'/ccp.dat' using 1:2 with lines linestyle ls_ccp title 'ccp, dt = 1e-3 s', \
     data.'/marks.dat' using 1:2 every ::0::0 with points linestyle ls_mark title 'impact', \
     data.'/marks.dat' using 1:2 every ::1::1 with points linestyle ls_mark pointtype 6 title 'stop'

set ylabel axis('y', 'm')
set yrange [-0.08:1.1]
unset key
plot data.'/event.dat' using 1:3 with lines linestyle ls_reference linewidth 5 notitle, \
     data.'/ccp.dat' using 1:3 with lines linestyle ls_ccp notitle, \
     data.'/marks.dat' using 1:3 every ::0::0 with points linestyle ls_mark notitle, \
     data.'/marks.dat' using 1:3 every ::1::1 with points linestyle ls_mark pointtype 6 notitle
unset multiplot
