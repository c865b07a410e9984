# SPDX-License-Identifier: GPL-3.0-or-later
#
# Iterations (left) and residual (right) over the ratio of the masses, a row a law; tables
# <formulation>-<solver>; pnewton diverges at once and has nothing to draw.
# size: 17 22

solvers = 'lemke lcp-newton lcp-pgs pgs pjacobi psor apgd spg admm ipm ssn prox relaxation auto'
of_lcp = 'lemke lcp-newton lcp-pgs pgs relaxation auto'
of_ncp = 'pgs pjacobi ssn prox relaxation auto'
of_ccp = 'pgs pjacobi psor apgd spg admm ipm ssn prox relaxation auto'
list(law) = law eq 'lcp-st' ? of_lcp : law eq 'ncp' ? of_ncp : of_ccp

set multiplot title title noenhanced
unset title
set logscale xy
set format xy decades
set xrange [0.7:1.5e6]
set xtics 1, 100
unset key
laws = 'lcp-st ncp ccp'
do for [i = 1:3] {
  law = word(laws, i)
  set tmargin at screen 0.935 - 0.27*(i - 1)
  set bmargin at screen 0.935 - 0.27*(i - 1) - 0.20
  if (i == 3) { set xlabel 'ratio of the masses [-]' } else { set xlabel '' }
  set lmargin at screen 0.10
  set rmargin at screen 0.49
  set yrange [0.8:4e4]
  set ytics 1, 10
  set ylabel 'iterations' offset 0.5
  set label 1 law at graph 0.03, 1.07
  plot for [s in list(law)] data.'/'.law.'-'.s.'.dat' using 1:($3 == $3 ? $2 : 1/0) with linespoints linestyle solver_style(s)
  unset label 1
  set lmargin at screen 0.64
  set rmargin at screen 0.98
  set yrange [1e-17:10]
  set ytics 1e-16, 1e4
  set ylabel 'residual / max |b| [-]' offset 1
  plot 1e-8 with lines linestyle ls_limit, \
       for [s in list(law)] data.'/'.law.'-'.s.'.dat' using 1:($3 > 2e-17 ? $3 : 2e-17) with linespoints linestyle solver_style(s)
}
unset logscale
unset border
unset tics
unset grid
unset xlabel
unset ylabel
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen 0.115
set bmargin at screen 0.005
set xrange [0:1]
set yrange [0:1]
set key inside center center vertical maxrows 3 font ',9' samplen 2.5
plot for [s in solvers] -1 with linespoints linestyle solver_style(s) title s
unset multiplot
