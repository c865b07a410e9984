# SPDX-License-Identifier: GPL-3.0-or-later
#
# Left: how the four legs share the load, solver by solver; right: how far the velocities are from
# those of the law's first solver. Tables table, box, spin (solvers in the order of `names`).
# size: 17 24
# narrow: 8.5 24.5

names = 'lemke lcp-newton lcp-pgs pgs relaxation auto pgs pjacobi pnewton ssn prox relaxation auto pgs pjacobi pnewton psor apgd spg padmm ipm ssn prox relaxation auto relaxation'
kinds = 'table box spin'
texts = '"table, no spin" "box, no spin" "table, spin 3 rad/s"'
leg(k) = k == 1 ? '#202020' : hue(word('violet red leaf', k - 1))
law(n) = n < 6 ? 'lcp-st' : n < 13 ? 'ncp' : n < 25 ? 'ccp' : 'mdp'

set multiplot
unset title
set yrange [25.6:-0.6]
set ytics nomirror noenhanced scale 0
set grid noytics
set arrow 6 from graph 0, first 5.5 to graph 1, first 5.5 nohead linestyle ls_limit
set arrow 7 from graph 0, first 12.5 to graph 1, first 12.5 nohead linestyle ls_limit
set arrow 8 from graph 0, first 24.5 to graph 1, first 24.5 nohead linestyle ls_limit

do for [i = 1:3] {
  top = (narrow ? 0.97 : 0.94) - (narrow ? 0.324 : 0.315)*(i - 1)
  set tmargin at screen up(top)
  set bmargin at screen up(top - (narrow ? 0.259 : 0.235))
  file = data.'/'.word(kinds, i).'.dat'
  set lmargin at screen (narrow ? 2.7/page_wide : 0.20)
  set rmargin at screen (narrow ? 0.66 : 0.58)
  unset logscale x
  set format x '%g'
  set xrange [-0.02:0.6]
  set xtics 0, 0.25
  set xlabel (narrow ? 'share of the load [-]' : 'share of the load, four legs [-]') offset 0, 0.6
  set for [k = 1:26] ytics add (sprintf('%s %s', law(k - 1), word(names, k)) k - 1)
  set ytics font ''.pt(7)
  set label 1 word(texts, i) at graph 0.0, 1.06
  set key at screen 0.94, screen up(0.90) right top vertical samplen 0.5 opaque font ''.pt(9)
  if (i > 1) { unset key }
  plot for [k = 1:4] file using (column(1 + k)):1 with points pointtype (k == 1 ? 6 : k == 2 ? 4 : k == 3 ? 1 : 2) pointsize 0.9 linewidth 1.5 linecolor rgb leg(k) title sprintf('leg %d', k)
  unset label 1
  unset key
  set lmargin at screen (narrow ? 0.71 : 0.64)
  set rmargin at screen 0.97
  set logscale x
  set format x decades
  set xrange [1e-17:1e-2]
  set xtics 1e-16, 1e4
  if (narrow) { set xtics 1e-16, 1e8 }
  set xlabel axis(narrow ? 'Δv' : 'difference of velocities', 'm/s') offset 0, 0.6
  set ytics ('' 0)
  plot file using ($6 > 2e-17 ? $6 : 2e-17):1 with points pointtype 7 pointsize 0.7 linecolor rgb '#000000' notitle
}
unset multiplot
