# SPDX-License-Identifier: GPL-3.0-or-later
#
# Errors of all formulations against the step; one table a formulation. `event` lies ten decades
# below the others and has a strip of its own at the bottom.
# size: 17 16

others = 'moreau lcp-st lcp-ap ccp ncp mdp consistent-twostep penalty'
what(k) = k == 2 ? 'y' : 'x and y'
set multiplot title title noenhanced
unset title
set logscale xy
set format y decades
set xrange [7e-5:0.15]
names = "('1e-4' 1e-4, '1e-3' 1e-3, '1e-2' 1e-2, '0.1' 0.1)"
blank = "('' 1e-4, '' 1e-3, '' 1e-2, '' 0.1)"
unset key

do for [k = 2:3] {
  set lmargin at screen (k == 2 ? 0.12 : 0.58)
  set rmargin at screen (k == 2 ? 0.52 : 0.98)
  set tmargin at screen 0.90
  set bmargin at screen 0.50
  set yrange [2e-5:2]
  unset ylabel
  if (k == 2) { set ylabel 'largest error [m]' offset 1 } else { set format y '' }
  unset xlabel
  eval 'set xtics '.blank
  set title 'of '.what(k) offset 0, -0.6
  set label 1 'slope 1' at 2e-3, 8e-5 textcolor rgb '#707070'
  plot 0.1 * x with lines linestyle ls_limit notitle, \
       for [name in others] data.'/'.name.'.dat' using 1:k with linespoints linestyle style(name) \
         notitle
  unset label
  unset title
  set tmargin at screen 0.46
  set bmargin at screen 0.34
  set yrange [1e-17:1e-11]
  set ytics (1e-16, 1e-14, 1e-12)
  unset ylabel
  eval 'set xtics '.names
  set xlabel axis('dt', 's')
  plot data.'/event.dat' using 1:k with linespoints linestyle ls_event notitle
  set ytics autofreq
}

# The key alone, below both.
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen 0.20
set bmargin at screen 0.01
unset border
unset tics
unset grid
unset xlabel
unset ylabel
unset logscale
set yrange [0:1]
set xrange [0:1]
set key inside center center vertical maxrows 3 width -5
plot for [name in others.' event'] NaN with linespoints linestyle style(name) title name
unset multiplot
