# SPDX-License-Identifier: GPL-3.0-or-later
#
# Unknowns against contacts; tables size-<mcp>-<facets>: X, B_u, posed, stated; four rows with one
# contact a link, then three with two.
# size: 17 10
# narrow: 8.5 14

if (narrow) {
  set multiplot layout 2,1
} else {
  set multiplot layout 1,2
}
unset title
set xlabel 'contacts X'
set ylabel 'unknowns'
set xrange [0:9]
set xtics 2
set yrange [0:220]
set key inside top left Left reverse noenhanced
colour(eta) = eta == 4 ? hue('violet') : eta == 8 ? hue('leaf') : hue('red')
do for [mcp = 32:33] {
  set title sprintf('(%d)', mcp)
  plot for [eta in '4 8 16'] data.'/size-'.mcp.'-'.eta.'.dat' every ::0::3 using 1:4 with lines \
         linecolor rgb colour(int(eta)) title eta.' directions', \
       for [eta in '4 8 16'] data.'/size-'.mcp.'-'.eta.'.dat' every ::0::3 using 1:3 with points \
         pointtype 7 pointsize 0.8 linecolor rgb colour(int(eta)) notitle, \
       for [eta in '4 8 16'] data.'/size-'.mcp.'-'.eta.'.dat' every ::4::6 using 1:3 with points \
         pointtype 6 pointsize 1.3 linecolor rgb colour(int(eta)) notitle, \
       NaN with points pointtype 6 pointsize 1.3 linecolor rgb '#000000' title 'two on a link'
  unset key
}
unset multiplot
