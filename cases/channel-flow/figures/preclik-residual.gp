# SPDX-License-Identifier: GPL-3.0-or-later
#
# Against the mean number of sweeps a step (table keys, four rows of ncp, then of mdp): median residual
# and deepest penetration, solid fraction and contacts a particle with their intervals.
# size: 17 14
# narrow: 8.5 20

stacked = 4
set multiplot
unset title
set logscale x
set xrange [10:8000]
set xtics ('20' 20, '100' 100, '500' 500, '3000' 3000)
set xlabel 'sweeps a step, mean'
rows(law) = law eq 'ncp' ? 0 : 4
last(law) = rows(law) + 3
size(law) = law eq 'ncp' ? 1.3 : 0.7
keys = data.'/keys.dat'

eval frame(0.14, 0.48, 0.59, 0.91)
set logscale y
set format y decades
set yrange [1e-6:10]
set ylabel axis('median residual', 'm/s')
set key inside right top font ''.pt(10)
plot for [law in 'ncp mdp'] keys every ::rows(law)::last(law) using 1:2 with linespoints linestyle style(law) pointsize size(law) title law
unset key
unset logscale y
set format y '%h'

eval frame(0.63, 0.97, 0.59, 0.91)
set yrange [0:60]
set ylabel axis('deepest penetration', 'μm')
plot for [law in 'ncp mdp'] keys every ::rows(law)::last(law) using 1:3 with linespoints linestyle style(law) pointsize size(law)

eval frame(0.14, 0.48, 0.11, 0.43)
set yrange [0.48:0.52]
set ytics 0.01
set ylabel 'solid fraction'
plot for [law in 'ncp mdp'] keys every ::rows(law)::last(law) using 1:4:5 with yerrorbars linestyle style(law) dashtype 1 pointsize size(law)

eval frame(0.63, 0.97, 0.11, 0.43)
set yrange [1.8:2.8]
set ytics 0.2
set ylabel 'contacts a particle'
plot for [law in 'ncp mdp'] keys every ::rows(law)::last(law) using 1:6:7 with yerrorbars linestyle style(law) dashtype 1 pointsize size(law)
unset multiplot
