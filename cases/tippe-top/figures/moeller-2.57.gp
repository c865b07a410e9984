# SPDX-License-Identifier: GPL-3.0-or-later
#
# Error of projected Jacobi against iterations; tables plain, recovered.

set logscale xy
set format y decades
set xlabel 'iteration'
set ylabel 'relative error'
set xrange [0.8:1e6]
set yrange [1e-17:3]
set xtics ('0' 0.9, '1' 1.8, '10' 10, '100' 100, '10^3' 1e3, '10^4' 1e4, '10^5' 1e5, '10^6' 1e6)
set key at graph 0.75, graph 0.3
set arrow 1 from graph 0, first 1e-9 to graph 1, first 1e-9 nohead linestyle ls_limit
at(k) = k == 0 ? 0.9 : k == 1 ? 1.8 : k
low(e) = e > 2e-17 ? e : 2e-17
plot data.'/plain.dat' using (at($1)):2 with lines linestyle 1 title 'projected Jacobi (2.45)', \
     data.'/recovered.dat' using (at($1)):(low($2)) with linespoints linestyle 4 \
       title 'recovered steps (2.63)'
