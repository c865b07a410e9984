# SPDX-License-Identifier: GPL-3.0-or-later
#
# Time a step; tables dca, sparse, dense and those of further formulations: links, time [ms].
# size: 17 10

set multiplot layout 1,2 title title noenhanced
unset title
set logscale xy
set xlabel 'links'
set ylabel axis('processor time a step', 'ms')
set format y '10^{%L}'
set key inside top left Left reverse noenhanced
set xrange [1.5:6000]
set yrange [5e-3:2000]
linear(x) = 0.006 * x
plot data.'/dense.dat' using 1:2 with linespoints linestyle ls_lcp_st title 'lcp-st, dense', \
     data.'/sparse.dat' using 1:2 with linespoints linestyle ls_lcp_st dashtype 3 title 'lcp-st, sparse', \
     data.'/dca.dat' using 1:2 with linespoints linestyle ls_lcp_dca title 'lcp-dca', \
     linear(x) with lines linecolor rgb '#a0a0a0' dashtype 2 title 'slope 1'
set xrange [100:6000]
set yrange [5e-2:2e5]
unset ylabel
plot data.'/consistent-quaternion.dat' using 1:2 with linespoints linestyle ls_consistent_quaternion title 'consistent-quaternion', \
     data.'/penalty.dat' using 1:2 with linespoints linestyle ls_penalty title 'penalty', \
     data.'/moreau.dat' using 1:2 with linespoints linestyle ls_moreau title 'moreau', \
     data.'/ncp.dat' using 1:2 with linespoints linestyle ls_ncp title 'ncp', \
     data.'/ccp.dat' using 1:2 with linespoints linestyle ls_ccp title 'ccp', \
     data.'/dca.dat' using 1:2 with linespoints linestyle ls_lcp_dca title 'lcp-dca', \
     linear(x) with lines linecolor rgb '#a0a0a0' dashtype 2 title 'slope 1'
unset multiplot
