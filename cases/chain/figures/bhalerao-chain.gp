# SPDX-License-Identifier: GPL-3.0-or-later
#
# Time a step; tables dca, sparse, dense: links, time [ms].
# size: 15 10

set logscale xy
set xlabel 'links'
set ylabel axis('processor time a step', 'ms')
set xrange [1.5:6000]
set yrange [5e-3:300]
set format y '10^{%L}'
set key inside top left Left reverse noenhanced
linear(x) = 0.006 * x
plot data.'/dense.dat' using 1:2 with linespoints linestyle ls_lcp_st title 'lcp-st, dense', \
     data.'/sparse.dat' using 1:2 with linespoints linestyle ls_lcp_st dashtype 3 title 'lcp-st, sparse', \
     data.'/dca.dat' using 1:2 with linespoints linestyle ls_lcp_dca title 'lcp-dca', \
     linear(x) with lines linecolor rgb '#a0a0a0' dashtype 2 title 'slope 1'
