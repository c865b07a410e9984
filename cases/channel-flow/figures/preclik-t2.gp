# SPDX-License-Identifier: GPL-3.0-or-later
#
# From above: key figures (table keys), one point a run, those at scales 0.5 and 1 on the right, the
# source's as lines; the solid fraction of every frame (table series), blocks of time begin at the
# line; the particles at the end of the run with mdp (table snapshot).
# size: 20 19
# narrow: 8.5 24

forms = 'ncp mdp ccp lcp-ap penalty'
keys = data.'/keys.dat'

stacked = 5
set multiplot
unset title
unset key

set xrange [0.5:7.5]
set xtics ('ncp' 1, 'mdp' 2, 'ccp' 3, 'lcp-ap' 4, 'penalty' 5, 'ncp, 0.5' 6, 'ncp, 1' 7) rotate by 40 right noenhanced
set offsets 0, 0, graph 0.08, graph 0.08
names = '"solid fraction" "contacts a particle" "peak velocity"'
do for [k = 1:3] {
  eval frame(0.085 + 0.325*(k - 1), 0.085 + 0.325*(k - 1) + 0.235, 0.76, 0.90)
  set title axis(word(names, k), k == 3 ? 'm/s' : '-') offset 0, -0.6 noenhanced
  set ytics word('0.05 1 0.1', k) + 0
  column = k == 1 ? 4 : k == 2 ? 8 : 10
  source = word('0.572 2.593 1.42', k) + 0
  plot source with lines linestyle ls_limit, keys using 1:column:column + 1 with yerrorbars linestyle ls_mark
}

unset title
unset offsets
set xtics autofreq norotate
set ytics 0.05
eval frame(0.12, 0.95, 0.465, 0.625)
set xrange [0:200]
set xlabel axis('t', 'ms') offset 0, 0.5
set ylabel axis('solid fraction', '-') offset 0.6
set key at graph 1, graph 1.02 right bottom horizontal Right noreverse maxrows 1 samplen 1.5 font ''.pt(9)
set arrow 1 from 60, graph 0 to 60, graph 1 nohead dashtype 2 linecolor rgb '#808080'
plot for [i = 1:5] data.'/series.dat' every :::(i - 1)::(i - 1) using 1:2 with lines linestyle style(word(forms, i)) linewidth 1.2 title word(forms, i)
unset key
unset arrow 1

set style fill solid 1 noborder # of the colour box, as the particles
set palette defined (0 '#2c2c6e', 0.35 '#0072b2', 0.7 '#f0e442', 1 '#d55e00')

unset key
stack_right = 1.5
eval frame(0.2, 0.78, 0.08, 0.33)
set xrange [0:30]
set yrange [0:13]
set xtics 0, 5
set ytics 0, 4
set cbrange [0:2]
set xlabel axis('x', 'mm') offset 0, 0.5
set ylabel axis('y', 'mm') offset 1
set title 'mdp, particles at the end, speed [m/s]' offset 0, -0.6 noenhanced
plot data.'/snapshot.dat' using 1:2:4 with points pointtype 7 pointsize (narrow ? 0.25 : 0.5) linecolor palette
unset multiplot
