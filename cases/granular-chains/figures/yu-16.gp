# SPDX-License-Identifier: GPL-3.0-or-later
#
# Normal impulse on disc 10; table impulse. Impacts stand out of lasting contact by decades.

set xrange [0:8]
set xlabel axis('t', 's')
set ylabel axis('normal impulse in a step', 'N s')
set logscale y
set format y decades
unset key
plot data.'/impulse.dat' using 1:2 with impulses linecolor rgb '#d55e00' notitle, \
     data.'/impulse.dat' using 1:2 with points pointtype 7 pointsize 0.5 linecolor rgb '#d55e00' \
       notitle
