# SPDX-License-Identifier: GPL-3.0-or-later
# size: 22 20
#
# Error against work, one factor varied in each of three panels, with bands of the members' scatter;
# the shares of the variance of the error's logarithm. Tables of curves: work, error, 10 %, 90 %;
# laws, schemes, tolerances: their names, and <list>_titles[] what they are called. shares (absent where
# no factor has two levels): factor, first-order share with its interval, total share with its; factors[].

table(name) = data . '/' . name . '.dat'
clip(x) = x < 1e-15 ? 1e-15 : x
colour(i) = word('#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #000000 #999999', (i - 1) % 8 + 1)

set multiplot
set logscale xy
set format xy decades
set key noenhanced top right samplen 2 font ',9'
set style fill transparent solid 0.12 noborder

set xlabel 'work'
do for [panel = 1:3] {
  names = panel == 1 ? laws : panel == 2 ? schemes : tolerances
  set lmargin at screen panel % 2 == 1 ? 0.10 : 0.59
  set rmargin at screen panel % 2 == 1 ? 0.49 : 0.98
  set bmargin at screen panel < 3 ? 0.57 : 0.08
  set tmargin at screen panel < 3 ? 0.93 : 0.44
  set ylabel axis('error over length', '-')
  set label 1 word('law scheme tolerance', panel) at graph 0.02, graph 1.06
  if (words(names) == 0) { continue }
  array called[words(names)]
  do for [i = 1:words(names)] {
    called[i] = panel == 1 ? laws_titles[i] : panel == 2 ? schemes_titles[i] : tolerances_titles[i]
  }
  plot for [i = 1:words(names)] table(word(names, i)) using 1:(clip($3)):(clip($4)) \
         with filledcurves linecolor rgb colour(i) notitle, \
       for [i = 1:words(names)] table(word(names, i)) using 1:(clip($2)) \
         with linespoints linecolor rgb colour(i) pointtype i title called[i]
}

if (strstrt(' ' . present . ' ', ' shares ') > 0) {
  unset logscale
  set format xy '%g'
  set lmargin at screen 0.59
  set rmargin at screen 0.98
  set bmargin at screen 0.08
  set tmargin at screen 0.44
  set label 1 'share of the variance' at graph 0.02, graph 1.06
  unset xlabel
  set ylabel axis('share', '-')
  set yrange [0:1]
  set xrange [0.4:|factors| + 0.6]
  set style fill solid 1 noborder
  set boxwidth 0.35
  set xtics rotate by -30 nomirror
  set for [i = 1:|factors|] xtics add (factors[i] i)
  positive(x) = x > 0 ? x : 0
  set key top right
  plot table('shares') using ($1 - 0.18):(positive($2)) with boxes linecolor rgb '#0072b2' title 'known', \
       table('shares') using ($1 + 0.18):(positive($5)) with boxes linecolor rgb '#a6cee3' title 'alone unknown', \
       table('shares') using ($1 - 0.18):(positive($2)):(positive($3)):(positive($4)) \
         with yerrorbars pointtype 0 linecolor rgb '#303030' notitle, \
       table('shares') using ($1 + 0.18):(positive($5)):(positive($6)):(positive($7)) \
         with yerrorbars pointtype 0 linecolor rgb '#303030' notitle
}
unset multiplot
