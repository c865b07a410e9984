# SPDX-License-Identifier: GPL-3.0-or-later
#
# Total energy; tables elastic, inelastic.

set xlabel axis('t', 's')
set ylabel axis('E', 'J')
set xrange [0:10]
set offsets 0, 0, 0.1, 0.1
set key inside right top
plot data.'/elastic.dat' using 1:2 with lines linestyle ls_consistent_twostep dashtype (10,6) title 'eps = 1', \
     data.'/inelastic.dat' using 1:2 with lines linestyle ls_consistent_twostep title 'eps = 0'
